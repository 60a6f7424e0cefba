// Nodes whose id or qualified name ends with a text, such as "Store.put" or "helpers.py:url_for".
// params:  snapshot string whose nodes · suffix string the end of the id · limit int most rows
// returns: id, kind, name, qualname, path, start_line, end_line, signature, doc, is_test, unresolved
// bound:   $limit rows
// try:     :param snapshot => "demo"
//          :param suffix => "Store.put"
//          :param limit => 50
MATCH (n:Node)
WHERE n.snapshot = $snapshot AND size($suffix) > 0
  AND (n.id ENDS WITH $suffix OR n.qualname ENDS WITH $suffix)
RETURN n.id AS id, n.kind AS kind, n.name AS name, n.qualname AS qualname, n.path AS path,
       n.start_line AS start_line, n.end_line AS end_line, n.signature AS signature,
       n.doc AS doc, n.is_test AS is_test, n.unresolved AS unresolved
ORDER BY id
LIMIT $limit
