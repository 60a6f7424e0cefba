// How much of each file's calls has an edge: call sites with one, by the file they stand in.
// params:  snapshot string whose nodes
// returns: path, edges, sites
// bound:   a row for each file that calls anything; goes through all calls of the snapshot
// try:     :param snapshot => "demo"
MATCH (a:Node)-[r:INVOKES]->(:Node)
WHERE a.snapshot = $snapshot
RETURN a.path AS path, count(*) AS edges, sum(size(r.lines)) AS sites
ORDER BY path
