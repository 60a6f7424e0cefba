"""Export: lessons become `train.jsonl` and `validation.jsonl`, split by repository, with a data card that counts everything."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from hindsight_neo4j.distillation.lesson import Call, Lesson
from hindsight_neo4j.distillation.sieve import NEAR, Known, redact
from hindsight_neo4j.errors import SettingsError, SourceError, WriteFailed
from hindsight_neo4j.jsonl import read_rows

VALIDATION_SHARE: Final = 0.1
"""Share of the lessons that is kept for validation, in whole repositories."""

MOST_TOKENS: Final = 8_000
"""Tokens of a lesson, by our own count: memory in training grows with the longest one."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written. `left_out` counts lessons by why they were not."""

    train: int
    validation: int
    left_out: dict[str, int]
    redacted: int
    repositories: dict[str, int]
    validation_repositories: tuple[str, ...]
    teachers: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as plain data, ready for JSON."""
        return {
            "schema": 1,
            "train": self.train,
            "validation": self.validation,
            "left_out": self.left_out,
            "redacted": self.redacted,
            "repositories": self.repositories,
            "validation_repositories": list(self.validation_repositories),
            "teachers": self.teachers,
        }


def read_lessons(files: Iterable[Path]) -> Iterator[Lesson]:
    """Yield the lessons of files written by `hindsight distill traces`.

    Raises:
        SettingsError: A file cannot be read, or a line is no lesson.
    """
    for file in files:
        for number, row in read_rows(file):
            try:
                yield Lesson.from_dict(row)
            except ValueError as error:
                raise SettingsError(f"{file}:{number}: {error}") from error


def export(
    lessons: Iterable[Lesson],
    folder: Path,
    *,
    count: Callable[[str], int],
    evaluation: Sequence[Path] = (),
    most_tokens: int = MOST_TOKENS,
) -> Exported:
    """Write the lessons worth keeping into `folder`, and return what was done.

    Args:
        lessons: In the order in which the first of two alike is kept.
        folder: Is made; files of an earlier export in it are replaced.
        count: Tokens of a text.
        evaluation: Files of tasks that are measured with: neither their repositories nor copies of their questions are kept.
        most_tokens: Tokens of a lesson that is kept.

    Raises:
        SettingsError: An evaluation file cannot be read.
        SourceError: No lesson is left.
        WriteFailed: The folder cannot be written.
    """
    tasks = [row for file in evaluation for _, row in read_rows(file)]
    kept, left_out, redacted = _sift(lessons, tasks, count, most_tokens)
    if not kept:
        why = ", ".join(f"{times} {reason}" for reason, times in left_out.items())
        raise SourceError("no lesson is left", hint=why or "there were none")
    by_repository = Counter(lesson.repository for lesson in kept)
    validation = _validation(by_repository)
    train = [lesson for lesson in kept if lesson.repository not in validation]
    held_out = [lesson for lesson in kept if lesson.repository in validation]
    done = Exported(
        train=len(train),
        validation=len(held_out),
        left_out=dict(sorted(left_out.items())),
        redacted=redacted,
        repositories=dict(sorted(by_repository.items())),
        validation_repositories=tuple(sorted(validation)),
        teachers=dict(sorted(Counter(lesson.teacher for lesson in kept).items())),
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / "train.jsonl", _lines(train))
        _write(folder / "validation.jsonl", _lines(held_out))
        _write(folder / "counts.json", [json.dumps(done.to_dict(), indent=2) + "\n"])
        _write(folder / "README.md", [_card(done, [file.name for file in evaluation], most_tokens)])
    except OSError as error:
        raise WriteFailed(f"{folder} cannot be written ({error.strerror})") from error
    return done


def _sift(
    lessons: Iterable[Lesson],
    tasks: Sequence[dict[str, Any]],
    count: Callable[[str], int],
    most_tokens: int,
) -> tuple[list[Lesson], Counter[str], int]:
    measured = {_repository_key(str(task.get("repo", ""))) for task in tasks} - {""}
    evaluated = Known(str(task.get("question", "")) for task in tasks)
    seen = Known()
    kept: list[Lesson] = []
    left_out: Counter[str] = Counter()
    redacted = 0
    for lesson in lessons:
        clean, secrets = _without_secrets(lesson)
        if _repository_key(lesson.repository) in measured:
            left_out["of an evaluation repository"] += 1
        elif evaluated.has_like(lesson.question):
            left_out["like an evaluation question"] += 1
        elif seen.has_like(lesson.question):
            left_out["like a lesson before it"] += 1
        elif count(json.dumps(clean.to_dict()["messages"], ensure_ascii=False)) > most_tokens:
            left_out["too long"] += 1
        else:
            kept.append(clean)
            redacted += secrets
            seen.add(lesson.question)
    return kept, left_out, redacted


def _without_secrets(lesson: Lesson) -> tuple[Lesson, int]:
    question, found = redact(lesson.question)
    answer, more = redact(lesson.answer)
    found += more
    calls = []
    for call in lesson.calls:
        result, more = redact(call.result)
        names = [redact(name) for name in call.arguments.get("names", ())]
        found += more + sum(times for _, times in names)
        arguments = {**call.arguments, "names": [name for name, _ in names]}
        calls.append(Call(call.tool, arguments, result))
    return replace(lesson, question=question, answer=answer, calls=tuple(calls)), found


def _validation(by_repository: Counter[str]) -> Collection[str]:
    """Whole repositories, in the order of their names' hashes, until they hold the share; never the last one."""
    order = sorted(by_repository, key=lambda name: blake2b(name.encode(), digest_size=8).digest())
    wanted = VALIDATION_SHARE * by_repository.total()
    chosen: set[str] = set()
    for name in order[:-1]:
        if sum(by_repository[each] for each in chosen) >= wanted:
            break
        chosen.add(name)
    return chosen


def _repository_key(name: str) -> str:
    return name.rpartition("/")[2].lower().replace("_", "-")


def _lines(lessons: Sequence[Lesson]) -> Iterator[str]:
    for lesson in lessons:
        yield json.dumps(lesson.to_dict(), ensure_ascii=False, separators=(",", ":")) + "\n"


def _write(file: Path, lines: Iterable[str]) -> None:
    part = file.with_suffix(f"{file.suffix}.part")
    with part.open("w", encoding="utf-8") as out:
        out.writelines(lines)
    os.replace(part, file)


def _card(done: Exported, evaluation: Sequence[str], most_tokens: int) -> str:
    rows = "\n".join(f"| {why} | {times} |" for why, times in done.left_out.items())
    repositories = "\n".join(
        f"| {name} | {times} | {'validation' if name in done.validation_repositories else 'train'} |"
        for name, times in done.repositories.items()
    )
    teachers = ", ".join(f"{name} ({times})" for name, times in done.teachers.items())
    checked = ", ".join(evaluation) or "none given: nothing was checked"
    return f"""# Lessons in finding code

{done.train:,} lessons for training, {done.validation:,} for validation. Each is one question about a repository, the steps
that were taken over its code graph with what they returned, and the places at the end. Made by `hindsight distill`.

Form: JSON Lines, `messages` with `tool_calls` and `tools` as in OpenAI's chat completions. Teachers: {teachers}.

Kept are runs that had the true places in the first ranks of each grain, of at most {most_tokens:,} tokens. Secrets and
e-mail addresses were taken out ({done.redacted:,}). Questions that share more than {NEAR:.0%} of their words count as alike.
Evaluation sets kept apart: {checked}.

| left out | lessons |
|---|---|
{rows or "| nothing | 0 |"}

| repository | lessons | part |
|---|---|---|
{repositories}

The code in the results is that of the repositories, under their licences.
"""
