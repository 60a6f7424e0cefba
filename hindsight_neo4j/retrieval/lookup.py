"""Lookups: what stands in some relation to one symbol. Each resolves a name and walks the graph from there.

callers(sources, "Store.put").items[0].lines
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import msgspec

from hindsight_neo4j.model.graph import EdgeKind, How, Node, NodeKind, Tier
from hindsight_neo4j.model.lookup import Lookup, Related
from hindsight_neo4j.model.question import Hop
from hindsight_neo4j.model.template import Params
from hindsight_neo4j.retrieval.frontier import Reached, StepRule, walk
from hindsight_neo4j.retrieval.occurrences import DEFINITION, USES, occurrences
from hindsight_neo4j.retrieval.state import Sources
from hindsight_neo4j.retrieval.symbol import node, resolve

LEAST_CONFIDENCE: Final = 0.5
"""Edges less sure than this are guesses among many, and are left out unless asked for."""

IMPACT_HOPS: Final = 3
TEST_HOPS: Final = 4
"""A test, a fixture between it and the code, and two calls from there."""

PATH_HOPS: Final = 6
"""Longest path looked for; a longer one explains nothing."""

MOST_PER_KIND: Final = 200
"""Nodes that one hop of `impact` or `tests` may add for each kind of edge, the surest first."""

_MOST_BASES = 8  # methods that override each other in a row
_MOST_PARTS = 500  # members that count as part of what was asked about
_DEEPEST = 12  # levels of parts
_UNRESOLVED_ROWS = 1_000

_IN_TEXT = (NodeKind.CLASS, NodeKind.FUNCTION, NodeKind.EXTERNAL)
_DEPENDENTS = (
    EdgeKind.INVOKES,
    EdgeKind.IMPORTS,
    EdgeKind.INHERITS,
    EdgeKind.OVERRIDES,
    EdgeKind.REFERENCES,
)
_NEVER_DISPATCHED = (How.SUPER, How.NEW)  # these calls mean the very method they name


def callers(sources: Sources, name: str, *, min_confidence: float = LEAST_CONFIDENCE) -> Lookup:
    """Return who calls `name`: directly, or through a method that it overrides (tier `override`).

    Raises:
        SymbolError: The name is unknown or ambiguous. So do all lookups.
    """
    symbol = resolve(sources, name)
    found = _walked(
        sources,
        [symbol.id],
        (
            StepRule("step/in", (EdgeKind.INVOKES,), expands=False),
            StepRule("step/out", (EdgeKind.OVERRIDES,)),
        ),
        hops=1 + _MOST_BASES,
        min_confidence=min_confidence,
    )
    calls = (_related(each) for each in found if each.hops[-1].kind == EdgeKind.INVOKES)
    items = [
        call if call.hops == 1 else _dispatched(call)
        for call in calls
        if call.hops == 1 or call.how not in _NEVER_DISPATCHED
    ]
    return _lookup("callers", sources, symbol, items, _undecided(sources, symbol))


def callees(sources: Sources, name: str, *, min_confidence: float = LEAST_CONFIDENCE) -> Lookup:
    """Return what `name` calls. `unresolved` counts its own calls that no edge stands for."""
    symbol = resolve(sources, name)
    rule = StepRule("step/out", (EdgeKind.INVOKES,))
    found = _walked(sources, [symbol.id], (rule,), hops=1, min_confidence=min_confidence)
    return _lookup("callees", sources, symbol, map(_related, found), symbol.unresolved)


def members(sources: Sources, name: str) -> Lookup:
    """Return what the directory, file, class or function `name` holds, in the order of the source."""
    symbol = resolve(sources, name)
    found = _walked(sources, [symbol.id], (StepRule("step/children"),), hops=1)
    items = sorted(map(_related, found), key=lambda item: (item.path, item.start_line, item.id))
    return _lookup("members", sources, symbol, items, 0)


def references(sources: Sources, name: str, *, min_confidence: float = LEAST_CONFIDENCE) -> Lookup:
    """Return the definition of `name` and every use of it: an item for each edge, then the places without one.

    At the last the name stands in the text, and nothing says whether it is this symbol: a call that could not be
    resolved, a string, a comment.
    """
    symbol = resolve(sources, name)
    uses = [
        _related(each)
        for kind in USES
        for each in _walked(
            sources,
            [symbol.id],
            (StepRule("step/in", (kind,)),),
            hops=1,
            min_confidence=min_confidence,
        )
    ]
    found = occurrences(sources, symbol, uses) if symbol.kind in _IN_TEXT else []
    defined = [item for item in found if item.edge == DEFINITION]
    mentioned = [item for item in found if item.edge != DEFINITION]
    return _lookup("references", sources, symbol, [*defined, *uses, *mentioned], 0)


def tests(
    sources: Sources,
    name: str,
    *,
    min_confidence: float = LEAST_CONFIDENCE,  # noqa: PT028 - a lookup, not a test
) -> Lookup:
    """Return the tests that exercise `name` or a part of it: those linked to it, surest first, then those further off.

    What is linked is given however unsure, since it is the best that is known. A test that is linked to something
    between only because it speaks of that says nothing about `name`.
    """
    to_test = StepRule("step/in", (EdgeKind.TESTS,), expands=False)
    to_caller = StepRule("step/in", (EdgeKind.INVOKES,), cap=MOST_PER_KIND)
    symbol, parts = _with_parts(sources, name)
    linked = sorted(_around(sources, parts, (to_test,), 1, 0.0), key=_surest)
    further = _around(sources, parts, (to_test, to_caller), TEST_HOPS, min_confidence)
    known = {each.id for each in linked}
    items = [_related(each) for each in linked]
    items += [
        _related(each)
        for each in further
        if each.hops[-1].kind == EdgeKind.TESTS
        and each.hops[-1].how != How.TOPIC
        and each.id not in known
    ]
    return _lookup("tests", sources, symbol, items, _undecided(sources, symbol))


def impact(sources: Sources, name: str, *, min_confidence: float = LEAST_CONFIDENCE) -> Lookup:
    """Return what may break when `name` or a part of it changes, nearest first."""
    rules = (StepRule("step/in", _DEPENDENTS, cap=MOST_PER_KIND),)
    symbol, parts = _with_parts(sources, name)
    found = _around(sources, parts, rules, IMPACT_HOPS, min_confidence)
    return _lookup("impact", sources, symbol, map(_related, found), _undecided(sources, symbol))


def path(
    sources: Sources, source: str, target: str, *, min_confidence: float = LEAST_CONFIDENCE
) -> Lookup:
    """Return a shortest way along the edges from `source` to `target`, an item for each node on it.

    Where there is none, the way back from `target` to `source` is given, and `reason` says so. Of several shortest ways
    it is the surest.
    """
    first, last = resolve(sources, source), resolve(sources, target)
    if first == last:
        return Lookup("path", first.id, sources.title, (), 0, "both are the same symbol")
    for start, end in ((first, last), (last, first)):
        if hops := _shortest(sources, start.id, end.id, min_confidence):
            reason = "" if start is first else f"{first.id} does not lead to {last.id}, but back"
            return Lookup("path", start.id, sources.title, _stations(sources, hops), 0, reason)
    reason = f"no way of at most {PATH_HOPS} edges to or from {last.id}"
    return Lookup("path", first.id, sources.title, (), 0, reason)


def _walked(
    sources: Sources,
    seeds: Sequence[str],
    rules: Sequence[StepRule],
    *,
    hops: int,
    min_confidence: float = 0.0,
) -> tuple[Reached, ...]:
    return walk(
        sources.graph,
        sources.catalogue,
        sources.snapshot,
        seeds,
        steps=rules,
        max_hops=hops,
        min_confidence=min_confidence,
    ).reached


def _with_parts(sources: Sources, name: str) -> tuple[Node, Mapping[str, tuple[Hop, ...]]]:
    """Return the symbol and the ids of itself and all its parts, each with the way from the symbol to it."""
    symbol = resolve(sources, name)
    inside = _walked(
        sources, [symbol.id], (StepRule("step/children", cap=_MOST_PARTS),), hops=_DEEPEST
    )
    return symbol, {symbol.id: (), **{part.id: part.hops for part in inside}}


def _around(
    sources: Sources,
    parts: Mapping[str, tuple[Hop, ...]],
    rules: Sequence[StepRule],
    hops: int,
    min_confidence: float,
) -> list[Reached]:
    """Walk from the `parts` of a symbol; each node found starts its hops at the symbol itself."""
    found = _walked(sources, list(parts), rules, hops=hops, min_confidence=min_confidence)
    return [msgspec.structs.replace(each, hops=(*parts[each.seed], *each.hops)) for each in found]


def _surest(reached: Reached) -> tuple[float, str]:
    return (-reached.hops[-1].confidence, reached.id)


def _shortest(sources: Sources, start: str, end: str, min_confidence: float) -> tuple[Hop, ...]:
    """Return the edges from `start` to `end`, searched from both ends at once; none when there is no way."""
    ahead: dict[str, tuple[Hop, ...]] = {start: ()}
    behind: dict[str, tuple[Hop, ...]] = {end: ()}
    for length in range(1, PATH_HOPS + 1):
        if length % 2:
            ahead = _within(sources, start, "step/out", (length + 1) // 2, min_confidence)
        else:
            behind = _within(sources, end, "step/in", length // 2, min_confidence)
        if meeting := ahead.keys() & behind.keys():
            ways = [(*ahead[one], *_turned(behind[one])) for one in meeting]
            return min(ways, key=_doubt)
    return ()


def _within(
    sources: Sources, start: str, template: str, hops: int, min_confidence: float
) -> dict[str, tuple[Hop, ...]]:
    found = _walked(
        sources, [start], (StepRule(template),), hops=hops, min_confidence=min_confidence
    )
    return {start: (), **{each.id: each.hops for each in found}}


def _turned(hops: Sequence[Hop]) -> list[Hop]:
    """Return edges walked from their ends as if walked from their starts."""
    return [replace(hop, forward=not hop.forward) for hop in reversed(hops)]


def _doubt(hops: Sequence[Hop]) -> tuple[float, tuple[str, ...]]:
    return (-min((hop.confidence for hop in hops), default=1.0), tuple(hop.dst for hop in hops))


def _stations(sources: Sources, hops: Sequence[Hop]) -> tuple[Related, ...]:
    """Return the nodes that a way passes, each with the part of the way up to it."""
    ids = [hop.dst for hop in hops]
    rows, _ = sources.run("lookup", "lookup/nodes", {"snapshot": sources.snapshot, "ids": ids})
    nodes = {str(row["id"]): node(row) for row in rows}
    return tuple(_station(nodes[hop.dst], hops[: at + 1]) for at, hop in enumerate(hops))


def _station(reached: Node, hops: Sequence[Hop]) -> Related:
    last = hops[-1]
    return Related(
        id=reached.id,
        kind=reached.kind,
        path=reached.path,
        start_line=reached.start_line,
        end_line=reached.end_line,
        signature=reached.signature,
        is_test=reached.is_test,
        hops=len(hops),
        edge=last.kind,
        line_path=last.path,
        lines=(last.line,) if last.line else (),
        how=last.how,
        tier=last.tier,
        confidence=min(hop.confidence for hop in hops),
        via=tuple(hops),
    )


def _related(reached: Reached) -> Related:
    last = reached.hops[-1]
    return Related(
        id=reached.id,
        kind=reached.kind,
        path=reached.path,
        start_line=reached.start_line,
        end_line=reached.end_line,
        signature=reached.signature,
        is_test=reached.is_test,
        hops=reached.distance,
        edge=last.kind,
        line_path=reached.line_path,
        lines=reached.lines,
        how=last.how,
        tier=last.tier,
        confidence=reached.confidence,
        via=reached.hops,
    )


def _dispatched(call: Related) -> Related:
    """Return a call of a base method as what it is to the method asked about: one that may reach it, just sure enough."""
    confidence = min(call.confidence, LEAST_CONFIDENCE)
    return replace(call, tier=Tier.OVERRIDE, confidence=confidence)


def _undecided(sources: Sources, symbol: Node) -> int:
    """Return how many functions and files hold a call of the symbol's name that no edge stands for."""
    params: Params = {
        "snapshot": sources.snapshot,
        "name": symbol.name,
        "limit": _UNRESOLVED_ROWS,
    }
    rows, _ = sources.run("lookup", "lookup/unresolved_callers", params)
    return len(rows)


_EMPTY = {
    "callers": "nothing is known to call it",
    "callees": "it is not known to call anything",
    "members": "it holds nothing",
    "references": "its name stands nowhere",
    "tests": "no test is known to reach it",
    "impact": "nothing is known to depend on it",
}


def _lookup(
    command: str, sources: Sources, symbol: Node, items: Iterable[Related], unresolved: int
) -> Lookup:
    found = tuple(items)
    reason = "" if found else _EMPTY[command]
    return Lookup(command, symbol.id, sources.title, found, unresolved, reason)
