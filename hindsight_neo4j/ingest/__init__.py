"""The pipeline: walk, extract, chunk, link, write. `pipeline.ingest` is its one entry.

Nothing is imported here, for every worker process would import it too.
"""
