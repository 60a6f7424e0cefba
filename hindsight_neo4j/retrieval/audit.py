"""How far the edges of a snapshot can be trusted: `audit_edges(sources).unresolved_share`."""

from __future__ import annotations

from collections import Counter
from typing import Final

from hindsight_neo4j.model.audit import DirectoryCount, EdgeAudit, NameCount, TierCount
from hindsight_neo4j.model.template import Row, Value, number, whole
from hindsight_neo4j.retrieval.state import Sources

MOST_NAMES: Final = 20
MOST_ROWS: Final = 1_000_000
"""Rows of one template: functions with an open call, at most as many as the snapshot has nodes."""

AMBIGUOUS: Final = 0.65
"""Of edges no surer than this a third or more were wrong where runs were recorded (docs/benchmarks.md)."""


def audit_edges(sources: Sources) -> EdgeAudit:
    """Count what is resolved and what is not. Goes through the whole snapshot: seconds in a large one."""
    tiers = _rows(sources, "audit/edges_by_tier")
    left_open = _rows(sources, "audit/unresolved_by_file", limit=MOST_ROWS)
    doubtful = _rows(
        sources,
        "audit/ambiguous_names",
        max_confidence=AMBIGUOUS,
        limit=MOST_NAMES,
    )
    resolved: Counter[str] = Counter()
    for row in _rows(sources, "audit/resolved_by_file"):
        resolved[_directory(str(row["path"]))] += whole(row["sites"])
    unresolved: Counter[str] = Counter()
    names: Counter[str] = Counter()
    for row in left_open:
        unresolved[_directory(str(row["path"]))] += whole(row["unresolved"])
        names.update(str(row["unresolved_names"]).split())
    return EdgeAudit(
        snapshot=sources.title,
        resolved=resolved.total(),
        unresolved=unresolved.total(),
        tiers=tuple(map(_tier, tiers)),
        open_names=tuple(
            NameCount(name, callers, 0)
            for name, callers in sorted(names.items(), key=lambda item: (-item[1], item[0]))
        )[:MOST_NAMES],
        ambiguous_names=tuple(
            NameCount(str(row["name"]), whole(row["edges"]), whole(row["targets"]))
            for row in doubtful
        ),
        directories=tuple(
            DirectoryCount(path, resolved[path], unresolved[path])
            for path in sorted({*resolved, *unresolved}, key=lambda path: (-unresolved[path], path))
        ),
    )


def _rows(sources: Sources, name: str, **params: Value) -> list[Row]:
    template = sources.catalogue.get(name)
    return sources.graph.run(template, {"snapshot": sources.snapshot, **params}, row_cap=MOST_ROWS)


def _tier(row: Row) -> TierCount:
    mean = round(number(row["confidence"]), 3)
    return TierCount(str(row["edge"]), str(row["tier"]), whole(row["edges"]), mean)


def _directory(path: str) -> str:
    return path.rpartition("/")[0] or "."
