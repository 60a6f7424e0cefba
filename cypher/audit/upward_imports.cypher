// Imports between parts of a repository that its architecture does not allow.
// params:  snapshot string whose nodes · rooms list<string> the parts, as beginnings of paths, none inside another
//          · allowed list<string> pairs of them, each as "importer > imported" · limit int most rows
// returns: source, target, src, dst, lines
// bound:   $limit rows; goes through all imports of the snapshot
// try:     :param snapshot => "demo"
//          :param rooms => ["web/", "store/"]
//          :param allowed => ["web/ > store/"]
//          :param limit => 100
MATCH (a:Node)-[r:IMPORTS]->(b:Node)
WHERE a.snapshot = $snapshot AND b.kind <> "External" AND a.path <> b.path
UNWIND $rooms AS source
WITH a, r, b, source WHERE a.path STARTS WITH source
UNWIND $rooms AS target
WITH a, r, b, source, target
WHERE b.path STARTS WITH target AND source <> target
  AND NOT (source + " > " + target) IN $allowed
RETURN source, target, a.id AS src, b.id AS dst, r.lines AS lines
ORDER BY source, target, src, dst
LIMIT $limit
