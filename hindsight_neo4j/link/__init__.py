"""Facts of all files to one graph. Pure, and knows no language by name."""
