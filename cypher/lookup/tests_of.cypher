// Which tests exercise a symbol, nearest first: by a call, through a fixture, or through functions between.
// params:  snapshot string whose nodes · id string symbol asked about · limit int most rows
// returns: id, path, start_line, end_line, hops
// bound:   3 hops (a test, and up to 2 calls from what it tests), $limit rows
// try:     :param snapshot => "demo"
//          :param id => "db.py:Store.put"
//          :param limit => 100
MATCH p = (a:Node)<-[:INVOKES*0..2]-(tested:Node)<-[:TESTS]-(test:Node)
WHERE a.snapshot = $snapshot AND a.id = $id
RETURN test.id AS id, test.path AS path, test.start_line AS start_line, test.end_line AS end_line,
       min(length(p)) AS hops
ORDER BY hops, id
LIMIT $limit
