// How many nodes of each kind a snapshot has.
// params:  snapshot string
// returns: kind, nodes
// bound:   one row for each kind of node
// try:     :param snapshot => "demo"
MATCH (n:Node) WHERE n.snapshot = $snapshot
RETURN n.kind AS kind, count(*) AS nodes
ORDER BY kind;
