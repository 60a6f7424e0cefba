// Ids that more than one node of a snapshot has: always none in a sound index.
// params:  snapshot string whose nodes
// returns: id, nodes
// bound:   a row for each duplicate; goes through the whole snapshot
// try:     :param snapshot => "demo"
MATCH (n:Node)
WHERE n.snapshot = $snapshot
WITH n.id AS id, count(*) AS nodes WHERE nodes > 1
RETURN id, nodes
ORDER BY id
