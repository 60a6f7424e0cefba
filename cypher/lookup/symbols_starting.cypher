// Classes, functions and externals whose names begin with a text, whatever the case: near misses of a name.
// params:  snapshot string whose nodes · prefix string beginning of the name, in lower case · limit int most rows
// returns: id, kind, name
// bound:   $limit rows
// try:     :param snapshot => "demo"
//          :param prefix => "sto"
//          :param limit => 50
MATCH (n:Node)
WHERE n.snapshot = $snapshot AND n.start_line > 0 AND size($prefix) > 0
  AND toLower(n.name) STARTS WITH $prefix
RETURN n.id AS id, n.kind AS kind, n.name AS name
ORDER BY id
LIMIT $limit
