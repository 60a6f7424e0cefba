// How many edges of each kind a snapshot has.
// params:  snapshot string
// returns: kind, edges
// bound:   one row for each kind of edge
// try:     :param snapshot => "demo"
MATCH (a:Node)-[r:CONTAINS|IMPORTS|INVOKES|INHERITS|OVERRIDES|REFERENCES|TESTS]->(:Node)
WHERE a.snapshot = $snapshot
RETURN r.kind AS kind, count(*) AS edges
ORDER BY kind;
