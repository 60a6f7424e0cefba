// All around some symbols: what they use, what uses them, and what stands beside them.
// params:  snapshot string whose nodes · ids list<string> seeds · limit int most rows of each direction
// returns: id, kind, path, start_line, end_line, seed, edge, direction (out, in or beside)
// bound:   1 hop (beside: up to the parent and down), $limit rows of each direction
// try:     :param snapshot => "demo"
//          :param ids => ["db.py:Store.put"]
//          :param limit => 50
MATCH (a:Node)-[r:INVOKES|IMPORTS|INHERITS|REFERENCES|TESTS]->(b:Node)
WHERE a.snapshot = $snapshot AND a.id IN $ids AND NOT b.id IN $ids
RETURN DISTINCT b.id AS id, b.kind AS kind, b.path AS path, b.start_line AS start_line,
       b.end_line AS end_line, a.id AS seed, r.kind AS edge, "out" AS direction
ORDER BY edge, id, seed
LIMIT $limit
UNION ALL
MATCH (a:Node)<-[r:INVOKES|IMPORTS|INHERITS|REFERENCES|TESTS]-(b:Node)
WHERE a.snapshot = $snapshot AND a.id IN $ids AND NOT b.id IN $ids
RETURN DISTINCT b.id AS id, b.kind AS kind, b.path AS path, b.start_line AS start_line,
       b.end_line AS end_line, a.id AS seed, r.kind AS edge, "in" AS direction
ORDER BY edge, id, seed
LIMIT $limit
UNION ALL
MATCH (a:Node)<-[:CONTAINS]-(:Node)-[r:CONTAINS]->(b:Node)
WHERE a.snapshot = $snapshot AND a.id IN $ids AND NOT b.id IN $ids
RETURN DISTINCT b.id AS id, b.kind AS kind, b.path AS path, b.start_line AS start_line,
       b.end_line AS end_line, a.id AS seed, r.kind AS edge, "beside" AS direction
ORDER BY edge, id, seed
LIMIT $limit
