// Create edges between nodes that are there.
UNWIND $rows AS row
MATCH (a:Node {key: row.src})
MATCH (b:Node {key: row.dst})
CREATE (a)-[r:$(row.edge.kind)]->(b)
SET r = row.edge;
