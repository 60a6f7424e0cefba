"""The answer ladder: every question under every condition, with the same prompt and the same budget.

Without a model only the contexts are measured, by the code names of the facts that they hold. With one, it reads each context
and a judge, another model if one is set, checks the facts. Every reply is kept by the ledger, so a run that was cut off
goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from hindsight_neo4j.answering import answer, reader
from hindsight_neo4j.answering.prompt import load
from hindsight_neo4j.errors import BadReply, ContextOverflow, SettingsError
from hindsight_neo4j.evaluation.code_names import share_in
from hindsight_neo4j.evaluation.judge import Judged, Verdict, judge_facts, judge_quality
from hindsight_neo4j.evaluation.task import SLICES
from hindsight_neo4j.jsonl import read_rows
from hindsight_neo4j.model.answer import Mode
from hindsight_neo4j.model.question import Evidence
from hindsight_neo4j.models.talk import Talk
from hindsight_neo4j.retrieval.budget import count_tokens
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
    """A condition of the ladder: what is given to read."""

    name: str
    what: str
    needs_model: bool = False


CONTEXTS: Final = {
    each.name: each
    for each in (
        Context("limited", "the question alone", needs_model=True),
        Context("bm25", "keyword search over functions, no graph"),
        Context("article", "the published system's walk, by intent"),
        Context("ours", "the default"),
        Context("agent", "the model searches, walks and reads by itself", needs_model=True),
        Context("full", "the functions that the reference answer speaks of"),
    )
}
"""By name, in the order of the tables."""


@dataclass(frozen=True, slots=True)
class Graded:
    """What one condition made of one question. Figures that were not measured are missing; `failed` says why."""

    condition: str
    question: Question
    figures: Mapping[str, float]
    answer: str
    failed: str


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

    def grade(self, question: Question, condition: str) -> Graded:
        """Put a question under a condition. A reply that is none, or a context too long, fails that one question.

        Raises:
            ModelError: The model or the judge cannot be asked any more.
        """
        figures: dict[str, float] = {}
        text = failed = ""
        try:
            if condition == "limited":
                text = self._closed_book(question)
            else:
                given, text = self._read(question, condition)
                held = "\n".join(f"{piece.id}\n{piece.text}" for piece in given)
                _put(figures, "names in context", share_in(question.facts, held))
                figures["context tokens"] = float(sum(piece.tokens for piece in given))
            if text:
                _put(figures, "names in answer", share_in(question.facts, text))
                self._judge(question, text, figures)
        except (BadReply, ContextOverflow) as error:
            failed = str(error)
        return Graded(condition, question, figures, text, failed)

    def _read(self, question: Question, condition: str) -> tuple[Sequence[Evidence], str]:
        options = AskOptions(budget=self.budget)
        if condition == "agent" and self.talk is not None:
            asked = answer(question.text, self.sources, options, self.talk, mode=Mode.AGENT)
            return asked.evidence, asked.answer.text if asked.answer else ""
        if condition == "full":
            given: Sequence[Evidence] = _whole(self.sources, question.places, self.budget)
        else:
            policy = options.policy if condition == "ours" else condition
            given = ask(question.text, self.sources, replace(options, policy=policy)).evidence
        if self.talk is None or not given:
            return given, ""
        return given, reader.read(question.text, given, self.talk).answer.text

    def _closed_book(self, question: Question) -> str:
        if self.talk is None:
            return ""
        return self.talk.ask(load("closed_book").request(question=question.text)).text

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
) -> list[Graded]:
    """Return every question under every condition; `done` is called after each question. Raises as `Examiner.grade`."""
    graded = []
    for question in questions:
        graded += [examiner.grade(question, condition) for condition in conditions]
        done()
    return graded


def _whole(sources: Sources, places: Sequence[str], budget: int) -> tuple[Evidence, ...]:
    """The places in their order, each with as many of its lines as there is room for."""
    chunks = sources.chunks.chunks_of(places, snapshot=sources.title)
    given: list[Evidence] = []
    room = budget
    for node in places:
        for chunk in chunks.get(node, ()):
            lines = chunk.text.rstrip("\n").split("\n")
            while lines and _tokens(node, lines) > room:
                lines.pop()
            if lines:
                tokens = _tokens(node, lines)
                room -= tokens
                end = chunk.start_line + len(lines) - 1
                given.append(
                    Evidence(
                        node, chunk.path, chunk.start_line, end, "\n".join(lines), tokens, True, ()
                    )
                )
    return tuple(given)


def _tokens(node: str, lines: Sequence[str]) -> int:
    text = "\n".join(lines)
    return count_tokens(f"{node}\n{text}\n")


def _agreement(judged: Sequence[Judged]) -> float:
    by_fact = list(zip(*(each.verdicts for each in judged), strict=True))
    return sum(len(set(verdicts)) == 1 for verdicts in by_fact) / len(by_fact)


def _put(figures: dict[str, float], name: str, value: float | None) -> None:
    if value is not None:
        figures[name] = value


def answer_report(graded: Sequence[Graded]) -> str:
    """Return the tables: all questions, then each slice."""
    blocks = [_means("All questions", graded)]
    for name in SLICES:
        values = sorted({g.question.slices[name] for g in graded if name in g.question.slices})
        for value in values if len(values) > 1 else ():
            part = [each for each in graded if each.question.slices.get(name) == value]
            blocks.append(_means(f"{name.replace('_', ' ')}: {value}", part))
    return "\n\n".join(blocks) + "\n"


_COLUMNS: Final = (
    "names in context",
    "names in answer",
    "fact recall",
    "contradicted",
    "agreement",
    *QUALITIES,
    "context tokens",
)


def _means(title: str, graded: Sequence[Graded]) -> str:
    names = [name for name in CONTEXTS if any(each.condition == name for each in graded)]
    columns = [name for name in _COLUMNS if any(name in each.figures for each in graded)]
    questions = len({each.question.id for each in graded})
    lines = [
        f"**{title}** ({questions})",
        "",
        "| " + " | ".join(["condition", *columns, "failed"]) + " |",
        "|---" * (len(columns) + 2) + "|",
    ]
    for name in names:
        mine = [each for each in graded if each.condition == name]
        cells = [_mean([each.figures[c] for each in mine if c in each.figures]) for c in columns]
        failed = sum(bool(each.failed) for each in mine)
        lines.append("| " + " | ".join([name, *cells, str(failed)]) + " |")
    return "\n".join(lines)


def _mean(values: Sequence[float]) -> str:
    if not values:
        return ""
    mean = sum(values) / len(values)
    return f"{mean:.3f}" if mean <= 1 else f"{mean:,.1f}"
