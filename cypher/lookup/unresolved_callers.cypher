// Functions and files with a call that no edge stands for and that carries a name: perhaps callers of it.
// params:  snapshot string whose nodes · name string last part of the name called · limit int most rows
// returns: id, path, start_line, unresolved, unresolved_names
// bound:   $limit rows; a node keeps at most 20 such names
// try:     :param snapshot => "demo"
//          :param name => "put"
//          :param limit => 50
MATCH (n:Node)
WHERE n.snapshot = $snapshot AND n.unresolved > 0
  AND (" " + n.unresolved_names + " ") CONTAINS (" " + $name + " ")
RETURN n.id AS id, n.path AS path, n.start_line AS start_line, n.unresolved AS unresolved,
       n.unresolved_names AS unresolved_names
ORDER BY id
LIMIT $limit
