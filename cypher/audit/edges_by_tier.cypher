// How the edges of a snapshot were found: how many of each kind and tier, and how sure they are.
// params:  snapshot string whose nodes
// returns: edge, tier, edges, confidence (mean of millionths)
// bound:   a row for each kind and tier
// try:     :param snapshot => "demo"
MATCH (a:Node)-[r:CONTAINS|IMPORTS|INVOKES|INHERITS|OVERRIDES|REFERENCES|TESTS]->(:Node)
WHERE a.snapshot = $snapshot
RETURN r.kind AS edge, r.tier AS tier, count(*) AS edges,
       sum(round(r.confidence * 1000000, 0)) / count(*) / 1000000 AS confidence
ORDER BY edge, tier
