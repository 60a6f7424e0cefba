// Files that import one another in a circle of two, three or four, each circle once, the shortest first.
// params:  snapshot string whose nodes · limit int most rows of each length
// returns: files (how many), first, second, third, fourth (empty where there are fewer)
// bound:   4 imports, $limit rows of each length; goes through all imports of the snapshot
// try:     :param snapshot => "demo"
//          :param limit => 100
MATCH (a:Node)-[:IMPORTS]->(b:Node)
WHERE a.snapshot = $snapshot AND b.kind <> "External" AND a.path < b.path
WITH DISTINCT a.path AS first, b.path AS second
MATCH (c:Node {key: $snapshot + "|" + second})-[:IMPORTS]->(d:Node)
WHERE d.path = first
RETURN DISTINCT 2 AS files, first, second, "" AS third, "" AS fourth
ORDER BY first, second
LIMIT $limit
UNION ALL
MATCH (a:Node)-[:IMPORTS]->(b:Node)
WHERE a.snapshot = $snapshot AND b.kind <> "External" AND a.path < b.path
WITH DISTINCT a.path AS first, b.path AS second
MATCH (c:Node {key: $snapshot + "|" + second})-[:IMPORTS]->(d:Node)
WHERE d.kind <> "External" AND first < d.path AND d.path <> second
WITH DISTINCT first, second, d.path AS third
MATCH (e:Node {key: $snapshot + "|" + third})-[:IMPORTS]->(f:Node)
WHERE f.path = first
RETURN DISTINCT 3 AS files, first, second, third, "" AS fourth
ORDER BY first, second, third
LIMIT $limit
UNION ALL
MATCH (a:Node)-[:IMPORTS]->(b:Node)
WHERE a.snapshot = $snapshot AND b.kind <> "External" AND a.path < b.path
WITH DISTINCT a.path AS first, b.path AS second
MATCH (c:Node {key: $snapshot + "|" + second})-[:IMPORTS]->(d:Node)
WHERE d.kind <> "External" AND first < d.path AND d.path <> second
WITH DISTINCT first, second, d.path AS third
MATCH (e:Node {key: $snapshot + "|" + third})-[:IMPORTS]->(f:Node)
WHERE f.kind <> "External" AND first < f.path AND f.path <> second AND f.path <> third
WITH DISTINCT first, second, third, f.path AS fourth
MATCH (g:Node {key: $snapshot + "|" + fourth})-[:IMPORTS]->(h:Node)
WHERE h.path = first
RETURN DISTINCT 4 AS files, first, second, third, fourth
ORDER BY first, second, third, fourth
LIMIT $limit
