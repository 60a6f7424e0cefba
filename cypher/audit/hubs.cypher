// Symbols that more than a few others use: what a change would touch most, and where a design hangs on one thing.
// params:  snapshot string whose nodes · more_than int users, in other files than the symbol's · limit int most rows
// returns: id, path, start_line, users (files that call, name, import or inherit from it)
// bound:   $limit rows; goes through the whole snapshot
// try:     :param snapshot => "demo"
//          :param more_than => 20
//          :param limit => 20
MATCH (n:Node)<-[:INVOKES|REFERENCES|IMPORTS|INHERITS]-(m:Node)
WHERE n.snapshot = $snapshot AND n.kind <> "External" AND m.path <> n.path
WITH n, count(DISTINCT m.path) AS users WHERE users > $more_than
RETURN n.id AS id, n.path AS path, n.start_line AS start_line, users
ORDER BY users DESC, id
LIMIT $limit
