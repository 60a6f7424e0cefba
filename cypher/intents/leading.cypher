// What some symbols rest on: what they call and import, and what that calls and imports.
// params:  snapshot string whose nodes · ids list<string> seeds · limit int most rows
// returns: id, kind, path, start_line, end_line, hops (from the nearest seed)
// bound:   2 hops, $limit rows
// try:     :param snapshot => "demo"
//          :param ids => ["db.py:Store.put"]
//          :param limit => 50
MATCH p = (a:Node)-[:INVOKES|IMPORTS*1..2]->(b:Node)
WHERE a.snapshot = $snapshot AND a.id IN $ids AND NOT b.id IN $ids
RETURN b.id AS id, b.kind AS kind, b.path AS path, b.start_line AS start_line,
       b.end_line AS end_line, min(length(p)) AS hops
ORDER BY hops, id
LIMIT $limit
