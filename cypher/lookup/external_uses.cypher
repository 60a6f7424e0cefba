// Who uses an external package: every edge that leaves for one of its names.
// params:  snapshot string whose nodes · package string name of the package, such as "requests"
//          · limit int most rows
// returns: id, path, edge, lines, external
// bound:   $limit rows
// try:     :param snapshot => "demo"
//          :param package => "requests"
//          :param limit => 100
MATCH (n:Node)-[r:IMPORTS|INVOKES|INHERITS|REFERENCES]->(x:Node)
WHERE n.snapshot = $snapshot AND x.kind = "External"
  AND (x.id = ("ext:" + $package) OR x.id STARTS WITH ("ext:" + $package + "."))
RETURN n.id AS id, n.path AS path, r.kind AS edge, r.lines AS lines, x.id AS external
ORDER BY id, external, edge
LIMIT $limit
