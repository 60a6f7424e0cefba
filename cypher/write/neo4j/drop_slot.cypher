// Drop what is in a slot, edges first: a node with very many would not fit into one transaction.
MATCH (:Node {snapshot: $slot})-[r]->()
CALL (r) { DELETE r } IN TRANSACTIONS OF $rows ROWS;
MATCH (n:Node {snapshot: $slot})
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF $rows ROWS;
MATCH (p:HindsightPart {slot: $slot})
CALL (p) { DELETE p } IN TRANSACTIONS OF $rows ROWS;
MATCH (c:HindsightSlot {slot: $slot}) DELETE c;
