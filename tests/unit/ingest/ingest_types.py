"""Types of the fixtures in `conftest.py`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hindsight_neo4j.model.report import IngestReport

Write = Callable[[dict[str, str | bytes]], Path]
Ingest = Callable[..., IngestReport]
