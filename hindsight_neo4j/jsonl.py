"""JSON Lines from a user: one object a line, each with the number of its line, so that an error can name it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hindsight_neo4j.errors import SettingsError


def read_rows(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a file with the numbers of their lines. Blank lines are passed over.

    Raises:
        SettingsError: The file cannot be read, or a line is no JSON object.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise SettingsError(f"{file} cannot be read", hint=reason or "") from error
    # Not splitlines(): it would also cut at letters that may stand inside a JSON string.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise SettingsError(f"{file}:{number}: not a JSON object", hint="one object a line")
        yield number, row
