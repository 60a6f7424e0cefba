// The nodes of some files of a slot.
UNWIND $paths AS path
MATCH (n:Node {snapshot: $slot, path: path})
RETURN path AS path, properties(n) AS node;
