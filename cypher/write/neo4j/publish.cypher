// Show readers a slot. The slot shown until now becomes the publisher's, who drops it.
MATCH (s:HindsightSnapshot {name: $name})
OPTIONAL MATCH (c:HindsightSlot {slot: s.slot})
SET c.owner = $owner
SET s.slot = $slot, s.stamp = $stamp, s.version = $version,
    s.created = toString(datetime.transaction("+00:00")), s.owner = null;
