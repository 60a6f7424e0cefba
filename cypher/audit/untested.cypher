// Functions and methods that no test is known to reach, the ones that most others call first.
// params:  snapshot string whose nodes · limit int most rows
// returns: id, path, start_line, callers
// bound:   3 hops (a test, and up to 2 calls from what it tests), $limit rows; goes through the whole snapshot
// try:     :param snapshot => "demo"
//          :param limit => 20
MATCH (n:Node)
WHERE n.snapshot = $snapshot AND n.kind = "Function" AND NOT n.is_test
  AND NOT EXISTS { MATCH (n)<-[:TESTS]-(:Node) }
  AND NOT EXISTS { MATCH (n)<-[:INVOKES]-(:Node)<-[:TESTS]-(:Node) }
  AND NOT EXISTS { MATCH (n)<-[:INVOKES]-(:Node)<-[:INVOKES]-(:Node)<-[:TESTS]-(:Node) }
OPTIONAL MATCH (n)<-[:INVOKES]-(caller:Node)
RETURN n.id AS id, n.path AS path, n.start_line AS start_line, count(caller) AS callers
ORDER BY callers DESC, id
LIMIT $limit
