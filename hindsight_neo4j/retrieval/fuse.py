"""Fuse: one ranking per grain (files, modules, classes, functions) from everything that speaks for a node."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from hindsight_neo4j.model.graph import NodeKind
from hindsight_neo4j.model.question import Candidate, Hop
from hindsight_neo4j.retrieval.place import around, place_of_chunks, place_of_reached, place_of_row
from hindsight_neo4j.retrieval.reason import Reasons
from hindsight_neo4j.retrieval.rerank import rerank
from hindsight_neo4j.retrieval.score import (
    WEIGHTS,
    Parts,
    Ranked,
    group_parts,
    regraphed,
    shares_of_files,
    symbol_parts,
    total,
    without_tests,
)
from hindsight_neo4j.retrieval.state import Place, RetrievalState
from hindsight_neo4j.retrieval.wording import asks_about_tests

NOTHING_FOUND = (
    "no word of the question occurs in this snapshot, and it names no symbol or file of it"
)

_LOOKED_AT = 2
"""Times the limit: how many of each grain are read from the graph, since some turn out to be of another kind."""

_ANY_KIND = (NodeKind.FILE, NodeKind.CLASS, NodeKind.FUNCTION)


def fuse(state: RetrievalState) -> RetrievalState:
    """Fill the rankings, or `reason` when there is nothing to rank."""
    known = _known_places(state)
    if state.policy is not None and state.policy.learned:
        ranked = rerank(state)
    else:
        ranked = _rank(state, known)
    if not ranked.files:
        return replace(state, reason=NOTHING_FOUND)
    state, read = _read(state, _to_read(ranked, known, state.options.limit))
    make = _Maker({**known.chunks, **known.rows, **read}, _ways(state), Reasons.of(state))
    limit = state.options.limit
    return replace(
        state,
        files=make.candidates(ranked.files, (NodeKind.FILE,), limit),
        modules=make.candidates(ranked.modules, (NodeKind.CLASS, NodeKind.FUNCTION), limit),
        classes=make.candidates(ranked.classes, (NodeKind.CLASS,), limit),
        functions=make.candidates(ranked.functions, (NodeKind.FUNCTION,), limit),
        pieces=make.candidates(ranked.pieces, _ANY_KIND, state.options.pieces),
    )


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes candidates of ranked ids."""

    places: Mapping[str, Place]
    ways: Mapping[str, tuple[Hop, ...]]
    reasons: Reasons

    def candidates(
        self, ranking: list[tuple[str, Parts]], kinds: tuple[NodeKind, ...], limit: int
    ) -> tuple[Candidate, ...]:
        """Return the first `limit` of those kinds, in order."""
        made: list[Candidate] = []
        for node, parts in ranking:
            place = self.places.get(node)
            if len(made) < limit and place is not None and place.kind in kinds:
                hops = self.ways.get(node, ())
                made.append(candidate(place, parts, hops, self.reasons.why(place, parts, hops)))
        return tuple(made)


# --- ranking --------------------------------------------------------------------------------------


def _rank(state: RetrievalState, known: _Known) -> Ranked:
    answers = _named_and_reached(state)
    own = {
        node: parts
        for node, parts in symbol_parts(state).items()
        if known.kind(node) not in (NodeKind.DIRECTORY, NodeKind.EXTERNAL)
        and (answers is None or node in answers)
    }
    demote = not asks_about_tests(state.question)

    def finished(node: str, parts: Parts) -> Parts:
        return without_tests(parts) if demote and known.is_test(node) else parts

    of_files = {node: regraphed(parts, WEIGHTS.graph_of_file) for node, parts in own.items()}
    files = _best_first(_grouped(of_files, lambda node: around(node)[:1]), finished)
    shared = shares_of_files(own, {node: total(parts) for node, parts in files})
    packed = shared if state.options.pieces else {}
    of_pieces = {node: regraphed(parts, WEIGHTS.graph_of_piece) for node, parts in packed.items()}
    return Ranked(
        files=files,
        modules=_best_first(_grouped(shared, lambda node: around(node)[1:2]), finished),
        classes=_best_first(_grouped(shared, lambda node: around(node)[1:]), finished),
        functions=_best_first(shared, finished),
        pieces=_best_first(of_pieces, finished),
    )


def _named_and_reached(state: RetrievalState) -> frozenset[str] | None:
    """What alone can answer who depends on something named, where anybody does; None where words may answer as well.

    The other words of such a question (calls, change, breaks, tests) say what is asked, not where it stands.
    """
    policy = state.policy
    named = {each.place.id for each in state.named}
    if policy is None or not policy.from_named or any(seed.id not in named for seed in state.seeds):
        return None
    reached = [node.id for node in state.reached if node.is_test or not policy.only_tests]
    return frozenset(named.union(reached)) if reached else None


def _best_first(
    parts: Mapping[str, Parts], finished: Callable[[str, Parts], Parts]
) -> list[tuple[str, Parts]]:
    done = [(node, finished(node, each)) for node, each in parts.items()]
    return sorted(done, key=lambda item: (-total(item[1]), item[0]))


def _grouped(
    parts: Mapping[str, Parts], groups_of: Callable[[str], Iterable[str]]
) -> dict[str, Parts]:
    members: dict[str, list[Parts]] = defaultdict(list)
    for node, each in parts.items():
        for group in groups_of(node):
            members[group].append(each)
    return {group: group_parts(each) for group, each in members.items()}


def _ways(state: RetrievalState) -> dict[str, tuple[Hop, ...]]:
    """The hops to each node that was reached, and to what holds it, for lack of a way of its own."""
    ways = {node.id: node.hops for node in state.reached}
    for node in state.reached:  # nearest and surest first
        for holder in around(node.id):
            ways.setdefault(holder, node.hops)
    for seed in state.seeds:  # a seed was not reached; nor was what holds it
        for holder in around(seed.id):
            ways.pop(holder, None)
    return ways


# --- places ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Known:
    """Places known before the graph is asked for more; `rows` are those that came from the graph."""

    rows: dict[str, Place]
    chunks: dict[str, Place]
    test_files: frozenset[str]

    def kind(self, node: str) -> str:
        place = self.rows.get(node) or self.chunks.get(node)
        return place.kind if place else ""

    def is_test(self, node: str) -> bool:
        return around(node)[0] in self.test_files


def _known_places(state: RetrievalState) -> _Known:
    rows = {each.place.id: each.place for each in state.named}
    rows.update((node.id, place_of_reached(node)) for node in state.reached)
    by_symbol = defaultdict(list)
    for hit in (*state.hits, *(hit for hits in state.part_hits for hit in hits)):
        by_symbol[hit.chunk.symbol].append(hit.chunk)
    chunks = {symbol: place_of_chunks(each) for symbol, each in by_symbol.items()}
    return _Known(
        rows=rows,
        chunks=chunks,
        test_files=frozenset(
            place.path for place in (*rows.values(), *chunks.values()) if place.is_test
        ),
    )


def _to_read(ranked: Ranked, known: _Known, limit: int) -> list[str]:
    """The ids whose rows are still wanted: a chunk does not say where its class ends, nor what is unresolved."""
    wanted = dict.fromkeys(
        node
        for ranking in (
            ranked.files,
            ranked.modules,
            ranked.classes,
            ranked.functions,
            ranked.pieces,
        )
        for node, _ in ranking[: _LOOKED_AT * limit]
    )
    return [node for node in wanted if node not in known.rows]


def _read(state: RetrievalState, nodes: list[str]) -> tuple[RetrievalState, dict[str, Place]]:
    if not nodes:
        return state, {}
    rows, step = state.sources.nodes("fuse", nodes)
    places = {str(row["id"]): place_of_row(row) for row in rows}
    return replace(state, steps=(*state.steps, step)), places


def candidate(place: Place, parts: Parts, hops: tuple[Hop, ...], reason: str) -> Candidate:
    """Return the candidate for `place`; its score is the sum of the parts shown."""
    shown = {name: round(value, 4) for name, value in parts.items() if abs(value) >= 0.00005}
    return Candidate(
        id=place.id,
        kind=place.kind,
        name=place.name,
        path=place.path,
        start_line=place.start_line,
        end_line=place.end_line,
        signature=place.signature,
        doc=place.doc,
        is_test=place.is_test,
        unresolved=place.unresolved,
        score=round(total(shown), 4),
        parts=shown,
        hops=hops,
        reason=reason,
    )
