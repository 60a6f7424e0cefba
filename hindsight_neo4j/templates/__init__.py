"""The catalogue of `cypher/`: loaded, checked, bound. Runs nothing itself."""
