// Where the graph knows least: the functions and files with most calls that no edge stands for.
// params:  snapshot string whose nodes · limit int most rows
// returns: id, path, start_line, unresolved, unresolved_names
// bound:   $limit rows; goes through the whole snapshot
// try:     :param snapshot => "demo"
//          :param limit => 20
MATCH (n:Node)
WHERE n.snapshot = $snapshot AND n.unresolved > 0
RETURN n.id AS id, n.path AS path, n.start_line AS start_line, n.unresolved AS unresolved,
       n.unresolved_names AS unresolved_names
ORDER BY unresolved DESC, id
LIMIT $limit
