"""The pipeline: walk, extract, chunk, link, write. `ingest` is its one entry."""

from __future__ import annotations

from hindsight_neo4j.ingest.pipeline import ingest
from hindsight_neo4j.ingest.progress import Progress, Silent

__all__ = ["Progress", "Silent", "ingest"]
