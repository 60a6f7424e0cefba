// Slots that no reader is shown: half-written, or left behind.
MATCH (c:HindsightSlot)
WHERE NOT EXISTS { MATCH (s:HindsightSnapshot) WHERE s.slot = c.slot }
RETURN c.slot AS slot, c.owner AS owner
ORDER BY slot;
