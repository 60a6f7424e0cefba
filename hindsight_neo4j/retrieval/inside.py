"""Inside: what the best files hold besides the hits, so that the learned ranking can choose among all their definitions.

A fix often lies in a function that shares no telling word with the report, beside functions that share many.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Final

from hindsight_neo4j.retrieval.frontier import StepRule, walk
from hindsight_neo4j.retrieval.state import RetrievalState
from hindsight_neo4j.retrieval.wording import asks_about_tests

FILES_READ: Final = 5
MOST_READ: Final = 250
"""Definitions read at most, those of the best file first."""

_DOWN = StepRule("step/children")
_DEEPEST = 2  # a class, and what it holds
_TITLE = 0.5
_MORE = 0.25


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
    unknown.sort(key=lambda node: (paths.index(node.path), node.start_line, node.id))
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
    scores: dict[str, float] = defaultdict(float)
    for hits, share in ((state.hits, 1.0), *((hits, _TITLE) for hits in state.part_hits[:1])):
        best: dict[str, float] = {}
        more: dict[str, float] = defaultdict(float)
        for hit in hits:
            if about_tests or not hit.chunk.is_test:
                best.setdefault(hit.chunk.path, hit.score / hits[0].score)
                more[hit.chunk.path] += (hit.score / hits[0].score) ** 2
        for path, top in best.items():
            scores[path] += share * (top + _MORE * (more[path] ** 0.5 - top))
    for each in state.named:
        if each.place.path in scores:
            scores[each.place.path] += each.strength
    return sorted(scores, key=lambda path: (-scores[path], path))[:FILES_READ]
