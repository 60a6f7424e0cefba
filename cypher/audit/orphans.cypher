// Nodes that nothing holds, besides the root and externals: always none in a sound index.
// params:  snapshot string whose nodes · limit int most rows
// returns: id, kind
// bound:   $limit rows; goes through the whole snapshot
// try:     :param snapshot => "demo"
//          :param limit => 100
MATCH (n:Node)
WHERE n.snapshot = $snapshot AND n.kind <> "External" AND n.id <> "."
  AND NOT EXISTS { MATCH (:Node)-[:CONTAINS]->(n) }
RETURN n.id AS id, n.kind AS kind
ORDER BY id
LIMIT $limit
