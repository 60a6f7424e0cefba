// What version 1 of the schema is made of. Each statement can be run again and again.
// `Node` is the graph. `HindsightSnapshot` names each snapshot and says in which slot its nodes are, `HindsightSlot` who
// fills a slot, `HindsightPart` what a file of a slot comes to.
CREATE CONSTRAINT hindsight_schema IF NOT EXISTS FOR (v:HindsightSchema) REQUIRE v.name IS UNIQUE;
CREATE CONSTRAINT hindsight_snapshot IF NOT EXISTS FOR (s:HindsightSnapshot) REQUIRE s.name IS UNIQUE;
CREATE CONSTRAINT hindsight_slot IF NOT EXISTS FOR (c:HindsightSlot) REQUIRE c.slot IS UNIQUE;
CREATE CONSTRAINT hindsight_part IF NOT EXISTS FOR (p:HindsightPart) REQUIRE p.key IS UNIQUE;
CREATE CONSTRAINT hindsight_key IF NOT EXISTS FOR (n:Node) REQUIRE n.key IS UNIQUE;
CREATE INDEX hindsight_part_slot IF NOT EXISTS FOR (p:HindsightPart) ON (p.slot);
CREATE INDEX hindsight_id IF NOT EXISTS FOR (n:Node) ON (n.snapshot, n.id);
CREATE INDEX hindsight_path IF NOT EXISTS FOR (n:Node) ON (n.snapshot, n.path);
CREATE INDEX hindsight_name IF NOT EXISTS FOR (n:Node) ON (n.snapshot, n.name);
// For people who look around in Neo4j Browser; our own searches do not use it.
CREATE FULLTEXT INDEX hindsight_text IF NOT EXISTS FOR (n:Node) ON EACH [n.name, n.qualname, n.doc]
OPTIONS {indexConfig: {`fulltext.eventually_consistent`: true}};
CALL db.awaitIndexes(300);
