// All inside some files or classes, three levels down, and what that calls.
// params:  snapshot string whose nodes · ids list<string> seeds · limit int most rows of each part
// returns: id, kind, path, start_line, end_line, hops, part (inside or called)
// bound:   3 hops down and 1 call, $limit rows of each part
// try:     :param snapshot => "demo"
//          :param ids => ["db.py"]
//          :param limit => 50
MATCH p = (a:Node)-[:CONTAINS*1..3]->(b:Node)
WHERE a.snapshot = $snapshot AND a.id IN $ids AND NOT b.id IN $ids
RETURN b.id AS id, b.kind AS kind, b.path AS path, b.start_line AS start_line,
       b.end_line AS end_line, min(length(p)) AS hops, "inside" AS part
ORDER BY hops, id
LIMIT $limit
UNION ALL
MATCH p = (a:Node)-[:CONTAINS*0..3]->(:Node)-[:INVOKES]->(b:Node)
WHERE a.snapshot = $snapshot AND a.id IN $ids AND NOT b.id IN $ids
RETURN b.id AS id, b.kind AS kind, b.path AS path, b.start_line AS start_line,
       b.end_line AS end_line, min(length(p)) AS hops, "called" AS part
ORDER BY hops, id
LIMIT $limit
