// Files and directories whose paths hold a text, shortest path first: a module by its name.
// params:  snapshot string whose nodes · part string part of the path · limit int most rows
// returns: id, kind, name
// bound:   $limit rows
// try:     :param snapshot => "demo"
//          :param part => "store/db"
//          :param limit => 50
MATCH (n:Node)
WHERE n.snapshot = $snapshot AND n.kind IN ["File", "Directory"] AND size($part) > 0
  AND n.id CONTAINS $part
RETURN n.id AS id, n.kind AS kind, n.name AS name
ORDER BY size(id), id
LIMIT $limit
