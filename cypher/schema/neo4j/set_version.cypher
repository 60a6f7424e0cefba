// Say of which version the schema is.
MERGE (v:HindsightSchema {name: "graph"}) SET v.version = $version;
