// Whether the file holds anything.
MATCH (n:Node) RETURN n.key LIMIT 1;
