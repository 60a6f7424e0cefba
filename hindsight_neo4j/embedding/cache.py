"""Cache: vectors by what they are of, so that nothing is embedded twice. One SQLite file of the index folder.

A vector is on disk before the next ones are made: a run that is killed goes on where it was.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from hindsight_neo4j.errors import WriteFailed

if TYPE_CHECKING:
    from collections.abc import Iterator

_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, content BLOB) WITHOUT ROWID"
)


class VectorCache:
    """Vectors by key. A context manager that closes itself. One process at a time: the lock of the index folder.

    Args:
        file: Made when missing, and made anew when damaged.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        with self._guarded():
            try:
                self._db = _opened(file)
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError:  # no database: all of it can be made again
                file.unlink()
                self._db = _opened(file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def keys(self) -> set[bytes]:
        """Return all keys."""
        with self._guarded():
            return {key for (key,) in self._db.execute("SELECT key FROM vector")}

    def find(self, key: bytes) -> bytes:
        """Return the vector of a key.

        Raises:
            KeyError: There is none.
        """
        with self._guarded():
            row = self._db.execute("SELECT content FROM vector WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise KeyError(key)
        return bytes(row[0])

    def keep(self, rows: Iterable[tuple[bytes, bytes]]) -> None:
        """Write keys with their vectors; they are on disk when this returns."""
        with self._guarded(), self._db:
            self._db.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", rows)

    def drop(self, keys: Collection[bytes]) -> None:
        """Remove keys."""
        with self._guarded(), self._db:
            self._db.executemany("DELETE FROM vector WHERE key = ?", ((key,) for key in keys))

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise WriteFailed(f"{self._file} cannot be used ({error})") from error


def _opened(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file)
    try:
        connection.execute(_TABLE)
    except sqlite3.Error:
        connection.close()
        raise
    return connection
