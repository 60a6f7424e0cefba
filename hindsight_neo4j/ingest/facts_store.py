"""`facts.sqlite`: what each file says, and its chunks. All else can be made again from here, the graph by linking.

It is written file by file while an ingest runs, so a killed run loses little. What was made by other code or with
other options (`key`) is of no use and dropped; a damaged file is moved away and made anew.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import msgspec

from hindsight_neo4j.errors import MAKE_ROOM, StoreUnavailable, WriteFailed
from hindsight_neo4j.ingest.record import FileRecord, unpack_chunks
from hindsight_neo4j.model.chunk import Chunk
from hindsight_neo4j.model.facts import FileFacts, decode_facts
from hindsight_neo4j.model.report import ParseProblem, Skipped

_LAYOUT: Final = 3
"""Raised whenever the tables below change; a file of another layout is dropped."""

_TABLES: Final = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE file (
    path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, read_ns INTEGER, digest BLOB,
    lines INTEGER, symbols INTEGER, skip_reason TEXT, skip_flag TEXT,
    problem_line INTEGER, problem TEXT, problems INTEGER, facts BLOB, chunks BLOB
);
"""

_log = logging.getLogger(__name__)


class FactsDamaged(Exception):
    """The file cannot be read as what it should be. It can be made again from the repository."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a file without reading it. `read_ns` is when it was read."""

    size: int
    mtime_ns: int
    read_ns: int
    digest: bytes


class FactsStore:
    """The facts of one repository. A context manager that closes itself; what was not committed is lost.

    Args:
        path: The SQLite file; made when missing.
        key: What decides whether facts are still of use: code, options, root.

    Raises:
        StoreUnavailable: The file cannot be opened or made.
        FactsDamaged: It is no facts file.
    """

    def __init__(self, path: Path, key: str) -> None:
        self._path = path
        with self._guarded():
            self._db = sqlite3.connect(path, isolation_level=None)
        try:
            with self._guarded():
                self._prepare(key)
        except FactsDamaged:
            self._db.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._db.close()

    def _prepare(self, key: str) -> None:
        # One process writes and none reads, so a write-ahead log would only have everything written twice.
        self._db.execute("PRAGMA journal_mode = TRUNCATE")
        (layout,) = self._db.execute("PRAGMA user_version").fetchone()
        if layout == _LAYOUT and self._about("key") == key:
            return
        self._db.execute("BEGIN IMMEDIATE")
        tables = self._db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        for (name,) in tables:
            self._db.execute('DROP TABLE "{}"'.format(name.replace('"', '""')))
        for statement in filter(str.strip, _TABLES.split(";")):
            self._db.execute(statement)
        self._db.execute("INSERT INTO about VALUES ('key', ?)", (key,))
        self._db.execute(f"PRAGMA user_version = {_LAYOUT}")
        self._db.execute("COMMIT")

    def known(self) -> dict[str, Known]:
        """Return what is known of each file, by path."""
        with self._guarded():
            rows = self._db.execute("SELECT path, size, mtime_ns, read_ns, digest FROM file")
            return {path: Known(*known) for path, *known in rows}

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep all that is written inside, or nothing."""
        with self._guarded():
            self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            with suppress(sqlite3.Error):  # the first error is the one to tell
                self._db.execute("ROLLBACK")
            raise
        with self._guarded():
            self._db.execute("COMMIT")

    def put(self, records: Iterable[FileRecord]) -> None:
        """Write files, each in the place of what was known of its path."""
        with self._guarded():
            self._db.executemany(
                f"INSERT OR REPLACE INTO file VALUES ({_places(14)})", map(_file_row, records)
            )

    def touch(self, path: str, size: int, mtime_ns: int, read_ns: int) -> None:
        """Note that a file was read again and has the content that is known."""
        with self._guarded():
            self._db.execute(
                "UPDATE file SET size = ?, mtime_ns = ?, read_ns = ? WHERE path = ?",
                (size, mtime_ns, read_ns, path),
            )

    def forget(self, paths: Iterable[str]) -> None:
        """Remove files."""
        with self._guarded():
            self._db.executemany("DELETE FROM file WHERE path = ?", ((path,) for path in paths))

    def records(self) -> list[FileRecord]:
        """Return every file by path, without facts and chunks."""
        columns = "path, size, mtime_ns, read_ns, digest, lines, symbols, skip_reason, skip_flag, problem_line, problem, problems"
        with self._guarded():
            rows = self._db.execute(f"SELECT {columns} FROM file ORDER BY path")
            return [_record(*row) for row in rows]

    def facts(self) -> Iterator[FileFacts]:
        """Yield the facts of every file that is source, by path."""
        with self._guarded():
            rows = self._db.execute("SELECT facts FROM file WHERE facts != x'' ORDER BY path")
            for (packed,) in rows:
                yield decode_facts(packed)

    def chunks(self, paths: Iterable[str]) -> Iterator[list[Chunk]]:
        """Yield the chunks of each of the files, in the order of `paths`."""
        with self._guarded():
            for path in paths:
                row = self._db.execute("SELECT chunks FROM file WHERE path = ?", (path,)).fetchone()
                if row and row[0]:
                    yield unpack_chunks(row[0])

    def _about(self, name: str) -> str | None:
        row = self._db.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_ERROR:  # no such table or column
                raise FactsDamaged(str(error)) from error
            if error.sqlite_errorcode == sqlite3.SQLITE_CANTOPEN:
                raise StoreUnavailable(
                    f"cannot open {self._path}: {error}",
                    hint="give another folder with --index DIR",
                ) from error
            raise WriteFailed(f"cannot write {self._path}: {error}", hint=MAKE_ROOM) from error
        except (sqlite3.DatabaseError, msgspec.MsgspecError, ValueError) as error:
            raise FactsDamaged(str(error)) from error


def move_damaged(path: Path) -> Path:
    """Move a damaged facts file out of the way and return where it is now."""
    aside = path.with_name(path.name + ".damaged")
    path.replace(aside)
    path.with_name(path.name + "-journal").unlink(missing_ok=True)
    _log.warning("facts_damaged moved_to=%s", aside)
    return aside


def _places(count: int) -> str:
    return ", ".join("?" * count)


def _file_row(record: FileRecord) -> tuple[Any, ...]:
    skip, problem = record.skipped, record.problem
    return (
        record.path,
        record.size,
        record.mtime_ns,
        record.read_ns,
        record.digest,
        record.lines,
        record.symbols,
        skip.reason if skip else "",
        skip.flag if skip else "",
        problem.line if problem else 0,
        problem.message if problem else "",
        problem.count if problem else 0,
        record.facts,
        record.chunks,
    )


def _record(
    path: str,
    size: int,
    mtime_ns: int,
    read_ns: int,
    digest: bytes,
    lines: int,
    symbols: int,
    skip_reason: str,
    skip_flag: str,
    problem_line: int,
    problem: str,
    problems: int,
) -> FileRecord:
    return FileRecord(
        path,
        size,
        mtime_ns,
        read_ns,
        digest,
        lines,
        symbols,
        Skipped(path, skip_reason, skip_flag) if skip_reason else None,
        ParseProblem(path, problem_line, problem, problems) if problems else None,
    )
