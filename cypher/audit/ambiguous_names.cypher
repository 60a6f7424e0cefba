// Names that mean too much: called functions and classes with most edges that may as well lead elsewhere.
// params:  snapshot string whose nodes · max_confidence float most confidence of an edge that counts, 0 to 1
//          · limit int most rows
// returns: name, edges, targets (distinct symbols of that name)
// bound:   $limit rows; goes through all calls of the snapshot
// try:     :param snapshot => "demo"
//          :param max_confidence => 0.5
//          :param limit => 20
MATCH (a:Node)-[r:INVOKES]->(b:Node)
WHERE a.snapshot = $snapshot AND r.confidence <= $max_confidence
RETURN b.name AS name, count(*) AS edges, count(DISTINCT b.id) AS targets
ORDER BY edges DESC, name
LIMIT $limit
