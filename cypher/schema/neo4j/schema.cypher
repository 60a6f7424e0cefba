// Constraint and indexes of Neo4j. Each can be run again and again.
CREATE CONSTRAINT hindsight_key IF NOT EXISTS FOR (n:Node) REQUIRE n.key IS UNIQUE;
CREATE INDEX hindsight_id IF NOT EXISTS FOR (n:Node) ON (n.snapshot, n.id);
CREATE INDEX hindsight_path IF NOT EXISTS FOR (n:Node) ON (n.snapshot, n.path);
CREATE INDEX hindsight_name IF NOT EXISTS FOR (n:Node) ON (n.snapshot, n.name);
CALL db.awaitIndexes(300);
