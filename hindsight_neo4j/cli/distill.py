"""Distillation: runs that found the right places become a training set for a small model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hindsight_neo4j.cli.bars import bars
from hindsight_neo4j.cli.command import HELP_NAMES, Grouped, command
from hindsight_neo4j.cli.model import Talking, talking
from hindsight_neo4j.cli.session import Session, shared
from hindsight_neo4j.cli.text import FAINT, plural, printable
from hindsight_neo4j.errors import SettingsError
from hindsight_neo4j.jsonl import read_rows

if TYPE_CHECKING:
    from hindsight_neo4j.distillation import Gold


@command(
    "hindsight distill traces tasks.jsonl > lessons.jsonl",
    "hindsight distill traces tasks.jsonl --mode agent --model qwen3-32b > lessons.jsonl",
    summary="Make lessons of tasks whose places are known.",
)
@click.argument("tasks", type=click.Path(path_type=Path), metavar="TASKS.jsonl")
@click.option("--files", type=click.IntRange(1), default=3, show_default=True, metavar="K",
              help="Keep runs whose files stand among the first K.")  # fmt: skip
@click.option("--modules", type=click.IntRange(1), default=5, show_default=True, metavar="K",
              help="The same for classes and top-level functions.")  # fmt: skip
@click.option("--functions", type=click.IntRange(1), default=5, show_default=True, metavar="K",
              help="The same for functions.")  # fmt: skip
@shared(as_json=False)
@talking(mode=True)
def traces(
    session: Session, *, tasks: Path, files: int, modules: int, functions: int, talking: Talking
) -> int:
    """Run a teacher over TASKS.jsonl on this index and print a lesson for each run that found the places.

    A line is {"id", "repo", "question", "gold_files", "gold_modules", "gold_functions"}. Without a model the offline
    pipeline teaches.
    """
    from hindsight_neo4j.distillation import Ranks

    ranks = Ranks(files, modules, functions)
    read = list(_read(tasks))
    outcomes: Counter[str] = Counter()
    with session.open() as client, bars(session) as shown:
        shown.stage("teach", len(read))
        for task in read:
            lesson, why = client.lesson(
                task.question, task.gold, id_=task.id, repository=task.repository, ranks=ranks,
                model=talking.model, mode=talking.mode, spend=talking.spend,
            )  # fmt: skip
            outcomes[why or "kept"] += 1
            if lesson is not None:
                session.compact(lesson.to_dict())
            shown.advance(1)
    said = ", ".join(f"{times} {why}" for why, times in sorted(outcomes.items()))
    session.say((f"{plural(len(read), 'task')}: {said}", FAINT))
    return 0 if outcomes["kept"] else 1


@command(
    "hindsight distill export lessons/*.jsonl -o training --evaluation qa.jsonl",
    summary="Write lessons as a training set with a data card.",
)
@click.argument("lessons", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path, file_okay=False),
              metavar="DIR", help="The folder to write.")  # fmt: skip
@click.option("--evaluation", multiple=True, type=click.Path(path_type=Path), metavar="TASKS.jsonl",
              help="Tasks that are measured with: nothing of or like them is kept. Repeat for several.")  # fmt: skip
@click.option("--most-tokens", type=click.IntRange(1), default=8_000, show_default=True, metavar="N",
              help="Leave longer lessons out.")  # fmt: skip
@shared(choose_index=False)
def export(
    session: Session,
    *,
    lessons: tuple[Path, ...],
    output: Path,
    evaluation: tuple[Path, ...],
    most_tokens: int,
) -> int:
    """Join LESSONS, leave out what is alike, too long or of an evaluation set, take secrets out, split by repository."""
    from hindsight_neo4j.client import export_lessons

    done = export_lessons(lessons, output, evaluation=evaluation, most_tokens=most_tokens)
    if session.as_json:
        session.object(done.to_dict())
        return 0
    session.page.line(
        f"{done.train:,} for training, {done.validation:,} for validation in {output}"
    )
    session.page.rows(
        ([(f"{times:,}", FAINT), (printable(why), FAINT)] for why, times in done.left_out.items()),
        indent=2,
    )
    return 0


@command(
    "hindsight distill train training --base Qwen/Qwen3-8B --dry-run",
    "hindsight distill train training --base Qwen/Qwen3-8B -o adapter",
    summary="Train an adapter for an open model with a training set.",
)
@click.argument("folder", type=click.Path(path_type=Path), metavar="TRAINING")
@click.option("--base", required=True, metavar="MODEL",
              help="The model: a folder, or a name on the hub of models, from which it is fetched.")  # fmt: skip
@click.option("-o", "--output", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
              default=Path("adapter"), show_default=True, help="The folder to write.")  # fmt: skip
@click.option(
    "--dry-run", is_flag=True, help="Check and count the lessons; load and train nothing."
)
@click.option("--most-tokens", type=click.IntRange(1), default=8_192, show_default=True, metavar="N",
              help="Leave lessons out that are longer for this model.")  # fmt: skip
@click.option("--epochs", type=click.FloatRange(0, min_open=True), default=3.0, show_default=True, metavar="N",
              help="How often each lesson is seen.")  # fmt: skip
@click.option("--steps", type=click.IntRange(1), metavar="N", help="Stop after N steps.")
@click.option("--batch", type=click.IntRange(1), default=8, show_default=True, metavar="N",
              help="Turns of lessons in a step.")  # fmt: skip
@click.option("--rank", type=click.IntRange(1), default=16, show_default=True, metavar="N",
              help="How large the adapter is.")  # fmt: skip
@click.option("--learning-rate", type=click.FloatRange(0, min_open=True), default=1e-4, show_default=True,
              metavar="X", help="How fast it learns.")  # fmt: skip
@shared(choose_index=False, choose_server=False)
def train(
    session: Session,
    *,
    folder: Path,
    base: str,
    output: Path,
    dry_run: bool,
    most_tokens: int,
    steps: int | None,
    **how: Any,
) -> int:
    """Train a LoRA adapter for MODEL with what `export` wrote into TRAINING.

    Only what the assistant says is learned, turn by turn, after the model's own chat template. Needs the extra
    `finetune` (a dry run: only its datasets and transformers), and for a model of eight billion parameters a large GPU.
    """
    with _extra():
        from hindsight_neo4j.distillation.turns import read_turns, tokenizer_of
    tokenizer = tokenizer_of(base)
    turns = read_turns(folder, tokenizer, most_tokens=most_tokens)
    done = None
    if not dry_run:
        with _extra():
            from hindsight_neo4j.distillation import finetune
        options = finetune.Training(steps=steps or 0, **how)
        with bars(session) as shown:
            done = finetune.train(turns, base, tokenizer, output, options, shown)
    if session.as_json:
        session.object({**turns.to_dict(), "trained": done and done.to_dict()})
        return 0
    session.page.line(
        f"{plural(turns.lessons['train'], 'lesson')} for training, {turns.lessons['validation']:,} for"
        f" validation, {turns.left_out:,} too long"
    )
    session.page.line(
        (f"{turns.tokens:,} tokens in an epoch, {turns.learned:,} of them learned", FAINT)
    )
    if done is not None:
        validation = (
            "" if done.validation_loss is None else f", {done.validation_loss:.3f} held out"
        )
        session.page.line(
            f"loss {done.losses[0]:.3f} at first, {done.losses[-1]:.3f} after"
            f" {plural(done.steps, 'step')}{validation}"
        )
        session.page.line(f"the adapter is in {printable(str(output))}")
    return 0


@contextmanager
def _extra() -> Iterator[None]:
    """Say how to get the libraries that are imported in the block."""
    try:
        yield
    except ImportError as error:
        raise SettingsError(
            f"training needs libraries that are not installed ({error.name})",
            hint="pip install 'hindsight-neo4j[finetune]'",
        ) from error


@click.command(
    "distill",
    cls=Grouped,
    groups={"Distill": (traces, export, train)},
    context_settings=HELP_NAMES,
    short_help="Make a training set of runs that found the right places.",
)
def distill() -> None:
    """Make a training set for a small model of runs that found the right places (docs/distillation.md)."""


@dataclass(frozen=True, slots=True)
class _Task:
    id: str
    repository: str
    question: str
    gold: Gold


def _read(file: Path) -> Iterator[_Task]:
    for number, row in read_rows(file):
        try:
            yield _task(row)
        except (ValueError, TypeError, KeyError) as error:
            raise SettingsError(
                f"{file}:{number}: no task with a question and its places",
                hint='such as {"id": "1", "repo": "a/b", "question": "…", "gold_files": ["x.py"]}',
            ) from error


def _task(row: dict[str, Any]) -> _Task:
    from hindsight_neo4j.distillation import Gold

    question = row["question"]
    grains = [tuple(map(str, row.get(f"gold_{grain}") or ())) for grain in Gold.__slots__]
    if not isinstance(question, str) or not question.strip() or not any(grains):
        raise ValueError("no question, or no places")
    return _Task(str(row.get("id", "")), str(row.get("repo", "")), question, Gold(*grains))
