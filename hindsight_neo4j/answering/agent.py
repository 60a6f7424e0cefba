"""The agent: the model chooses each step, within limits, and every step is traced. Its choice is packed first.

The offline ranking is made before the first step, and stays behind whatever the model chooses: a model that loops, calls
tools that are none, or fails, leaves at worst what there is without it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Final, Literal

import msgspec

from hindsight_neo4j.answering.prompt import Block, load
from hindsight_neo4j.answering.tools import Found, places_of, run
from hindsight_neo4j.answering.trace import Tracer
from hindsight_neo4j.errors import BadReply
from hindsight_neo4j.model.exchange import Request
from hindsight_neo4j.model.graph import NodeKind
from hindsight_neo4j.models.talk import Talk
from hindsight_neo4j.retrieval.decompose import check_question
from hindsight_neo4j.retrieval.fill import Ranking, with_places
from hindsight_neo4j.retrieval.fuse import candidate
from hindsight_neo4j.retrieval.state import Place, RetrievalState

MOST_SEEN: Final = 6
"""Results that the model sees again; older ones are left out, so that a step never costs more than a few thousand tokens."""

MOST_CHOSEN: Final = 20
"""Names of the last step that are looked at."""

CHOSEN: Final = "chosen by the model"

_REPEATS: Final = 2  # the same step again ends the loop, at the second time


@dataclass(frozen=True, slots=True)
class AgentLimits:
    """Where an agent stops. Reaching a limit is no failure: what it found until then counts.

    Attributes:
        steps: Calls of tools.
        tokens: Read and written in all steps together.
        seconds: From the first step on.
    """

    steps: int = 8
    tokens: int = 60_000
    seconds: float = 300.0


class Action(msgspec.Struct, forbid_unknown_fields=True):
    """What the model wants done next."""

    action: Literal["search_entity", "traverse_graph", "retrieve_entity", "finish"]
    names: Annotated[list[str], msgspec.Meta(extra_json_schema={"maxItems": MOST_CHOSEN})]
    direction: Literal["out", "in"] = "out"


@dataclass(slots=True)
class _Run:
    """What an agent has done so far."""

    talk: Talk
    limits: AgentLimits
    tracer: Tracer
    began: float = field(default_factory=time.monotonic)
    seen: list[Block] = field(default_factory=list)
    done: list[tuple[str, tuple[str, ...], str]] = field(default_factory=list)
    read: dict[str, None] = field(default_factory=dict)
    final: tuple[str, ...] = ()
    why_ended: str = ""

    def used(self, before: int) -> int:
        return self.talk.usage.tokens - before


def explore(
    state: RetrievalState, talk: Talk, limits: AgentLimits, tracer: Tracer
) -> tuple[RetrievalState, str]:
    """Let the model explore, and return the state with its choice first, and why it ended.

    Raises:
        ModelError: The model failed. A reply of a wrong shape is none: it ends the exploration.
    """
    run_ = _Run(talk, limits, tracer)
    start = talk.usage.tokens
    while not run_.why_ended:
        run_.why_ended = _limit_reached(run_, start) or _step(state, run_)
    chosen = tuple(dict.fromkeys((*run_.final, *run_.read)))
    return _with_chosen(state, chosen), run_.why_ended


def first_request(question: str) -> Request:
    """Return what is sent for the first step, to estimate by."""
    return _request(question, (), AgentLimits().steps)


def _limit_reached(run_: _Run, start: int) -> str:
    if len(run_.done) >= run_.limits.steps:
        return f"{run_.limits.steps} steps are the limit"
    if run_.used(start) >= run_.limits.tokens:
        return f"{run_.limits.tokens:,} tokens are the limit"
    if time.monotonic() - run_.began >= run_.limits.seconds:
        return f"{run_.limits.seconds:g} seconds are the limit"
    return ""


def _step(state: RetrievalState, run_: _Run) -> str:
    """Do what the model says, and return why that is the end, if it is."""
    left = run_.limits.steps - len(run_.done)
    request = _request(state.question, run_.seen[-MOST_SEEN:], left)
    try:
        wanted = run_.talk.ask_shaped(request, Action)
    except BadReply as error:
        run_.tracer.note("none", {}, error.message)
        return "the model named no step"
    arguments = {"names": wanted.names, "direction": wanted.direction}
    if wanted.action == "finish":
        run_.final = tuple(wanted.names[:MOST_CHOSEN])
        run_.tracer.note(wanted.action, arguments, "")
        return "the model had what it needed"
    key = (wanted.action, tuple(wanted.names), wanted.direction)
    repeated = run_.done.count(key)
    run_.done.append(key)
    if repeated:
        found = Found("you did that already; do something else", ())
    else:
        found = run(state.sources, wanted.action, wanted.names, wanted.direction)
    run_.tracer.note(wanted.action, arguments, found.text)
    if repeated >= _REPEATS:
        return "the model repeated itself"
    if wanted.action == "retrieve_entity":
        run_.read.update(dict.fromkeys(found.ids))
    named = ", ".join(wanted.names)[:400]
    run_.seen.append(Block(f"result of {wanted.action} {named}", found.text))
    return ""


def _request(question: str, seen: Sequence[Block], left: int) -> Request:
    return load("step").request(seen, plain={"left": str(left)}, question=check_question(question))


def _with_chosen(state: RetrievalState, chosen: Sequence[str]) -> RetrievalState:
    """Put what the model chose before everything else, in each ranking of its kind and in what is packed."""
    places = places_of(state.sources, chosen)

    def first(ranking: Ranking, wanted: Sequence[Place]) -> Ranking:
        best = max((each.score for each in ranking), default=0.0)
        known = {each.id: each for each in ranking}
        put = []
        for behind, place in enumerate(wanted):
            old = known.get(place.id) or candidate(place, {}, (), CHOSEN)
            # The sum of parts must fall from each to the next, and none of the others may come near.
            parts = {**old.parts, "model": best - old.score + len(wanted) - behind}
            put.append(candidate(place, parts, old.hops, CHOSEN))
        taken = {each.id for each in put}
        rest = [each for each in ranking if each.id not in taken]
        return tuple((*put, *rest)[: max(len(ranking), len(put))])

    files = places_of(state.sources, list(dict.fromkeys(place.path for place in places)))
    inside = [place for place in places if place.kind != NodeKind.FILE]
    packed = (NodeKind.FILE, NodeKind.CLASS, NodeKind.FUNCTION)
    return replace(
        with_places(state, [*files, *inside], first),
        pieces=first(state.pieces, [place for place in places if place.kind in packed]),
    )
