// Edges from one snapshot into another: always none in a sound index.
// params:  snapshot string whose nodes · limit int most rows
// returns: src, dst, edge, other
// bound:   $limit rows; goes through all edges of the snapshot
// try:     :param snapshot => "demo"
//          :param limit => 100
MATCH (a:Node)-[r:CONTAINS|IMPORTS|INVOKES|INHERITS|OVERRIDES|REFERENCES|TESTS]->(b:Node)
WHERE a.snapshot = $snapshot AND b.snapshot <> $snapshot
RETURN a.id AS src, b.id AS dst, r.kind AS edge, b.snapshot AS other
ORDER BY src, dst, edge
LIMIT $limit
