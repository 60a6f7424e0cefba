"""JSON Lines from a user: one object a line, each with the number of its line, so that an error can name it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hindsight_neo4j.errors import SettingsError


def read_rows(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a file with the numbers of their lines. Blank lines are passed over.

    Raises:
        SettingsError: The file cannot be read, or a line is no JSON object.
    """
    with readable(file):
        text = file.read_text(encoding="utf-8")
    for number, line in numbered_lines(text):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise SettingsError(f"{file}:{number}: not a JSON object", hint="one object a line")
        yield number, row


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text that are not blank, with their numbers from 1."""
    # Not splitlines(): it would also cut at letters that may stand inside a JSON string.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line


@contextmanager
def readable(file: Path) -> Iterator[None]:
    """Say of a file that cannot be read in this block why not.

    Raises:
        SettingsError: It cannot be opened, or is no text.
    """
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise SettingsError(f"{file} cannot be read", hint=reason or "") from error
