// Forget files of a slot.
UNWIND $rows AS key
MATCH (p:HindsightPart {key: key}) DELETE p;
