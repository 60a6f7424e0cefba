// The constraints and indexes that the database has, and which of them work. A constraint has an index of its name.
SHOW INDEXES YIELD name, state
WHERE name STARTS WITH "hindsight_"
RETURN name, state = "FAILED" AS failed
ORDER BY name;
