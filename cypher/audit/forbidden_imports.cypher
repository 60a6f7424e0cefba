// Imports that a layering rule forbids: of files below some paths, from other paths or from packages outside.
// params:  snapshot string whose nodes · importers list<string> beginnings of the paths that may not
//          · imported list<string> beginnings of the ids that they may not import, "ext:" before one from outside
//          · limit int most rows
// returns: src, dst, lines
// bound:   $limit rows; goes through all imports of the snapshot
// try:     :param snapshot => "demo"
//          :param importers => ["store/"]
//          :param imported => ["web/", "ext:flask"]
//          :param limit => 100
MATCH (a:Node)-[r:IMPORTS]->(b:Node)
WHERE a.snapshot = $snapshot
UNWIND $importers AS importer
WITH a, r, b, importer WHERE a.path STARTS WITH importer
UNWIND $imported AS target
WITH a, r, b, target WHERE b.id STARTS WITH target
RETURN DISTINCT a.id AS src, b.id AS dst, r.lines AS lines
ORDER BY src, dst
LIMIT $limit
