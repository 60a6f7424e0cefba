// Change nodes. A definition may have become one of another kind.
UNWIND $rows AS row
MATCH (n:Node {key: row.key})
REMOVE n:Directory:File:Class:Function:External
SET n:$(row.kind), n = row;
