// Nodes of some kinds: product code before tests, outer definitions before nested ones.
// params:  snapshot string whose nodes · kinds list<string> kinds wanted · limit int most rows
// returns: id, kind, name, path, start_line, end_line, signature, doc, is_test, unresolved
// bound:   $limit rows
// try:     :param snapshot => "demo"
//          :param kinds => ["Class"]
//          :param limit => 20
MATCH (n:Node)
WHERE n.snapshot = $snapshot AND n.kind IN $kinds
WITH n, CASE WHEN n.is_test THEN 1 ELSE 0 END AS in_test,
     CASE WHEN n.qualname CONTAINS '.' AND n.kind <> 'File' THEN 1 ELSE 0 END AS nested
RETURN n.id AS id, n.kind AS kind, n.name AS name, n.path AS path, n.start_line AS start_line,
       n.end_line AS end_line, n.signature AS signature, n.doc AS doc, n.is_test AS is_test,
       n.unresolved AS unresolved
ORDER BY in_test, nested, id
LIMIT $limit
