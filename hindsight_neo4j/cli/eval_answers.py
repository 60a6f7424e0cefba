"""`hindsight eval answers`: how well questions are answered, by what the model is given to read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from hindsight_neo4j.cli.bars import bars
from hindsight_neo4j.cli.command import command
from hindsight_neo4j.cli.model import NO_MODEL, Talking, show_estimate, talking, usage_text
from hindsight_neo4j.cli.session import Session, shared
from hindsight_neo4j.cli.text import FAINT
from hindsight_neo4j.errors import SettingsError

DEFAULT_CONDITIONS: Final = ("bm25", "article", "ours", "full")
WITH_MODEL: Final = ("limited", "bm25", "ours", "full")


@command(
    "hindsight eval answers questions.jsonl",
    "hindsight eval answers questions.jsonl --model qwen3-8b --judge gpt-5 --max-cost 5",
    summary="Score the answers to questions whose facts are known.",
)
@click.argument("questions", type=click.Path(path_type=Path), metavar="QUESTIONS.jsonl")
@click.option(
    "--condition",
    "names",
    multiple=True,
    metavar="NAME",
    help=f"What is given to read; repeat for several. [default: {', '.join(DEFAULT_CONDITIONS)};"
    f" with a model {', '.join(WITH_MODEL)}]",
)
@click.option("--budget", type=click.IntRange(1), default=2_000, show_default=True, metavar="TOKENS",
              help="Most tokens of evidence, the same for all.")  # fmt: skip
@click.option("--answer-tokens", type=click.IntRange(1), metavar="N",
              help="Most tokens of an answer. [default: those of the model]")  # fmt: skip
@click.option("--first", type=click.IntRange(1), metavar="N", help="Only the first N questions.")
@click.option(
    "--judge",
    metavar="NAME",
    help="The model that checks the facts. [default: the one that answers]",
)
@click.option("--judge-url", metavar="URL", help="Its address. [default: that of the model]")
@click.option("--repeat", type=click.IntRange(1), default=1, show_default=True, metavar="K",
              help="Judge each answer K times, with other seeds, and say how far they agree.")  # fmt: skip
@click.option("--quality", is_flag=True, help="Ask the judge for marks from 1 to 10 as well.")
@click.option("--at-once", type=click.IntRange(1, 64), default=1, show_default=True, metavar="N",
              help="Ask about N questions at a time, where the server answers several calls together.")  # fmt: skip
@click.option("--charts", type=click.Path(path_type=Path), metavar="DIR",
              help="Draw the figures as PNG into a folder (needs matplotlib).")  # fmt: skip
@shared()
@talking(dry_run=True)
def answers(
    session: Session,
    *,
    questions: Path,
    names: tuple[str, ...],
    budget: int,
    answer_tokens: int | None,
    first: int | None,
    judge: str | None,
    judge_url: str | None,
    repeat: int,
    quality: bool,
    at_once: int,
    charts: Path | None,
    talking: Talking,
) -> int:
    """Answer every question of QUESTIONS.jsonl under several conditions, and print how many of its facts came out.

    A line is {"id", "question", "answer", "facts": […], "gold_functions": […]}. Without a model only what would be read is
    measured: the share of the facts' code names in it, which is not fact recall. A run that was cut off goes on where it
    was: no call is made twice.
    """
    from hindsight_neo4j.evaluation import (
        CONTEXTS,
        answer_charts,
        answer_report,
        chosen,
        read_questions,
    )

    model = talking.model
    wanted = chosen(CONTEXTS, names or (WITH_MODEL if model else DEFAULT_CONDITIONS))
    if model is None and any(each.needs_model for each in wanted):
        raise SettingsError(
            "limited and agent need a model", hint="give --model, or leave them out"
        )
    read = read_questions(questions)[:first]
    judging = model and replace(
        model, name=judge or model.name, base_url=judge_url or model.base_url
    )
    where = " and ".join(dict.fromkeys(each.base_url for each in (model, judging) if each))
    if model and answer_tokens:
        model = replace(model, max_output_tokens=answer_tokens)
    named = [each.name for each in wanted]
    how: dict[str, Any] = {
        "budget": budget, "model": model, "judge": judging, "repeat": repeat, "quality": quality
    }  # fmt: skip
    if talking.dry_run:
        if model is None:
            session.page.line(NO_MODEL)
            return 0
        with session.open() as client:
            most = client.estimate_answers(read, named, **how)
        show_estimate(session, most, where)
        return 0
    with session.open() as client, bars(session) as shown:
        shown.stage("answer", len(read))
        graded, usage = client.evaluate_answers(
            read,
            named,
            **how,
            spend=talking.spend,
            at_once=at_once,
            done=lambda: shown.advance(1),
        )
    for file in answer_charts(graded, charts) if charts is not None else ():
        session.say(f"drawn: {file}")
    if session.as_json:
        rows = [
            {
                "condition": each.condition,
                "id": each.question.id,
                "figures": dict(each.figures),
                "answer": each.answer,
                "failed": each.why_failed,
            }
            for each in graded
        ]
        session.object({"schema": 1, "outcomes": rows, "usage": usage.to_dict()})
    else:
        click.echo(answer_report(graded), nl=False)
    if model is not None:
        session.say((usage_text(usage), FAINT))
    return 0
