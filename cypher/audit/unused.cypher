// Functions and classes that nothing is known to use: candidates for dead code, the surest first.
// params:  snapshot string whose nodes · limit int most rows
// returns: id, path, start_line, unknown (places that may call it after all: calls of that name without an edge)
// bound:   $limit rows; goes through the whole snapshot
// try:     :param snapshot => "demo"
//          :param limit => 100
MATCH (u:Node)
WHERE u.snapshot = $snapshot AND (u.unresolved > 0 OR u.id = ".")
WITH collect(" " + u.unresolved_names + " ") AS open
MATCH (n:Node)
WHERE n.snapshot = $snapshot AND n.kind IN ["Function", "Class"] AND NOT n.is_test
  AND NOT n.name STARTS WITH "__"
  AND NOT EXISTS { MATCH (n)<-[:INVOKES|REFERENCES|IMPORTS|INHERITS|OVERRIDES|TESTS]-(:Node) }
  AND NOT EXISTS { MATCH (n)-[:OVERRIDES]->(:Node) }
UNWIND open AS names
WITH n.id AS id, n.path AS path, n.start_line AS start_line,
     CASE WHEN names CONTAINS (" " + n.name + " ") THEN 1 ELSE 0 END AS calls
RETURN id, path, start_line, sum(calls) AS unknown
ORDER BY unknown, id
LIMIT $limit
