// What the import tool cannot write: an empty list, which it leaves out.
MATCH (:Node {snapshot: $slot})-[r]->(:Node)
WHERE r.lines IS NULL
CALL (r) { SET r.lines = [] } IN TRANSACTIONS OF 5000 ROWS;
