"""Languages: what `ingest/languages/*.toml` says, and the only importer of tree-sitter."""
