// The files that most other files import, as a whole or one of their symbols.
// params:  snapshot string whose nodes · limit int most rows
// returns: path, importers
// bound:   $limit rows; goes through the whole snapshot
// try:     :param snapshot => "demo"
//          :param limit => 20
MATCH (file:Node)-[:IMPORTS]->(target:Node)
WHERE file.snapshot = $snapshot AND target.kind <> "External" AND file.path <> target.path
RETURN target.path AS path, count(DISTINCT file.path) AS importers
ORDER BY importers DESC, path
LIMIT $limit
