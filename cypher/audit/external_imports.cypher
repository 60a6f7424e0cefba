// Which files import external packages, to see where each is let in.
// params:  snapshot string whose nodes · limit int most rows
// returns: path, external, lines
// bound:   $limit rows; goes through all imports of the snapshot
// try:     :param snapshot => "demo"
//          :param limit => 1000
MATCH (file:Node)-[r:IMPORTS]->(x:Node)
WHERE file.snapshot = $snapshot AND x.kind = "External"
RETURN file.path AS path, x.id AS external, r.lines AS lines
ORDER BY path, external
LIMIT $limit
