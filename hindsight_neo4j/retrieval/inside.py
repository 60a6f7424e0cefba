"""Inside: what the best files hold besides the hits, so that the learned ranking can choose among all their definitions.

A fix often lies in a function that shares no telling word with the report, beside functions that share many.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Final

from hindsight_neo4j.retrieval.frontier import StepRule, walk
from hindsight_neo4j.retrieval.score import fit_of_file
from hindsight_neo4j.retrieval.state import RetrievalState
from hindsight_neo4j.retrieval.wording import asks_about_tests

FILES_READ: Final = 5
MOST_READ: Final = 250
"""Definitions read at most, those of the best file first."""

_DOWN = StepRule("step/children")
_DEEPEST = 2  # a class, and what it holds


def look_inside(state: RetrievalState) -> RetrievalState:
    """Fill `inside` with the chunks of definitions of the best files that no search found."""
    policy = state.policy
    if policy is None or not policy.learned or not state.hits:
        return state
    sources = state.sources
    paths = best_files(state)
    found = walk(
        sources.graph,
        sources.catalogue,
        sources.snapshot,
        paths,
        steps=(_DOWN,),
        max_hops=_DEEPEST,
    )
    known = {hit.chunk.symbol for hits in (state.hits, *state.part_hits) for hit in hits}
    unknown = [node for node in found.reached if node.id not in known]
    # By the file it was reached from: what only a stub declares has the path of the stub, beside its file.
    unknown.sort(key=lambda node: (paths.index(node.seed), node.start_line, node.id))
    wanted = [node.id for node in unknown[:MOST_READ]]
    chunks = sources.chunks_of(wanted)
    return replace(
        state,
        inside=tuple(chunk for symbol in wanted for chunk in chunks.get(symbol, ())),
        steps=(*state.steps, *found.steps),
    )


def best_files(state: RetrievalState) -> list[str]:
    """Return the files that the searches fit best and those of stack frames, at most `FILES_READ`, the best first."""
    about_tests = asks_about_tests(state.question)
    best: dict[str, float] = {}
    squares: dict[str, float] = defaultdict(float)
    title: dict[str, float] = {}
    for hits, tops in ((state.hits, best), *((hits, title) for hits in state.part_hits[:1])):
        for hit in hits:
            if about_tests or not hit.chunk.is_test:
                share = hit.score / hits[0].score
                tops.setdefault(hit.chunk.path, share)
                squares[hit.chunk.path] += share**2 if tops is best else 0.0
    scores = {
        path: fit_of_file(best.get(path, 0.0), squares[path] ** 0.5, title.get(path, 0.0))
        for path in squares
    }
    for each in state.named:
        if each.place.path in scores:
            scores[each.place.path] += each.strength
    return sorted(scores, key=lambda path: (-scores[path], path))[:FILES_READ]
