"""The answer ladder: every question under every condition, with the same prompt and the same budget.

Without a model only the contexts are measured, by the code names of the facts that they hold. With one, it reads each context
and a judge, another model if one is set, checks the facts. Every reply is kept by the ledger, so a run that was cut off
goes on where it was.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from hindsight_neo4j.answering import answer, estimate, reader
from hindsight_neo4j.answering.citations import without_places
from hindsight_neo4j.answering.prompt import load
from hindsight_neo4j.errors import BadReply, ContextOverflow, SettingsError
from hindsight_neo4j.evaluation.code_names import share_in
from hindsight_neo4j.evaluation.condition import CONDITIONS, Condition
from hindsight_neo4j.evaluation.judge import (
    Judged,
    Verdict,
    facts_request,
    judge_facts,
    judge_quality,
    quality_request,
)
from hindsight_neo4j.evaluation.summary import charts, tables
from hindsight_neo4j.evaluation.task import SLICES, Task
from hindsight_neo4j.jsonl import read_rows
from hindsight_neo4j.model.answer import Mode
from hindsight_neo4j.model.chunk import Chunk
from hindsight_neo4j.model.exchange import NO_USAGE, Request, Usage
from hindsight_neo4j.model.question import Evidence
from hindsight_neo4j.models.talk import Talk
from hindsight_neo4j.retrieval.pack import pack, price
from hindsight_neo4j.retrieval.pipeline import ask
from hindsight_neo4j.retrieval.state import AskOptions, Sources

QUALITIES: Final = ("accuracy", "completeness", "relevance", "clarity")


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its facts. `places` are the functions that its reference answer speaks of."""

    id: str
    text: str
    reference: str
    facts: tuple[str, ...]
    places: tuple[str, ...]
    slices: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Context:
    """A condition of the ladder: what is given to read. `retrieval` is how it is found, where it is searched for."""

    name: str
    what: str
    needs_model: bool = False
    retrieval: Condition | None = None


CONTEXTS: Final = {
    each.name: each
    for each in (
        Context("limited", "the question alone", needs_model=True),
        *(Context(each.name, each.what, retrieval=each) for each in CONDITIONS.values()),
        Context(
            "agent",
            "the model searches, walks and reads by itself",
            needs_model=True,
            retrieval=CONDITIONS["ours"],
        ),
        Context("full", "the functions that the reference answer speaks of"),
    )
}
"""By name."""


@dataclass(frozen=True, slots=True)
class Graded:
    """What one condition made of one question. Figures that were not measured are missing; `why_failed` says why."""

    condition: str
    question: Question
    figures: Mapping[str, float]
    answer: str
    why_failed: str

    @property
    def slices(self) -> Mapping[str, str]:
        """What kind of question it is."""
        return self.question.slices


def read_questions(path: Path) -> list[Question]:
    """Return the questions of a file: {"id", "question", "answer", "facts": […], "gold_functions": […]} a line.

    Raises:
        SettingsError: The file cannot be read, or a line is no question with facts.
    """
    questions = []
    for number, row in read_rows(path):
        try:
            questions.append(_question(row))
        except (ValueError, KeyError, TypeError) as error:
            raise SettingsError(
                f"{path}:{number}: no question with facts",
                hint='such as {"id": "1", "question": "…", "answer": "…", "facts": ["…"]}',
            ) from error
    if not questions:
        raise SettingsError(f"{path} holds no question", hint="one JSON object a line")
    return questions


def _question(row: dict[str, Any]) -> Question:
    facts = tuple(row["facts"])
    if not facts or not all(isinstance(each, str) and each for each in (row["question"], *facts)):
        raise ValueError("no question, or no facts")
    return Question(
        id=str(row.get("id", "")),
        text=row["question"],
        reference=str(row.get("answer", "")),
        facts=facts,
        places=tuple(map(str, row.get("gold_functions") or ())),
        slices={name: str(row[name]) for name in SLICES if row.get(name) is not None},
    )


class _NotAnswered(Exception):
    """The agent gave no answer; the message says why."""


@dataclass(frozen=True, slots=True)
class Examiner:
    """What questions are put with: sources, budget, and the models where there are any.

    `judges` judge each answer once each; they differ in their seed. `quality` asks for marks as well.
    """

    sources: Sources
    budget: int
    talk: Talk | None
    judges: Sequence[Talk] = ()
    quality: bool = False

    @property
    def usage(self) -> Usage:
        """What the models took so far."""
        talks = self.judges if self.talk is None else (self.talk, *self.judges)
        return sum((each.usage for each in talks), NO_USAGE)

    def put(self, question: Question, condition: str) -> Callable[[], Graded]:
        """Put a question under a condition: retrieve, and return what then asks the models, in any thread.

        A reply that is none, or a context too long, fails that one question. What is returned raises `ModelError` when the model or
        the judge cannot be asked any more; so does this for the agent, which retrieves and asks in turns.
        """
        figures: dict[str, float] = {}
        try:
            given, say = self._given(question, condition)
        except (BadReply, ContextOverflow, _NotAnswered) as error:
            return partial(_graded, condition, question, figures, "", str(error))
        if condition != "limited":
            held = "\n".join(f"{piece.id}\n{piece.text}" for piece in given)
            _put(figures, "names in context", share_in(question.facts, held))
            figures["context tokens"] = float(sum(piece.tokens for piece in given))

        def grade() -> Graded:
            text = why_failed = ""
            try:
                text = without_places(say(), given)
                if self.talk is not None:
                    _put(figures, "names in answer", share_in(question.facts, text))
                    self._judge(question, text, figures)
            except (BadReply, ContextOverflow) as error:
                why_failed = str(error)
            return _graded(condition, question, figures, text, why_failed)

        return grade

    def most(self, question: Question, condition: str) -> Usage:
        """Return the most that a question under a condition could take. Nothing is sent.

        Raises:
            StoreError: A store does not answer.
        """
        if self.talk is None:
            return NO_USAGE
        if condition == "limited":
            most = self.talk.most(_closed_book(question))
        elif condition == "agent":
            asked = ask(question.text, self.sources, AskOptions(budget=self.budget))
            most = estimate(asked, self.talk, Mode.AGENT)
        else:
            given = self._evidence(question, condition)
            most = self.talk.most(reader.request_for(question.text, given)) if given else NO_USAGE
        asked_of = [(each, facts_request(question.facts, "")) for each in self.judges]
        if self.quality:
            marking = quality_request(question.text, question.reference, "")
            asked_of += [(each, marking) for each in self.judges[:1]]
        answered = self.talk.options.max_output_tokens
        for judge, request in asked_of:
            most += judge.most(request) + Usage(0, 0, answered, 0, judge.cost(answered, 0))
        return most

    def _given(
        self, question: Question, condition: str
    ) -> tuple[Sequence[Evidence], Callable[[], str]]:
        """What there is to read, and what has it read."""
        if condition == "limited":
            return (), partial(self._closed_book, question)
        if condition == "agent" and self.talk is not None:
            options = AskOptions(budget=self.budget)
            asked = answer(question.text, self.sources, options, self.talk, mode=Mode.AGENT)
            if asked.failed:
                raise _NotAnswered(asked.answer_reason)
            said = asked.answer.prose if asked.answer else ""
            return asked.evidence, lambda: said
        given = self._evidence(question, condition)
        return given, partial(self._read, question, given)

    def _evidence(self, question: Question, condition: str) -> Sequence[Evidence]:
        how = CONTEXTS[condition].retrieval
        if how is None:
            return _whole(self.sources, question.places, self.budget)
        task = Task(question.id, question.text, {}, question.slices)
        options = replace(how.options(task), budget=self.budget)
        return ask(question.text, self.sources, options, stages=(*how.stages, pack)).evidence

    def _read(self, question: Question, given: Sequence[Evidence]) -> str:
        if self.talk is None or not given:
            return ""
        return reader.read(question.text, given, self.talk).answer.prose

    def _closed_book(self, question: Question) -> str:
        return self.talk.ask(_closed_book(question)).text if self.talk is not None else ""

    def _judge(self, question: Question, text: str, figures: dict[str, float]) -> None:
        judged = [judge_facts(question.facts, text, each) for each in self.judges]
        if not judged:
            return
        for verdict in (Verdict.SUPPORTED, Verdict.CONTRADICTED):
            name = "fact recall" if verdict is Verdict.SUPPORTED else "contradicted"
            figures[name] = sum(each.share(verdict) for each in judged) / len(judged)
        if len(judged) > 1:
            figures["agreement"] = _agreement(judged)
        if self.quality:
            marks = judge_quality(question.text, question.reference, text, self.judges[0])
            figures.update({name: float(getattr(marks, name)) for name in QUALITIES})


def run_answers(
    questions: Iterable[Question],
    conditions: Sequence[str],
    examiner: Examiner,
    done: Callable[[], None] = lambda: None,
    at_once: int = 1,
) -> list[Graded]:
    """Return every question under every condition; `done` is called after each question.

    The stores are read by this thread; the models are asked about up to `at_once` questions at a time.

    Raises:
        ModelError: A model cannot be asked any more. No question is begun then; calls under way end when the model is closed.
    """
    asked: list[Future[list[Graded]]] = []
    waiting: set[Future[list[Graded]]] = set()
    pool = ThreadPoolExecutor(at_once, thread_name_prefix="hindsight-answers")
    stopped = threading.Event()

    def grade(put: Sequence[Callable[[], Graded]]) -> list[Graded]:
        try:
            return [] if stopped.is_set() else [each() for each in put]
        except BaseException:
            stopped.set()
            raise

    def collect() -> None:
        """Wait for any question, since one long answer must not hold up the others."""
        finished, rest = wait(waiting, return_when=FIRST_COMPLETED)
        waiting.intersection_update(rest)
        for each in finished:
            each.result()
            done()

    try:
        for question in questions:
            # One more is made ready than is asked about.
            if len(waiting) > at_once:
                collect()
            put = [examiner.put(question, condition) for condition in conditions]
            asked.append(pool.submit(grade, put))
            waiting.add(asked[-1])
        while waiting:
            collect()
    finally:
        stopped.set()
        pool.shutdown(wait=False, cancel_futures=True)
    return [graded for each in asked for graded in each.result()]


def estimate_answers(
    questions: Iterable[Question], conditions: Sequence[str], examiner: Examiner
) -> Usage:
    """Return the most that `run_answers` could take. Nothing is sent. Raises as `Examiner.most`."""
    asked = ((question, condition) for question in questions for condition in conditions)
    return sum((examiner.most(*each) for each in asked), NO_USAGE)


def _closed_book(question: Question) -> Request:
    return load("closed_book").request(question=question.text)


def _graded(
    condition: str, question: Question, figures: dict[str, float], text: str, why_failed: str
) -> Graded:
    return Graded(
        condition, question, {**figures, "failed": float(bool(why_failed))}, text, why_failed
    )


def _whole(sources: Sources, places: Sequence[str], budget: int) -> tuple[Evidence, ...]:
    """The places in their order, each with as many of its lines as there is room for."""
    chunks = sources.chunks_of(places)
    given: list[Evidence] = []
    room = budget
    for node in places:
        for chunk in chunks.get(node, ()):
            if piece := _cut(node, chunk, room):
                room -= piece.tokens
                given.append(piece)
    return tuple(given)


def _cut(node: str, chunk: Chunk, room: int) -> Evidence | None:
    """The chunk with as many of its lines as there is room for."""
    lines = chunk.text.rstrip("\n").split("\n")
    while lines:
        end = chunk.start_line + len(lines) - 1
        text = "\n".join(lines)
        tokens = price(node, chunk.start_line, end, text)
        if tokens <= room:
            return Evidence(node, chunk.path, chunk.start_line, end, text, tokens, True, ())
        lines.pop()
    return None


def _agreement(judged: Sequence[Judged]) -> float:
    by_fact = list(zip(*(each.verdicts for each in judged), strict=True))
    return sum(len(set(verdicts)) == 1 for verdicts in by_fact) / len(by_fact)


def _put(figures: dict[str, float], name: str, value: float | None) -> None:
    if value is not None:
        figures[name] = value


_COLUMNS: Final = (
    "names in context",
    "names in answer",
    "fact recall",
    "contradicted",
    "agreement",
    *QUALITIES,
    "context tokens",
    "failed",
)

_DRAWN: Final = {
    "names in context": "code names of the facts that stand in the context",
    "names in answer": "code names of the facts that stand in the answer",
    "fact recall": "facts that the judge finds in the answer",
}


def answer_report(graded: Sequence[Graded]) -> str:
    """Return the tables: all questions, then each slice."""
    return "\n\n".join(tables("All questions", graded, _COLUMNS)) + "\n"


def answer_charts(graded: Sequence[Graded], folder: Path) -> list[Path]:
    """Draw the measured shares by condition into `folder` and return the files.

    Raises:
        SettingsError: matplotlib is not installed.
    """
    return charts(graded, _DRAWN, folder)
