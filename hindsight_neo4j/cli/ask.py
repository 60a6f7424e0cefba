"""Questions: `ask` and `locate`, one at a time or a file of them."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from hindsight_neo4j.cli.answer import show_answer, show_ranking
from hindsight_neo4j.cli.coming import coming
from hindsight_neo4j.cli.command import command, with_options
from hindsight_neo4j.cli.files import read_text
from hindsight_neo4j.cli.model import NO_MODEL, Talking, show_estimate, talking
from hindsight_neo4j.cli.session import Session, shared
from hindsight_neo4j.errors import ModelError, QuestionError, SettingsError
from hindsight_neo4j.jsonl import numbered_lines
from hindsight_neo4j.model.question import Breadth, Intent

if TYPE_CHECKING:
    from hindsight_neo4j.client import Hindsight

POLICIES: Final = ("default", "article", "bm25")


@dataclass(frozen=True, slots=True)
class Choices:
    """How a question is to be asked."""

    intent: Intent | None
    scope: Breadth | None
    policy: str
    dense: bool
    limit: int
    explain: bool

    def search(self, session: Session) -> dict[str, Any]:
        """Return what the client's methods take."""
        return {
            "intent": self.intent,
            "scope": self.scope,
            "policy": self.policy,
            "dense": session.dense(self.dense),
        }


def _questions(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the arguments that `ask` and `locate` share, as `question`, `batch` and one `Choices`."""

    @functools.wraps(command)
    def with_choices(
        *,
        intent: str | None,
        scope: str | None,
        policy: str,
        dense: bool,
        limit: int,
        explain: bool,
        **own: Any,
    ) -> int:
        choices = Choices(
            intent=Intent(intent) if intent else None,
            scope=Breadth(scope) if scope else None,
            policy=policy,
            dense=dense,
            limit=limit,
            explain=explain,
        )
        return command(choices=choices, **own)

    return with_options(
        with_choices,
        click.argument("question", required=False),
        click.option(
            "--batch",
            type=click.Path(path_type=Path, allow_dash=True),
            metavar="FILE.jsonl",
            help='Many questions, {"id", "question"} a line; - for stdin. Prints one JSON object a line.',
        ),
        click.option(
            "--intent",
            type=click.Choice([one.value for one in Intent]),
            help="What you are about to do. [default: guessed from the question]",
        ),
        click.option(
            "--scope",
            type=click.Choice([one.value for one in Breadth]),
            help="Across files, or inside one. [default: guessed]",
        ),
        click.option(
            "--policy",
            type=click.Choice(POLICIES),
            default=POLICIES[0],
            show_default=True,
            help="How the graph is walked: ours, the article's, or not at all.",
        ),
        click.option(
            "--dense",
            is_flag=True,
            help="Search by meaning too, in an index that was ingested with --dense.",
        ),
        click.option(
            "--limit",
            type=click.IntRange(1),
            metavar="N",
            default=5,
            show_default=True,
            help="Most files to print.",
        ),
        click.option("--explain", is_flag=True, help="Print each step, ready to paste."),
    )


@command(
    'hindsight ask "what breaks if I change Store.put?"',
    summary="Answer a question with ranked code and the path that proves it.",
)
@_questions
@click.option(
    "--budget",
    type=click.IntRange(1),
    default=None,
    metavar="TOKENS",
    help="Most tokens of evidence to pack.",
)
@shared()
@talking(mode=True, dry_run=True, trace=True)
def ask(
    session: Session,
    *,
    choices: Choices,
    talking: Talking,
    question: str | None,
    batch: Path | None,
    budget: int | None,
) -> int:
    """Answer QUESTION with the files, classes and functions that matter and the path through the code.

    With a model, in prose too: each sentence cites its place, and what nothing given supports is marked.
    """
    with session.open() as client, ExitStack() as stack:
        if talking.dry_run:
            return _dry_run(session, client, talking, _question(question), budget)
        chosen = {
            **choices.search(session),
            "budget": budget,
            **talking.asking(talking.tracing(stack)),
        }
        if batch is not None:
            failed = False

            def answered(text: str) -> dict[str, Any]:
                nonlocal failed
                asked = client.ask(text, **chosen)
                failed = failed or asked.failed
                return asked.to_dict()

            _run_batch(session, _either(question, batch), answered)
            return ModelError.exit_code if failed else 0
        with coming(session) as hear:
            asked = client.ask(_question(question), **chosen, hear=hear)
    if session.as_json:
        session.object(asked.to_dict())
    else:
        show_answer(session, asked, limit=choices.limit, explain=choices.explain)
    if asked.failed:
        return ModelError.exit_code
    return 0 if asked.located.files else 1


def _dry_run(
    session: Session, client: Hindsight, talking: Talking, question: str, budget: int | None
) -> int:
    if talking.model is None:
        session.page.line(NO_MODEL)
        return 0
    most = client.estimate(question, model=talking.model, mode=talking.mode, budget=budget)
    show_estimate(session, most, talking.model.base_url)
    return 0


@command(
    'hindsight locate "KeyError in Store.put when the key is empty"',
    "hindsight locate --batch questions.jsonl > rankings.jsonl",
    summary="Rank files, classes and functions for a text.",
)
@_questions
@shared()
def locate(session: Session, *, choices: Choices, question: str | None, batch: Path | None) -> int:
    """Rank the files, classes and functions that QUESTION is about: an issue, a trace, a few words."""
    chosen = choices.search(session)
    with session.open() as client:
        if batch is not None:
            return _run_batch(
                session,
                _either(question, batch),
                lambda text: client.locate(text, **chosen).to_dict(),
            )
        located = client.locate(_question(question), **chosen)
    if session.as_json:
        session.object(located.to_dict())
    else:
        show_ranking(session, located, limit=choices.limit, explain=choices.explain)
    return 0 if located.files else 1


def _question(text: str | None) -> str:
    if text is None:
        raise QuestionError(
            "no question given", hint='such as: hindsight ask "who opens the file?"'
        )
    return text


def _either(question: str | None, batch: Path) -> Path:
    if question is not None:
        raise SettingsError("a QUESTION and --batch", hint="give one of them")
    return batch


def _run_batch(session: Session, batch: Path, answer: Callable[[str], dict[str, Any]]) -> int:
    for question in _read_batch(batch):
        named = {} if question.id is None else {"id": question.id}
        session.compact({**named, **answer(question.text)})
    return 0


@dataclass(frozen=True, slots=True)
class _Question:
    id: str | int | None
    text: str


def _read_batch(batch: Path) -> list[_Question]:
    """Read all questions before the first is asked: a bad line must not cost an hour of answers."""
    return list(_questions_of(batch, read_text(batch)))


def _questions_of(batch: Path, text: str) -> Iterator[_Question]:
    for number, line in numbered_lines(text):
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        question = row.get("question") if isinstance(row, dict) else None
        if not isinstance(question, str) or not question.strip():
            raise SettingsError(
                f"{batch}:{number}: not a JSON object with a question",
                hint='such as {"id": "1", "question": "who opens the file?"}',
            )
        yield _Question(row.get("id"), question)
