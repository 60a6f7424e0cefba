// Hold a snapshot against other writers to the end of the transaction, and say what it is. Read after the lock is held.
MERGE (s:HindsightSnapshot {name: $name})
SET s.owner = $owner
WITH s
RETURN coalesce(s.slot, "") AS slot, coalesce(s.stamp, "") AS stamp;
