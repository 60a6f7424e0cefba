// What a directory, a file, a class or a function holds, in the order of the source.
// params:  snapshot string whose nodes · id string symbol asked about · limit int most rows
// returns: id, kind, path, start_line, end_line, signature, is_test, edge, line_path, lines, how, tier,
//          confidence
// bound:   1 hop, $limit rows
// try:     :param snapshot => "demo"
//          :param id => "db.py:Store"
//          :param limit => 100
MATCH (a:Node)-[r:CONTAINS]->(b:Node)
WHERE a.snapshot = $snapshot AND a.id = $id
RETURN b.id AS id, b.kind AS kind, b.path AS path, b.start_line AS start_line,
       b.end_line AS end_line, b.signature AS signature, b.is_test AS is_test,
       r.kind AS edge, a.path AS line_path, r.lines AS lines, r.how AS how,
       r.tier AS tier, r.confidence AS confidence
ORDER BY path, start_line, id
LIMIT $limit
