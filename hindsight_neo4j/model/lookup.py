"""Results of lookups: what stands in some relation to a symbol."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from hindsight_neo4j.model.question import Hop


@dataclass(frozen=True, slots=True)
class Related:
    """A node related to the symbol asked about. `hops` is its distance; `via` the edges from the symbol to it.

    `lines` are the call sites or statements of the last edge, in the file `line_path`; `how`, `tier` and `confidence`
    are that edge's, except that `confidence` is the weakest hop's where there are several.
    """

    id: str
    kind: str
    path: str
    start_line: int
    end_line: int
    signature: str
    is_test: bool
    hops: int
    edge: str
    line_path: str
    lines: tuple[int, ...]
    how: str
    tier: str
    confidence: float
    via: tuple[Hop, ...]


@dataclass(frozen=True, slots=True)
class Lookup:
    """Answer to a lookup. `symbol` is the id that the name asked for was resolved to.

    `unresolved` counts the functions and files with a call that no edge stands for and that carries the symbol's name:
    places that may belong in the answer and could not be decided (for callees: the symbol's own calls without an edge).
    `reason` says why `items` is empty, or, for a path, that it leads the other way.
    """

    command: str
    symbol: str
    snapshot: str
    items: tuple[Related, ...]
    unresolved: int
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Return the documented JSON object (docs/cli.md)."""
        return {"schema": 1, **asdict(self)}
