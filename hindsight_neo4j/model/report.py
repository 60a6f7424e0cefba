"""What an ingest did, as data."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Skipped:
    """A path that was not read. `reason` is from a short closed list, `flag` the option that would admit it."""

    path: str
    reason: str
    flag: str = ""


@dataclass(frozen=True, slots=True)
class ParseProblem:
    """A file parsed with errors, and its first one."""

    path: str
    line: int
    message: str
    count: int


@dataclass(frozen=True, slots=True)
class IngestReport:
    """A true summary of one ingest. Node and edge counts are those that the graph store itself counted.

    `unchanged` means that the tree equals the index, and nothing was written.
    """

    snapshot: str
    root: str
    index: str
    unchanged: bool
    files: int
    lines: int
    extracted: int  # files whose facts were made in this run; the others came from the cache
    skipped: tuple[Skipped, ...]
    problems: tuple[ParseProblem, ...]
    nodes: dict[str, int]  # by kind
    edges: dict[str, int]  # by kind
    chunks: int
    unresolved_calls: int
    seconds: float
    stage_seconds: dict[str, float]
    index_bytes: int
    notes: tuple[str, ...] = ()  # what came of each piece of evidence

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data, ready for JSON."""
        return asdict(self)
