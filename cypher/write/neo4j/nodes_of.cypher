// The nodes of some files of a slot.
UNWIND $paths AS path
MATCH (n:Node {snapshot: $slot, path: path})
RETURN properties(n) AS node;
