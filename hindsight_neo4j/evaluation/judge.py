"""The judge: a model that says which facts an answer states, and how good it is. It has to quote what decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import msgspec

from hindsight_neo4j.answering.prompt import load
from hindsight_neo4j.model.exchange import Request
from hindsight_neo4j.models.talk import Talk


class Verdict(StrEnum):
    """What an answer makes of a fact."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    ABSENT = "absent"


class FactVerdict(msgspec.Struct, forbid_unknown_fields=True):
    """The verdict on one fact, by its number from 1."""

    fact: int
    verdict: Verdict
    quote: str


class Judgement(msgspec.Struct, forbid_unknown_fields=True):
    """The verdicts on all facts of an answer."""

    verdicts: list[FactVerdict]


Mark = Annotated[int, msgspec.Meta(ge=1, le=10)]


class Quality(msgspec.Struct, forbid_unknown_fields=True):
    """Marks from 1 to 10."""

    accuracy: Mark
    completeness: Mark
    relevance: Mark
    clarity: Mark


@dataclass(frozen=True, slots=True)
class Judged:
    """Verdicts in the order of the facts."""

    verdicts: tuple[Verdict, ...]

    def share(self, verdict: Verdict) -> float:
        """Return the share of the facts with that verdict."""
        return self.verdicts.count(verdict) / len(self.verdicts)


def judge_facts(facts: Sequence[str], answer: str, talk: Talk) -> Judged:
    """Return what `answer` makes of `facts`. What is not quoted from the answer word for word counts as absent.

    Where there is no answer, nothing is asked.

    Raises:
        ModelError: The judge failed, or twice gave no judgement.
    """
    if not answer:
        return Judged((Verdict.ABSENT,) * len(facts))
    said = talk.ask_shaped(facts_request(facts, answer), Judgement).verdicts
    given = {each.fact: each for each in said}
    plain = _plain(answer)
    return Judged(tuple(_proven(given.get(at), plain) for at in range(1, len(facts) + 1)))


def judge_quality(question: str, reference: str, answer: str, talk: Talk) -> Quality:
    """Return the marks for `answer`, the worst where there is none. Raises as `judge_facts`."""
    if not answer:
        return Quality(accuracy=1, completeness=1, relevance=1, clarity=1)
    return talk.ask_shaped(quality_request(question, reference, answer), Quality)


def facts_request(facts: Sequence[str], answer: str) -> Request:
    """Return what is sent to have an answer judged."""
    numbered = "\n".join(f"{number}. {fact}" for number, fact in enumerate(facts, start=1))
    return load("judge").request(facts=numbered, answer=answer)


def quality_request(question: str, reference: str, answer: str) -> Request:
    """Return what is sent to have an answer marked."""
    return load("quality").request(question=question, reference=reference, answer=answer)


def _proven(given: FactVerdict | None, answer: str) -> Verdict:
    if given is None or given.verdict is Verdict.ABSENT:
        return Verdict.ABSENT
    quote = _plain(given.quote).strip(" .\"'")
    return given.verdict if quote and quote in answer else Verdict.ABSENT


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
