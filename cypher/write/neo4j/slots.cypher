// The slots that belong to a snapshot, whoever fills them.
MATCH (c:HindsightSlot {name: $name}) RETURN c.slot AS slot, c.owner AS owner ORDER BY slot;
