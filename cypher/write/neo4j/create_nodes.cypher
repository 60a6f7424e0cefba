// Create nodes. The kind becomes the second label, which colours them in Neo4j Browser.
UNWIND $rows AS row
CREATE (n:Node:$(row.kind))
SET n = row;
