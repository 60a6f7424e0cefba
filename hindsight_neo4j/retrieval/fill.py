"""Fill: short rankings are made longer with what stands near the best, so that a reader always has some to choose from.

Filled-in candidates have score 0 and stand last: first what the ranked files hold, then any others of the snapshot.
Either round runs only while a ranking is shorter than `SHORTEST`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from hindsight_neo4j.model.graph import NodeKind
from hindsight_neo4j.model.question import IN_FITTING_FILE, Candidate, Step
from hindsight_neo4j.model.template import Params
from hindsight_neo4j.retrieval.frontier import StepRule, walk
from hindsight_neo4j.retrieval.fuse import candidate
from hindsight_neo4j.retrieval.place import is_module, place_of_reached, place_of_row
from hindsight_neo4j.retrieval.state import Place, RetrievalState

Ranking: TypeAlias = tuple[Candidate, ...]

SHORTEST: Final = 20
"""Candidates of each grain that a ranking has at least, where the repository has as many and the limit allows."""

_FILES_OPENED = 10
_DOWN = StepRule("step/children")


def fill(state: RetrievalState) -> RetrievalState:
    """Lengthen the rankings. An empty result stays empty: nothing is near nothing."""
    if not state.files or _long_enough(state):
        return state
    state = _with_insides(state)
    return state if _long_enough(state) else _with_any(state)


def _long_enough(state: RetrievalState) -> bool:
    rankings = (state.files, state.modules, state.classes, state.functions)
    return all(len(ranking) >= _shortest(state) for ranking in rankings)


def _shortest(state: RetrievalState) -> int:
    return min(SHORTEST, state.options.limit)


def _with_insides(state: RetrievalState) -> RetrievalState:
    sources = state.sources
    found = walk(
        sources.graph,
        sources.catalogue,
        sources.snapshot,
        [each.id for each in state.files[:_FILES_OPENED]],
        steps=(_DOWN,),
        max_hops=2,
    )
    places = [place_of_reached(node) for node in found.reached]
    return _longer(state, places, IN_FITTING_FILE, found.steps)


def _with_any(state: RetrievalState) -> RetrievalState:
    short = [
        kind
        for kind, ranking in (
            (NodeKind.FILE, state.files),
            (NodeKind.CLASS, state.classes),
            (NodeKind.FUNCTION, state.functions),
        )
        if len(ranking) < _shortest(state)
    ]
    for kind in short or (NodeKind.FUNCTION,):
        known = len(state.files) + len(state.classes) + len(state.modules) + len(state.functions)
        params: Params = {
            "snapshot": state.sources.snapshot,
            "kinds": [kind.value],
            "limit": SHORTEST + known,
        }
        rows, step = state.sources.run("fill", "lookup/nodes_of_kind", params)
        places = [place_of_row(row) for row in rows]
        state = _longer(state, places, "nothing closer was found", (step,))
    return state


def _longer(
    state: RetrievalState, near: Sequence[Place], reason: str, steps: tuple[Step, ...]
) -> RetrievalState:
    def more(ranking: Ranking, places: Sequence[Place]) -> Ranking:
        known = {each.id for each in ranking}
        fresh = [place for place in places if place.id not in known]
        missing = max(_shortest(state) - len(ranking), 0)
        return ranking + tuple(candidate(place, {}, (), reason) for place in fresh[:missing])

    return replace(with_places(state, near, more), steps=(*state.steps, *steps))


def with_places(
    state: RetrievalState,
    places: Sequence[Place],
    change: Callable[[Ranking, Sequence[Place]], Ranking],
) -> RetrievalState:
    """Return the state with each ranking changed by those of the places that it may hold."""

    def of(kind: NodeKind) -> list[Place]:
        return [place for place in places if place.kind == kind]

    return replace(
        state,
        files=change(state.files, of(NodeKind.FILE)),
        modules=change(state.modules, [place for place in places if is_module(place.id)]),
        classes=change(state.classes, of(NodeKind.CLASS)),
        functions=change(state.functions, of(NodeKind.FUNCTION)),
    )
