// What stands beside some nodes: the other members of the class, file or directory that holds them.
// params:  snapshot string whose nodes · ids list<string> nodes whose neighbours are wanted
//          · limit int most rows
// returns: seed, src, dst, edge, lines, line_path, how, tier, confidence, id, kind, name, path,
//          start_line, end_line, signature, doc, is_test, unresolved
// bound:   1 hop up and 1 down, $limit rows; src is the parent that both share
// try:     :param snapshot => "demo"
//          :param ids => ["db.py:Store.put"]
//          :param limit => 50
UNWIND $ids AS wanted
WITH $snapshot + "|" + wanted AS key
MATCH (a:Node {key: key})
// OPTIONAL keeps the embedded engine going from the keys outwards: with MATCH it joins whole tables,
// which costs 20 times as much. The WHERE after WITH drops the nodes that have no such edge.
OPTIONAL MATCH (a)<-[:CONTAINS]-(parent:Node)-[r:CONTAINS]->(b:Node)
WITH a, parent, r, b WHERE a.id <> b.id
RETURN a.id AS seed, parent.id AS src, b.id AS dst, r.kind AS edge, r.lines AS lines,
       parent.path AS line_path, r.how AS how, r.tier AS tier, r.confidence AS confidence,
       b.id AS id, b.kind AS kind, b.name AS name, b.path AS path, b.start_line AS start_line,
       b.end_line AS end_line, b.signature AS signature, b.doc AS doc, b.is_test AS is_test,
       b.unresolved AS unresolved
ORDER BY id, seed
LIMIT $limit
