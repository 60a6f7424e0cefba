// Show readers a snapshot no more.
MATCH (s:HindsightSnapshot {name: $name}) DELETE s;
