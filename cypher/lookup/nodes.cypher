// Nodes by their ids, with all that is known of them.
// params:  snapshot string whose nodes · ids list<string> nodes wanted
// returns: id, kind, name, qualname, path, start_line, end_line, language, signature, doc, is_test,
//          unresolved, unresolved_names
// bound:   a row for each id that exists
// try:     :param snapshot => "demo"
//          :param ids => ["db.py:Store.put"]
UNWIND $ids AS wanted
WITH $snapshot + "|" + wanted AS key
MATCH (n:Node {key: key})
RETURN n.id AS id, n.kind AS kind, n.name AS name, n.qualname AS qualname, n.path AS path,
       n.start_line AS start_line, n.end_line AS end_line, n.language AS language,
       n.signature AS signature, n.doc AS doc, n.is_test AS is_test,
       n.unresolved AS unresolved, n.unresolved_names AS unresolved_names
ORDER BY id
