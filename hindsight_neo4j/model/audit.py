"""How far the edges of a snapshot can be trusted, counted."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TierCount:
    """Edges of one kind that were found in one way. `confidence` is their mean."""

    edge: str
    tier: str
    edges: int
    confidence: float


@dataclass(frozen=True, slots=True)
class NameCount:
    """A name, and how many calls of it are left open (`unresolved`) or may mean one of several `targets`."""

    name: str
    callers: int
    targets: int


@dataclass(frozen=True, slots=True)
class DirectoryCount:
    """Call sites in the files right inside a directory, by whether an edge stands for them."""

    path: str
    resolved: int
    unresolved: int

    @property
    def unresolved_share(self) -> float:
        """The share of call sites that no edge stands for, 0 to 1."""
        return share(self.unresolved, self.resolved)


@dataclass(frozen=True, slots=True)
class EdgeAudit:
    """An audit of the edges of one snapshot. Sites are (caller, callee, line): one with two targets counts twice.

    `open_names` are the names of most unresolved calls, `ambiguous_names` those of most calls with an edge that is no
    surer than a possible override. `directories` come with most unresolved first.
    """

    snapshot: str
    resolved: int
    unresolved: int
    tiers: tuple[TierCount, ...]
    open_names: tuple[NameCount, ...]
    ambiguous_names: tuple[NameCount, ...]
    directories: tuple[DirectoryCount, ...]

    @property
    def unresolved_share(self) -> float:
        """The share of call sites that no edge stands for, 0 to 1."""
        return share(self.unresolved, self.resolved)

    def to_dict(self) -> dict[str, Any]:
        """Return the documented `audit edges --json` object (docs/cli.md)."""
        return {"schema": 1, "unresolved_share": round(self.unresolved_share, 4), **asdict(self)}


def share(part: int, other: int) -> float:
    """Return `part` of the sum of both, 0 where there is nothing."""
    return part / (part + other) if part + other else 0.0
