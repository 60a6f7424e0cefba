// Calls that no edge stands for, by the function or file that holds them.
// params:  snapshot string whose nodes · limit int most rows
// returns: path, unresolved, unresolved_names
// bound:   $limit rows; goes through the whole snapshot
// try:     :param snapshot => "demo"
//          :param limit => 1000
MATCH (n:Node)
WHERE n.snapshot = $snapshot AND n.unresolved > 0
RETURN n.path AS path, n.unresolved AS unresolved, n.unresolved_names AS unresolved_names
ORDER BY unresolved DESC, path, unresolved_names
LIMIT $limit
