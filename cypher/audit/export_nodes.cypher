// All nodes of a snapshot, page by page in the order of their ids.
// params:  snapshot string · after string id of the last node of the page before, empty for the first page
//          · limit int most rows
// returns: id, kind, path, qualname, name, start_line, end_line, language, is_test, signature, doc, unresolved,
//          unresolved_names
// bound:   $limit rows
// try:     :param snapshot => "demo"
//          :param after => ""
//          :param limit => 100
MATCH (n:Node)
WHERE n.snapshot = $snapshot AND n.id > $after
RETURN n.id AS id, n.kind AS kind, n.path AS path, n.qualname AS qualname, n.name AS name,
       n.start_line AS start_line, n.end_line AS end_line, n.language AS language, n.is_test AS is_test,
       n.signature AS signature, n.doc AS doc, n.unresolved AS unresolved,
       n.unresolved_names AS unresolved_names
ORDER BY id
LIMIT $limit
