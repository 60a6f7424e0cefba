"""Files that a command is given by name."""

from __future__ import annotations

import sys
from pathlib import Path

from hindsight_neo4j.errors import SettingsError
from hindsight_neo4j.jsonl import readable


def read_text(file: Path) -> str:
    """Return the text of a file; `-` is standard input.

    Raises:
        SettingsError: It cannot be opened, or is no text.
    """
    with readable(file):
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")


def write_bytes(file: Path, content: bytes) -> None:
    """Write a file.

    Raises:
        SettingsError: It cannot be written.
    """
    try:
        file.write_bytes(content)
    except OSError as error:
        raise SettingsError(f"cannot write {file}", hint=error.strerror or "") from error
