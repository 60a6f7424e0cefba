// Nodes by their exact names: the last part of a qualified name, or a file's name with its suffix.
// params:  snapshot string whose nodes · names list<string> names wanted · limit int most rows
// returns: id, kind, name, qualname, path, start_line, end_line, signature, doc, is_test, unresolved
// bound:   $limit rows
// try:     :param snapshot => "demo"
//          :param names => ["put", "Store"]
//          :param limit => 50
MATCH (named:Node)
WHERE named.snapshot = $snapshot AND named.name IN $names
// Found first and read by their keys then: in one go, the embedded engine scans every column for the names.
WITH named.key AS key
MATCH (n:Node {key: key})
RETURN n.id AS id, n.kind AS kind, n.name AS name, n.qualname AS qualname, n.path AS path,
       n.start_line AS start_line, n.end_line AS end_line, n.signature AS signature,
       n.doc AS doc, n.is_test AS is_test, n.unresolved AS unresolved
ORDER BY id
LIMIT $limit
