"""The pipeline: what happens to a question, as a visible tuple of stages over one frozen state.

    decompose → classify → seed → expand → look inside → fuse (→ dense) → fill (→ pack)

A caller may pass another tuple: leave `expand` out, and it is keyword search; put a stage of your own before `pack`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hindsight_neo4j.model.question import Asked, Budget, Located
from hindsight_neo4j.retrieval.anchors import find_anchors, object_of
from hindsight_neo4j.retrieval.budget import TOKENIZER
from hindsight_neo4j.retrieval.classify import classify
from hindsight_neo4j.retrieval.decompose import check_question, decompose
from hindsight_neo4j.retrieval.dense import dense
from hindsight_neo4j.retrieval.expand import expand
from hindsight_neo4j.retrieval.fill import fill
from hindsight_neo4j.retrieval.fuse import fuse
from hindsight_neo4j.retrieval.inside import look_inside
from hindsight_neo4j.retrieval.pack import MOST_PIECES, pack
from hindsight_neo4j.retrieval.policies import choose_policy
from hindsight_neo4j.retrieval.seed import seed
from hindsight_neo4j.retrieval.state import AskOptions, RetrievalState, Sources, Stage

NO_MODEL: Final = "no model is set"
_UNRESOLVED_SHOWN = 10


def split_stage(state: RetrievalState) -> RetrievalState:
    """Decompose the question and find its anchors."""
    return replace(
        state,
        subquestions=decompose(state.question),
        anchors=find_anchors(check_question(state.question)),
    )


def intent_stage(state: RetrievalState) -> RetrievalState:
    """Classify the question and choose the policy for it, which may need a name to start from."""
    options = state.options
    intent = classify(state.question, intent=options.intent, scope=options.scope)
    policy = choose_policy(options.policy, intent, state.question)
    anchors = state.anchors
    if policy.from_named and not anchors:
        anchors = object_of(state.question)
    return replace(state, intent=intent, policy=policy, anchors=anchors)


LOCATE: Final[tuple[Stage, ...]] = (
    split_stage,
    intent_stage,
    seed,
    expand,
    look_inside,
    fuse,
    dense,
    fill,
)
ASK: Final[tuple[Stage, ...]] = (*LOCATE, pack)


def locate(
    question: str,
    sources: Sources,
    options: AskOptions | None = None,
    *,
    stages: Sequence[Stage] = LOCATE,
) -> Located:
    """Rank the files, modules, classes and functions of a snapshot for `question`.

    Raises:
        QuestionError: The question is blank.
        SettingsError: There is no such policy.
        StoreError: A store does not answer.
    """
    return _located(_run(_begin(question, sources, options), stages))


def ask(
    question: str,
    sources: Sources,
    options: AskOptions | None = None,
    *,
    stages: Sequence[Stage] = ASK,
) -> Asked:
    """Rank as `locate` does, and pack the best candidates' text into the context budget.

    Raises:
        QuestionError: The question is blank.
        SettingsError: There is no such policy.
        StoreError: A store does not answer.
    """
    packed = replace(options or AskOptions(), pieces=MOST_PIECES)
    state = _run(_begin(question, sources, packed), stages)
    return Asked(
        located=_located(state),
        evidence=state.evidence,
        budget=state.budget or Budget(state.options.budget, 0, TOKENIZER),
        unresolved=_unresolved(state),
        answer=None,
        answer_reason=NO_MODEL,
    )


def _begin(question: str, sources: Sources, options: AskOptions | None) -> RetrievalState:
    # Half characters, as a terminal hands over bytes it cannot read, go into no store: each becomes a "?".
    readable = question.encode("utf-8", "replace").decode()
    return RetrievalState(readable, sources, options or AskOptions())


def _run(state: RetrievalState, stages: Sequence[Stage]) -> RetrievalState:
    for stage in stages:
        state = stage(state)
    return state


def _located(state: RetrievalState) -> Located:
    intent = state.intent or classify(state.question)
    return Located(
        question=state.question,
        snapshot=state.sources.title,
        policy=state.policy.name if state.policy else state.options.policy,
        intent=intent,
        subquestions=state.subquestions,
        files=state.files,
        modules=state.modules,
        classes=state.classes,
        functions=state.functions,
        reason=state.reason,
        steps=state.steps,
    )


def _unresolved(state: RetrievalState) -> tuple[tuple[str, int, str], ...]:
    """The best results that make calls no edge stands for: there the walk may have missed something."""
    best = [piece.id for piece in state.pieces[:_UNRESOLVED_SHOWN] if piece.unresolved]
    if not best:
        return ()
    rows, _ = state.sources.nodes("pack", best)
    found = {
        str(row["id"]): (row["unresolved"], str(row["unresolved_names"] or "")) for row in rows
    }
    return tuple(
        (node, count if isinstance(count, int) else 0, names)
        for node in best
        if node in found
        for count, names in [found[node]]
    )
