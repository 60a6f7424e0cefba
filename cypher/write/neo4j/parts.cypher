// What each file of a slot comes to. An empty digest: it is being written.
MATCH (p:HindsightPart {slot: $slot}) RETURN p.path AS path, p.digest AS digest;
