"""Edges while they are gathered: one per (kind, source, target), its surest resolution, all its lines."""

from __future__ import annotations

from operator import attrgetter, itemgetter

from hindsight_neo4j.languages.confidence import Confidences
from hindsight_neo4j.link.records import Gathered
from hindsight_neo4j.model.graph import Edge, EdgeKind, How, Tier

MAX_OVERRIDES = 6
"""Most targets of one call site that are possible overrides; more are `many`."""

CERTAIN = 1.0

_FIRST = itemgetter(0)
_DST = attrgetter("dst")

Place = int | str
"""A scope by number, or a directory or an external symbol by its id."""


class Edges:
    """The edges of one kind, growing."""

    def __init__(self, confidences: Confidences) -> None:
        self._confidences = confidences
        self.found: dict[Place, dict[Place, Gathered]] = {}
        """By source, then by target: one source's edges are noted one after the other, in a small table."""

    def add(
        self,
        src: Place,
        dst: Place,
        line: int,
        how: How,
        tier: Tier = Tier.DIRECT,
        confidence: float = 0.0,
    ) -> None:
        """Note that `src` leads to `dst` at `line` (0: no line); the first of equally sure resolutions stays."""
        confidence = confidence or self._confidences.of(tier, how)
        targets = self.found.get(src)
        if targets is None:
            targets = self.found[src] = {}
        found = targets.get(dst)
        if found is None:
            targets[dst] = Gathered(tier, confidence, how, (line,) if line else ())
            return
        if confidence > found.confidence:
            found.tier, found.confidence, found.how = tier, confidence, how
        if line:
            lines = found.lines
            if isinstance(lines, list):
                lines.append(line)
            else:
                found.lines = [*lines, line]

    def copy(self, src: Place, dst: Place, other: Gathered) -> None:
        """Note an edge where none is yet that is all that `other`, of another kind, is."""
        lines = other.lines if isinstance(other.lines, tuple) else [*other.lines]
        found = Gathered(other.tier, other.confidence, other.how, lines)
        self.found.setdefault(src, {})[dst] = found


class EdgeTable:
    """All edges of a snapshot."""

    def __init__(self, confidences: Confidences) -> None:
        self.confidences = confidences
        self._kinds = {kind: Edges(confidences) for kind in sorted(EdgeKind)}

    def of_kind(self, kind: EdgeKind) -> Edges:
        """Return the edges of `kind`."""
        return self._kinds[kind]

    def finished(self, ids: list[str]) -> tuple[Edge, ...]:
        """Return the edges, sorted by kind, source and target; `ids` has the id of each scope."""
        finished: list[Edge] = []
        for kind, edges in self._kinds.items():
            sources = [
                (src if isinstance(src, str) else ids[src], targets)
                for src, targets in edges.found.items()
            ]
            sources.sort(key=_FIRST)
            for src, targets in sources:
                leaving = [
                    Edge(
                        kind,
                        src,
                        dst if isinstance(dst, str) else ids[dst],
                        one.lines if isinstance(one.lines, tuple) else _ascending(one.lines),
                        one.tier,
                        one.confidence,
                        one.how,
                    )
                    for dst, one in targets.items()
                ]
                if len(leaving) > 1:
                    leaving.sort(key=_DST)
                finished += leaving
        return tuple(finished)


def _ascending(lines: list[int]) -> tuple[int, ...]:
    """Return `lines` in order, each once."""
    return tuple(sorted(set(lines)))
