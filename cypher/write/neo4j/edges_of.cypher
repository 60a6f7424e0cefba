// The edges that leave some files of a slot.
UNWIND $paths AS path
MATCH (n:Node {snapshot: $slot, path: path})-[r]->(m:Node)
RETURN n.key AS src, m.key AS dst, properties(r) AS edge;
