// Which file imports which, each pair once: what circles of imports are made of.
// params:  snapshot string whose nodes · limit int most rows
// returns: path, imported
// bound:   $limit rows; goes through all imports of the snapshot
// try:     :param snapshot => "demo"
//          :param limit => 1000
MATCH (a:Node)-[:IMPORTS]->(b:Node)
WHERE a.snapshot = $snapshot AND b.kind = "File" AND a.id <> b.id
RETURN DISTINCT a.id AS path, b.id AS imported
ORDER BY path, imported
LIMIT $limit
