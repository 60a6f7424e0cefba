"""Tasks: a text and the places that answer it, one JSON object a line.

    {"id": "1", "question": "KeyError in Store.put", "gold_files": ["app/db.py"],
     "gold_modules": ["app/db.py:Store"], "gold_functions": ["app/db.py:Store.put"], "intent": "lagging"}

`gold_modules` are classes and top-level functions; where they are missing they are read off `gold_functions`, and files
likewise. Further fields (`SLICES`) split the figures.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hindsight_neo4j.errors import SettingsError
from hindsight_neo4j.jsonl import numbered_lines, readable

GRAINS: Final = ("file", "module", "function")

SLICES: Final = ("intent", "category", "has_location_hint", "searchable", "scope", "is_core")
"""Fields of a task by whose values the figures are split."""


@dataclass(frozen=True, slots=True)
class Task:
    """A text with the ids of its places by grain. `slices` are its values of `SLICES`, those that it has."""

    id: str
    question: str
    gold: Mapping[str, frozenset[str]]
    slices: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Return the line of the file that says the task."""
        return {
            "id": self.id,
            "question": self.question,
            **{f"gold_{grain}s": sorted(self.gold[grain]) for grain in GRAINS},
            **self.slices,
        }


def task_of(row: Mapping[str, Any]) -> Task:
    """Return the task that a row says.

    Raises:
        ValueError: A field is missing or of the wrong type; the message names it.
    """
    functions = _ids(row, "gold_functions")
    modules = _ids(row, "gold_modules") or [module_of(node) for node in functions]
    files = _ids(row, "gold_files") or [node.partition(":")[0] for node in [*modules, *functions]]
    if not files:
        raise ValueError("no gold_files, gold_modules or gold_functions")
    question = row.get("question")
    if not isinstance(question, str) or not question.strip():
        raise ValueError("no question")
    gold = dict(zip(GRAINS, map(frozenset, (files, modules, functions)), strict=True))
    slices = {name: str(row[name]) for name in SLICES if row.get(name) is not None}
    return Task(str(row.get("id", "")), question, gold, slices)


def read_tasks(path: Path) -> list[Task]:
    """Return the tasks of a file, in its order.

    Raises:
        SettingsError: The file cannot be read, or a line says no task; the message has its number.
    """
    with readable(path):
        text = path.read_text(encoding="utf-8")
    tasks = []
    for number, line in numbered_lines(text):
        try:
            row = json.loads(line)
            tasks.append(task_of(row if isinstance(row, dict) else {}))
        except ValueError as error:
            raise SettingsError(
                f"{path}:{number}: not a task: {error}",
                hint='such as {"id": "1", "question": "…", "gold_functions": ["app/db.py:Store.put"]}',
            ) from error
    if not tasks:
        raise SettingsError(f"{path} holds no task", hint="one JSON object a line")
    return tasks


def module_of(node: str) -> str:
    """Return the outermost class or function that a node is in.

    >>> module_of("app/db.py:Store.put")
    'app/db.py:Store'
    """
    path, mark, qualname = node.partition(":")
    return f"{path}{mark}{qualname.partition('.')[0]}"


def _ids(row: Mapping[str, Any], field: str) -> Sequence[str]:
    found = row.get(field) or []
    if not isinstance(found, list) or not all(isinstance(each, str) and each for each in found):
        raise ValueError(f"{field} is no list of ids")
    return found
