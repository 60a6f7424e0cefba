"""The pipeline: walk, extract, link, chunk, write."""
