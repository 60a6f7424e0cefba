"""The ledger of one index: replies that need not be paid twice, and the sum of what all calls took. SQLite.

A reply is kept by the hash of everything that it depends on: messages, shape, model, parameters, and the state of the
index. It is written before it is used, so a run that is killed repeats no call.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Self

from hindsight_neo4j.errors import WriteFailed
from hindsight_neo4j.model.exchange import Reply, Request, Usage

FILE_NAME: Final = "models.sqlite"
_BUSY_S: Final = 10.0
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, text TEXT, prompt INTEGER, completion INTEGER, stop TEXT);
CREATE TABLE IF NOT EXISTS spent
    (model TEXT PRIMARY KEY, calls INTEGER, cached INTEGER, prompt INTEGER, completion INTEGER, cost REAL);
"""


class Ledger:
    """Replies and sums in one file. Several threads and several processes may use it at once."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._alone = threading.Lock()
        self._open: sqlite3.Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. May be called twice."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def find(self, key: str) -> Reply | None:
        """Return the reply kept under `key`."""
        with self._alone:
            row = (
                self._connection()
                .execute("SELECT text, prompt, completion, stop FROM replies WHERE key = ?", (key,))
                .fetchone()
            )
        return Reply(*row) if row else None

    def keep(self, key: str, reply: Reply) -> None:
        """Keep `reply` under `key`; it is on disk when this returns.

        Raises:
            WriteFailed: The file cannot be written.
        """
        row = (key, reply.text, reply.prompt_tokens, reply.completion_tokens, reply.stop)
        self._write("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?)", row)

    def add(self, model: str, usage: Usage) -> None:
        """Add what a call took to the sum of its model."""
        row = (
            model,
            usage.calls,
            usage.cached,
            usage.prompt_tokens,
            usage.completion_tokens,
            usage.cost,
        )
        self._write(
            "INSERT INTO spent VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (model) DO UPDATE SET"
            " calls = calls + excluded.calls, cached = cached + excluded.cached,"
            " prompt = prompt + excluded.prompt, completion = completion + excluded.completion,"
            " cost = CASE WHEN cost IS NULL AND excluded.cost IS NULL THEN NULL"
            " ELSE ifnull(cost, 0) + ifnull(excluded.cost, 0) END",
            row,
        )

    def spent(self) -> dict[str, Usage]:
        """Return what each model took so far, by its name. Makes no file where there is none."""
        if not self._file.exists():
            return {}
        with self._alone:
            rows = self._connection().execute(
                "SELECT model, calls, cached, prompt, completion, cost FROM spent ORDER BY model"
            )
            return {row[0]: Usage(*row[1:]) for row in rows}

    def _write(self, statement: str, row: tuple[Any, ...]) -> None:
        try:
            with self._alone, self._connection() as connection:
                connection.execute(statement, row)
        except sqlite3.Error as error:
            raise WriteFailed(f"{self._file} cannot be written ({error})") from error

    def _connection(self) -> sqlite3.Connection:
        if self._open is None:
            self._open = _connected(self._file)
        return self._open


def key_of(request: Request, identity: dict[str, Any], version: str) -> str:
    """Return the key of a request to a model, asked about one state of an index."""
    depends = {
        "messages": [message.to_dict() for message in request.messages],
        "shape": request.shape,
        "identity": identity,
        "version": version,
    }
    text = json.dumps(depends, sort_keys=True, ensure_ascii=True)
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _connected(file: Path) -> sqlite3.Connection:
    try:
        return _made(file)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise WriteFailed(f"{file} cannot be opened ({error})") from error
        # A file that is no database holds nothing that cannot be asked again.
        with suppress(OSError):
            file.unlink()
        return _made(file)


def _made(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, timeout=_BUSY_S, check_same_thread=False)
    try:
        connection.executescript(_TABLES)
    except sqlite3.Error:
        connection.close()
        raise
    return connection
