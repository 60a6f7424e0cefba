// One hop against the edges of some nodes: what uses them.
// params:  snapshot string whose nodes · ids list<string> nodes to arrive at
//          · kinds list<string> edge kinds to walk, empty for all
//          · min_confidence float least confidence of an edge, 0 to 1 · limit int most rows
// returns: seed, src, dst, edge, lines, line_path, how, tier, confidence, id, kind, name, path,
//          start_line, end_line, signature, doc, is_test, unresolved
// bound:   1 hop, $limit rows, the surest edges first
// try:     :param snapshot => "demo"
//          :param ids => ["db.py:Store.put"]
//          :param kinds => ["INVOKES"]
//          :param min_confidence => 0.5
//          :param limit => 50
UNWIND $ids AS wanted
WITH $snapshot + "|" + wanted AS key
MATCH (a:Node {key: key})
// OPTIONAL keeps the embedded engine going from the keys outwards: with MATCH it joins whole tables,
// which costs 20 times as much. The WHERE after WITH drops the nodes that have no such edge.
OPTIONAL MATCH (a)<-[r:CONTAINS|IMPORTS|INVOKES|INHERITS|OVERRIDES|REFERENCES|TESTS]-(b:Node)
WITH a, r, b
WHERE (size($kinds) = 0 OR r.kind IN $kinds) AND r.confidence >= $min_confidence
RETURN a.id AS seed, b.id AS src, a.id AS dst, r.kind AS edge, r.lines AS lines, b.path AS line_path,
       r.how AS how, r.tier AS tier, r.confidence AS confidence,
       b.id AS id, b.kind AS kind, b.name AS name, b.path AS path, b.start_line AS start_line,
       b.end_line AS end_line, b.signature AS signature, b.doc AS doc, b.is_test AS is_test,
       b.unresolved AS unresolved
ORDER BY confidence DESC, id, edge, seed
LIMIT $limit
