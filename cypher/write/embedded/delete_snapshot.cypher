// Drop a snapshot whole.
MATCH (n:Node) WHERE n.snapshot = $snapshot DETACH DELETE n;
