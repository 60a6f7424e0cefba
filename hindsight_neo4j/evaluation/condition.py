"""Conditions: ways to retrieve that are compared. Baselines, ours, and ours with one part left out or made worse."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from hindsight_neo4j.errors import SettingsError
from hindsight_neo4j.evaluation.locagent import search_graph
from hindsight_neo4j.evaluation.task import Task
from hindsight_neo4j.model.graph import EdgeKind
from hindsight_neo4j.model.question import Breadth, Intent, SubQuestion
from hindsight_neo4j.retrieval.dense import dense
from hindsight_neo4j.retrieval.expand import expand
from hindsight_neo4j.retrieval.fill import fill
from hindsight_neo4j.retrieval.inside import look_inside
from hindsight_neo4j.retrieval.pipeline import LOCATE, intent_stage, split_stage
from hindsight_neo4j.retrieval.policies import POLICIES
from hindsight_neo4j.retrieval.state import AskOptions, RetrievalState, Stage

Known = TypeVar("Known")


def _plain_options(task: Task) -> AskOptions:
    return AskOptions()


@dataclass(frozen=True, slots=True)
class Condition:
    """A named way to retrieve: the stages, the options for a task, and in a sentence what it is.

    `needs_vectors`: it can only be asked of an index that was ingested with vectors.
    """

    name: str
    what: str
    stages: tuple[Stage, ...] = LOCATE
    options: Callable[[Task], AskOptions] = _plain_options
    needs_vectors: bool = False


# --- stages that leave something out --------------------------------------------------------------


def _whole_question(state: RetrievalState) -> RetrievalState:
    text = state.question
    anchors = tuple(anchor.name or anchor.path for anchor in state.anchors)
    return replace(state, subquestions=(SubQuestion(text, 0, len(text), anchors),))


def _without_names(state: RetrievalState) -> RetrievalState:
    return replace(state, anchors=())


def _mixed_policy(state: RetrievalState) -> RetrievalState:
    return replace(state, policy=POLICIES[state.options.policy]["mixed"])


def _weighed_by_hand(state: RetrievalState) -> RetrievalState:
    policy = state.policy
    return state if policy is None else replace(state, policy=replace(policy, learned=False))


def _without_tests_edges(state: RetrievalState) -> RetrievalState:
    return replace(
        state,
        links=tuple(link for link in state.links if link.kind != EdgeKind.TESTS),
        reached=tuple(
            node for node in state.reached if all(hop.kind != EdgeKind.TESTS for hop in node.hops)
        ),
    )


def _after(stage: Stage, extra: Stage) -> tuple[Stage, ...]:
    at = LOCATE.index(stage) + 1
    return (*LOCATE[:at], extra, *LOCATE[at:])


def _without(left_out: Stage) -> tuple[Stage, ...]:
    return tuple(stage for stage in LOCATE if stage is not left_out)


def _locagent_like() -> tuple[Stage, ...]:
    before, after = LOCATE[: LOCATE.index(expand)], LOCATE[LOCATE.index(expand) + 1 :]
    at = before.index(intent_stage) + 1
    return (*before[:at], _mixed_policy, _weighed_by_hand, *before[at:], search_graph, *after)


def _policy(name: str, *, dense: bool = False) -> Callable[[Task], AskOptions]:
    return lambda task: AskOptions(policy=name, dense=dense)


def _true_intent(task: Task) -> AskOptions:
    label, scope = task.slices.get("intent"), task.slices.get("scope")
    return AskOptions(
        intent=Intent(label) if label in set(Intent) else None,
        scope=Breadth(scope) if scope in set(Breadth) else None,
    )


def _random_intent(task: Task) -> AskOptions:
    return AskOptions(intent=random.Random(task.id).choice(list(Intent)))


CONDITIONS: Final[dict[str, Condition]] = {
    condition.name: condition
    for condition in (
        Condition("bm25", "keyword search over functions, no graph", LOCATE, _policy("bm25")),
        Condition("article", "the published system's walk, by intent", LOCATE, _policy("article")),
        Condition(
            "locagent-like",
            "LocAgent's graph and tools, without its model",
            _locagent_like(),
        ),
        Condition(
            "dense",
            "vectors alone",
            (split_stage, intent_stage, dense, fill),
            _policy("bm25", dense=True),
            needs_vectors=True,
        ),
        Condition(
            "dense + bm25",
            "both, fused by rank",
            LOCATE,
            _policy("bm25", dense=True),
            needs_vectors=True,
        ),
        Condition("ours", "everything"),
        Condition(
            "ours + dense",
            "everything, fused with vectors by rank",
            LOCATE,
            _policy("default", dense=True),
            needs_vectors=True,
        ),
        Condition(
            "no decomposition", "the question in one piece", _after(split_stage, _whole_question)
        ),
        Condition("no intent", "the mixed policy for all", _after(intent_stage, _mixed_policy)),
        Condition("true intent", "the task's own label", LOCATE, _true_intent),
        Condition("random intent", "any of the three, by chance", LOCATE, _random_intent),
        Condition("no graph", "no walk", _without(expand)),
        Condition("no insides", "only what a search or the walk found", _without(look_inside)),
        Condition(
            "no learned ranking",
            "weights set by hand",
            _after(intent_stage, _weighed_by_hand),
        ),
        Condition("no TESTS edges", "tests lead nowhere", _after(expand, _without_tests_edges)),
        Condition(
            "no symbol index", "names are words like others", _after(intent_stage, _without_names)
        ),
    )
}
"""By name."""


def need_vectors(conditions: Iterable[Condition]) -> bool:
    """Say whether any of them asks for vectors."""
    return any(each.needs_vectors for each in conditions)


def chosen(known: Mapping[str, Known], names: Iterable[str]) -> list[Known]:
    """Return the conditions that `names` choose, each once, in their order.

    Raises:
        SettingsError: There is none of that name.
    """
    wanted = list(dict.fromkeys(names))
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise SettingsError(
            f"there is no condition {unknown[0]!r}", hint=f"use one of {', '.join(known)}"
        )
    return [known[name] for name in wanted]
