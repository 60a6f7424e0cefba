"""What an index holds, and whether an installation is sound."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from hindsight_neo4j.model.exchange import Usage


@dataclass(frozen=True, slots=True)
class Status:
    """What one snapshot of an index holds. Counts are the database's own, by kind."""

    snapshot: str
    root: str
    index: str
    created: str
    version: str
    nodes: dict[str, int]
    edges: dict[str, int]
    chunks: int
    index_bytes: int
    models: dict[str, Usage]  # what each model has taken so far

    def to_dict(self) -> dict[str, Any]:
        """Return the documented `status --json` object (docs/cli.md)."""
        return {"schema": 1, **asdict(self)}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that `doctor` looked at. `said` is one line; `exit_code` is 0 where all is well."""

    name: str
    said: str
    exit_code: int = 0

    @property
    def ok(self) -> bool:
        """Whether all is well."""
        return self.exit_code == 0

    def to_dict(self) -> dict[str, Any]:
        """Return the check as plain data, ready for JSON."""
        return {"name": self.name, "ok": self.ok, "said": self.said}
