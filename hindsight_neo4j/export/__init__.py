"""A snapshot's graph in other forms: JSON Lines, and CSV for Neo4j's own bulk import."""
