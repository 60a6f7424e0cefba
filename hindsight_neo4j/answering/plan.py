"""The plan by the model: what the question is after, and its parts. What it does not give well is planned offline."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Final, Literal

import msgspec

from hindsight_neo4j.answering.prompt import load
from hindsight_neo4j.model.exchange import Request
from hindsight_neo4j.model.question import Breadth, Intent, IntentGuess, SubQuestion
from hindsight_neo4j.models.talk import Talk
from hindsight_neo4j.retrieval.anchors import find_anchors
from hindsight_neo4j.retrieval.decompose import MOST_SUBQUESTIONS, check_question
from hindsight_neo4j.retrieval.pipeline import intent_stage, split_stage
from hindsight_neo4j.retrieval.policies import choose_policy
from hindsight_neo4j.retrieval.state import RetrievalState

LONGEST_PART: Final = 400
"""Characters of a sub-question; a longer one is no part of a question."""

_Part = Annotated[str, msgspec.Meta(max_length=LONGEST_PART)]
# Only said, not checked: a server that keeps to the schema ends a list that a small model would go on with for ever.
_Parts = Annotated[list[_Part], msgspec.Meta(extra_json_schema={"maxItems": MOST_SUBQUESTIONS})]


class Plan(msgspec.Struct, forbid_unknown_fields=True):
    """What the model says of a question."""

    intent: Literal["leading", "lagging", "exploratory"]
    scope: Literal["broad", "deep"]
    sub_questions: _Parts


def request_for(question: str) -> Request:
    """Return what is sent to plan `question`."""
    return load("plan").request(question=check_question(question))


def plan(state: RetrievalState, talk: Talk) -> RetrievalState:
    """Decompose and classify by the model. What the caller chose stays chosen.

    Raises:
        ModelError: The model failed, or twice gave no plan.
    """
    made = talk.ask_shaped(request_for(state.question), Plan)
    state = intent_stage(split_stage(state))
    guess = state.intent
    intent = _intent(made, guess) if guess and guess.source != "flag" else guess
    parts = _parts(made, state.question)
    return replace(
        state,
        subquestions=parts or state.subquestions,
        intent=intent,
        policy=choose_policy(state.options.policy, intent, state.question) if intent else None,
    )


def _intent(made: Plan, offline: IntentGuess) -> IntentGuess:
    label = Intent(made.intent)
    return IntentGuess(
        label=label,
        scope=Breadth(made.scope) if label is Intent.EXPLORATORY else None,
        confidence=1.0,
        probabilities=offline.probabilities,
        abstained=False,
        source="model",
        why="the model's reading of the question",
    )


def _parts(made: Plan, question: str) -> tuple[SubQuestion, ...]:
    """The model's parts, each with its place in the question where it is a piece of it, else with the whole."""
    texts = [text for each in made.sub_questions if any(map(str.isalnum, text := each.strip()))]
    parts = []
    for text in dict.fromkeys(texts[:MOST_SUBQUESTIONS]):
        start = question.find(text)
        start, end = (start, start + len(text)) if start >= 0 else (0, len(question))
        names = dict.fromkeys(anchor.name or anchor.path for anchor in find_anchors(text))
        parts.append(SubQuestion(text, start, end, tuple(names)))
    return tuple(parts)
