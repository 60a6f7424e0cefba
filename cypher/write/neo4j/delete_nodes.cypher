// Delete nodes, with the edges that still touch them.
UNWIND $rows AS key
MATCH (n:Node {key: key}) DETACH DELETE n;
