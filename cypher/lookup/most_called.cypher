// The functions and classes that most others call.
// params:  snapshot string whose nodes · limit int most rows
// returns: id, path, start_line, callers
// bound:   $limit rows; goes through the whole snapshot
// try:     :param snapshot => "demo"
//          :param limit => 20
MATCH (n:Node)<-[:INVOKES]-(:Node)
WHERE n.snapshot = $snapshot AND n.kind <> "External"
RETURN n.id AS id, n.path AS path, n.start_line AS start_line, count(*) AS callers
ORDER BY callers DESC, id
LIMIT $limit
