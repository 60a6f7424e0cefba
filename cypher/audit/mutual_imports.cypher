// Pairs of files that import each other, as a whole or by their symbols.
// params:  snapshot string whose nodes · limit int most rows
// returns: path, other
// bound:   $limit rows; goes through all imports of the snapshot
// try:     :param snapshot => "demo"
//          :param limit => 100
MATCH (a:Node)-[:IMPORTS]->(b:Node)-[:IMPORTS]->(a)
WHERE a.snapshot = $snapshot AND a.id < b.id
RETURN DISTINCT a.path AS path, b.path AS other
ORDER BY path, other
LIMIT $limit
