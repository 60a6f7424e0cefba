"""Evaluation: how well changes are located, by tasks of a file or of a repository's own history."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from hindsight_neo4j.cli.bars import bars
from hindsight_neo4j.cli.command import HELP_NAMES, Grouped, command
from hindsight_neo4j.cli.eval_answers import answers
from hindsight_neo4j.cli.session import Session, shared
from hindsight_neo4j.cli.text import plural

DEFAULT_CONDITIONS: Final = ("bm25", "article", "ours")


@command(
    "hindsight eval localize tasks.jsonl",
    "hindsight eval localize tasks.jsonl --all --charts figures",
    summary="Score the rankings for tasks whose places are known.",
)
@click.argument("tasks", type=click.Path(path_type=Path), metavar="TASKS.jsonl")
@click.option(
    "--condition",
    "names",
    multiple=True,
    metavar="NAME",
    help=f"A way to retrieve; repeat for several. [default: {', '.join(DEFAULT_CONDITIONS)}]",
)
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Every condition, with each part left out; those with vectors where the index has them.",
)
@click.option(
    "--charts",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Draw the figures as PNG into a folder (needs matplotlib).",
)
@shared()
def localize(
    session: Session, *, tasks: Path, names: tuple[str, ...], every: bool, charts: Path | None
) -> int:
    """Locate every task of TASKS.jsonl under several conditions, and print how often the places were found.

    A line is {"id", "question", "gold_functions": ["path:Class.method", …]}; gold_files and gold_modules are read off
    it where they are missing. All conditions see the same snapshot.
    """
    from hindsight_neo4j.evaluation import CONDITIONS, chosen, read_tasks, report, write_charts

    wanted = chosen(CONDITIONS, CONDITIONS if every else names or DEFAULT_CONDITIONS)
    read = read_tasks(tasks)
    with session.open() as client, bars(session) as shown:
        if every and client.vector_model is None:
            wanted = [each for each in wanted if not each.needs_vectors]
        shown.stage("locate", len(read))
        outcomes = client.evaluate(
            read,
            wanted,
            done=lambda: shown.advance(1),
        )
    for file in write_charts(outcomes, charts) if charts is not None else ():
        session.say(f"drawn: {file}")
    if session.as_json:
        session.object({"schema": 1, "outcomes": [_said(each) for each in outcomes]})
    else:
        click.echo(report(outcomes), nl=False)
    return 0


@command(
    "hindsight eval from-git --to main > tasks.jsonl",
    name="from-git",
    summary="Make tasks of a repository's later commits.",
)
@click.argument("path", type=click.Path(path_type=Path), default=Path())
@click.option(
    "--base",
    default="HEAD",
    show_default=True,
    metavar="COMMIT",
    help="What the index was made from.",
)
@click.option(
    "--to", required=True, metavar="COMMIT", help="The last commit to look at, or a branch."
)
@shared(as_json=False)
def from_git(session: Session, *, path: Path, base: str, to: str) -> int:
    """Print a task for each commit after the indexed one whose places the index still knows.

    A commit fits when the files that it changes are still as they were indexed. Check an old state out beside the
    repository (git worktree add ../old v1.0), ingest it, and run this in there.
    """
    count = 0
    with session.open() as client:
        for task in client.tasks_from_git(path, base=base, to=to):
            session.compact(task.to_dict())
            count += 1
    session.say(plural(count, "task"))
    return 0 if count else 1


def _said(outcome: Any) -> dict[str, Any]:
    return {
        "condition": outcome.condition,
        "id": outcome.task.id,
        "scores": outcome.scores,
        "prediction": {"id": outcome.task.id, **outcome.located.to_dict()},
    }


@click.command(
    "eval",
    cls=Grouped,
    groups={"Evaluate": (localize, answers, from_git)},
    context_settings=HELP_NAMES,
    short_help="Measure the rankings on tasks of your own.",
)
def evaluate() -> None:
    """Measure how well `locate` finds the places of known changes, and what each part of it is worth."""
