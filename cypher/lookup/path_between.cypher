// How one symbol leads to another in at most three edges, shortest first.
// params:  snapshot string whose nodes · source string id to start from · target string id to arrive at
//          · min_confidence float least confidence of an edge, 0 to 1 · limit int most rows of each length
// returns: hops, edge1, via1, edge2, via2, edge3 (empty where there are fewer)
// bound:   3 hops, $limit rows of each length
// try:     :param snapshot => "demo"
//          :param source => "app.py:main"
//          :param target => "db.py:Store.put"
//          :param min_confidence => 0.5
//          :param limit => 10
MATCH (a:Node)-[r1:INVOKES|IMPORTS|INHERITS|OVERRIDES|REFERENCES|CONTAINS]->(b:Node)
WHERE a.snapshot = $snapshot AND a.id = $source AND b.id = $target
  AND r1.confidence >= $min_confidence
RETURN 1 AS hops, r1.kind AS edge1, "" AS via1, "" AS edge2, "" AS via2, "" AS edge3
ORDER BY edge1
LIMIT $limit
UNION ALL
MATCH (a:Node)-[r1:INVOKES|IMPORTS|INHERITS|OVERRIDES|REFERENCES|CONTAINS]->(m:Node)
      -[r2:INVOKES|IMPORTS|INHERITS|OVERRIDES|REFERENCES|CONTAINS]->(b:Node)
WHERE a.snapshot = $snapshot AND a.id = $source AND b.id = $target
  AND r1.confidence >= $min_confidence AND r2.confidence >= $min_confidence
RETURN 2 AS hops, r1.kind AS edge1, m.id AS via1, r2.kind AS edge2, "" AS via2, "" AS edge3
ORDER BY via1, edge1, edge2
LIMIT $limit
UNION ALL
MATCH (a:Node)-[r1:INVOKES|IMPORTS|INHERITS|OVERRIDES|REFERENCES|CONTAINS]->(m:Node)
      -[r2:INVOKES|IMPORTS|INHERITS|OVERRIDES|REFERENCES|CONTAINS]->(n:Node)
      -[r3:INVOKES|IMPORTS|INHERITS|OVERRIDES|REFERENCES|CONTAINS]->(b:Node)
WHERE a.snapshot = $snapshot AND a.id = $source AND b.id = $target
  AND m.id <> a.id AND m.id <> b.id AND n.id <> a.id AND n.id <> b.id AND m.id <> n.id
  AND r1.confidence >= $min_confidence AND r2.confidence >= $min_confidence
  AND r3.confidence >= $min_confidence
RETURN 3 AS hops, r1.kind AS edge1, m.id AS via1, r2.kind AS edge2, n.id AS via2, r3.kind AS edge3
ORDER BY via1, via2, edge1, edge2, edge3
LIMIT $limit
