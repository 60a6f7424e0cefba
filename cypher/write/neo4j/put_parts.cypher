// Say what files of a slot come to.
UNWIND $rows AS row
MERGE (p:HindsightPart {key: row.key})
SET p.slot = row.slot, p.path = row.path, p.digest = row.digest;
