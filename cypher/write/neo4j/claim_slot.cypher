// Take a slot to write into, if nobody else has it.
MERGE (c:HindsightSlot {slot: $slot})
ON CREATE SET c.name = $name, c.owner = $owner
RETURN c.owner = $owner AND c.name = $name AS mine;
