// No hop: the nodes themselves, by their keys.
// params:  keys list<string> "snapshot|id" of each node wanted
// returns: id, kind, name, path, start_line, end_line, signature, doc, is_test, unresolved,
//          unresolved_names
// bound:   one row for each key that is there
// try:     :param keys => ["demo|db.py:Store.put"]
UNWIND $keys AS wanted
MATCH (a:Node {key: wanted})
RETURN a.id AS id, a.kind AS kind, a.name AS name, a.path AS path, a.start_line AS start_line,
       a.end_line AS end_line, a.signature AS signature, a.doc AS doc, a.is_test AS is_test,
       a.unresolved AS unresolved, a.unresolved_names AS unresolved_names
ORDER BY id
