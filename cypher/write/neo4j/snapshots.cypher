// The snapshots that readers may see: the name, the slot that its nodes are in, what they come to, and when it was written.
MATCH (s:HindsightSnapshot)
RETURN s.name AS name, s.slot AS slot, s.stamp AS stamp, s.version AS version, s.created AS created
ORDER BY name;
