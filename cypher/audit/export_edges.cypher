// All edges of a snapshot, page by page in the order of source, kind and target.
// params:  snapshot string · src string and
//          · kind string and
//          · dst string those of the last edge of the page before, empty for the first page · limit int most rows
// returns: kind, src, dst, lines, tier, confidence, how
// bound:   $limit rows
// try:     :param snapshot => "demo"
//          :param src => ""
//          :param kind => ""
//          :param dst => ""
//          :param limit => 100
MATCH (a:Node)-[r:CONTAINS|IMPORTS|INVOKES|INHERITS|OVERRIDES|REFERENCES|TESTS]->(b:Node)
WHERE a.snapshot = $snapshot
  AND (a.id > $src OR (a.id = $src AND (r.kind > $kind OR (r.kind = $kind AND b.id > $dst))))
RETURN r.kind AS kind, a.id AS src, b.id AS dst, r.lines AS lines, r.tier AS tier,
       r.confidence AS confidence, r.how AS how
ORDER BY src, kind, dst
LIMIT $limit
