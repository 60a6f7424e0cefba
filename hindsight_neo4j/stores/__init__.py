"""Where graphs and chunks are kept: one module per engine, each behind a protocol."""
