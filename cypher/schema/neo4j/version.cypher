// Of which version the schema is; no row where there is none yet.
MATCH (v:HindsightSchema {name: "graph"}) RETURN v.version AS version;
