// Delete edges.
UNWIND $rows AS row
MATCH (a:Node {key: row.src})-[r]->(b:Node {key: row.dst}) WHERE r.kind = row.edge.kind
DELETE r;
