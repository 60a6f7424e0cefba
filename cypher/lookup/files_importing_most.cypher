// The files that import from most other files.
// params:  snapshot string whose nodes · limit int most rows
// returns: path, imports
// bound:   $limit rows; goes through the whole snapshot
// try:     :param snapshot => "demo"
//          :param limit => 20
MATCH (file:Node)-[:IMPORTS]->(target:Node)
WHERE file.snapshot = $snapshot AND target.kind <> "External" AND file.path <> target.path
RETURN file.path AS path, count(DISTINCT target.path) AS imports
ORDER BY imports DESC, path
LIMIT $limit
