// Uses of a symbol other than by a call: mentions by name, imports, subclasses.
// params:  snapshot string whose nodes · id string symbol asked about · min_confidence float least confidence of an edge, 0 to 1
//          · limit int most rows
// returns: id, kind, path, start_line, end_line, signature, is_test, edge, line_path, lines, how, tier,
//          confidence
// bound:   1 hop, $limit rows
// try:     :param snapshot => "demo"
//          :param id => "db.py:Store.put"
//          :param min_confidence => 0.5
//          :param limit => 100
MATCH (a:Node)<-[r:IMPORTS|INHERITS|REFERENCES]-(b:Node)
WHERE a.snapshot = $snapshot AND a.id = $id AND r.confidence >= $min_confidence
RETURN b.id AS id, b.kind AS kind, b.path AS path, b.start_line AS start_line,
       b.end_line AS end_line, b.signature AS signature, b.is_test AS is_test,
       r.kind AS edge, b.path AS line_path, r.lines AS lines, r.how AS how,
       r.tier AS tier, r.confidence AS confidence
ORDER BY confidence DESC, id, edge
LIMIT $limit
