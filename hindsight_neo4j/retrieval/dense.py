"""Dense: a second ranking, by how near the chunks' vectors are to the question's, fused with the first by rank.

It finds what shares the meaning of a question and none of its words. Scores of words and cosines have no common scale,
so the places in both rankings are what counts (reciprocal rank fusion): a candidate gets (k + 1) / (k + place) from each
ranking that has it, so that the first of one has 1 from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from hindsight_neo4j.model.chunk import Hit
from hindsight_neo4j.model.graph import NodeKind
from hindsight_neo4j.model.question import Candidate, Step
from hindsight_neo4j.retrieval.fuse import candidate
from hindsight_neo4j.retrieval.place import around, place_of_row
from hindsight_neo4j.retrieval.score import Parts
from hindsight_neo4j.retrieval.state import RetrievalState, Sources
from hindsight_neo4j.retrieval.wording import asks_about_tests

RANK_CONSTANT: Final = 60
"""The k of reciprocal rank fusion: that of Cormack, Clarke and Büttcher (SIGIR 2009), who found it to matter little."""

NEAREST: Final = 300
"""Chunks taken, as many as keyword search takes for a whole question (`seed.HITS`)."""

RANKING_PART: Final = "ranking"
DENSE_PART: Final = "dense"

_READ = 2
"""Times the limit: how many of each grain are looked at, since some turn out to be of another kind."""

_REASON = "close in meaning to the question"


def dense(state: RetrievalState) -> RetrievalState:
    """Fuse each ranking with that of the vectors. Does nothing unless the caller asked for it."""
    options = state.options
    if not options.dense:
        return state
    hits, near_step = state.sources.near("dense", state.question, NEAREST)
    symbols = _tests_last(hits, asks_about_tests(state.question))
    grains = (
        (state.files, 0, 1, (NodeKind.FILE,), options.limit),
        (state.modules, 1, 2, (NodeKind.CLASS, NodeKind.FUNCTION), options.limit),
        (state.classes, 1, None, (NodeKind.CLASS,), options.limit),
        (state.functions, -1, None, (NodeKind.FUNCTION,), options.limit),
        (
            state.pieces,
            -1,
            None,
            (NodeKind.FILE, NodeKind.CLASS, NodeKind.FUNCTION),
            options.pieces,
        ),
    )
    nearest = [
        list(dict.fromkeys(node for symbol in symbols for node in around(symbol)[start:end]))
        for _, start, end, _, _ in grains
    ]
    known = {each.id: each for ranking, *_ in grains for each in ranking}
    wanted = (
        node
        for near, (*_, most) in zip(nearest, grains, strict=True)
        for node in near[: _READ * most]
    )
    read, steps = _read(
        state.sources, [node for node in dict.fromkeys(wanted) if node not in known]
    )
    known |= read
    files, modules, classes, functions, pieces = (
        _fused(ranking, near, known, kinds)[:most]
        for near, (ranking, _, _, kinds, most) in zip(nearest, grains, strict=True)
    )
    return replace(
        state,
        files=files,
        modules=modules,
        classes=classes,
        functions=functions,
        pieces=pieces,
        reason="" if files else state.reason,
        steps=(*state.steps, near_step, *steps),
    )


def _tests_last(hits: Iterable[Hit], about_tests: bool) -> list[str]:
    """Return the symbols of the hits, nearest first; tests behind all others where no question is about them."""
    return [
        hit.chunk.symbol
        for hit in sorted(hits, key=lambda hit: hit.chunk.is_test and not about_tests)
    ]


def _read(sources: Sources, nodes: list[str]) -> tuple[dict[str, Candidate], tuple[Step, ...]]:
    if not nodes:
        return {}, ()
    rows, step = sources.nodes("dense", nodes)
    found = (candidate(place_of_row(row), {}, (), _REASON) for row in rows)
    return {each.id: each for each in found}, (step,)


def _fused(
    ranking: Sequence[Candidate],
    near: Iterable[str],
    known: Mapping[str, Candidate],
    kinds: Sequence[NodeKind],
) -> tuple[Candidate, ...]:
    fitting = (node for node in near if node in known and known[node].kind in kinds)
    parts: dict[str, Parts] = {}
    for name, nodes in ((RANKING_PART, (each.id for each in ranking)), (DENSE_PART, fitting)):
        for place, node in enumerate(nodes, start=1):
            share = (RANK_CONSTANT + 1) / (RANK_CONSTANT + place)
            parts.setdefault(node, {})[name] = round(share, 4)
    fused = [
        replace(known[node], score=round(sum(each.values()), 4), parts=each)
        for node, each in parts.items()
    ]
    return tuple(sorted(fused, key=lambda each: -each.score))
