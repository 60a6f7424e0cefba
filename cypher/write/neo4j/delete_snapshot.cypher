// Drop a snapshot whole, edges first: a node with very many would not fit into one transaction.
MATCH (:Node {snapshot: $snapshot})-[r]->()
CALL (r) { DELETE r } IN TRANSACTIONS OF 5000 ROWS;
MATCH (n:Node {snapshot: $snapshot})
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS;
