"""The index folder `.hindsight/`: generations of stores, and which one is live.

    .hindsight/
    ├─ .gitignore         "*": the folder ignores itself
    ├─ lock, lock.json    who writes, if somebody does
    ├─ facts.sqlite       the truth that the stores are made from; only ingest opens it
    ├─ vectors.sqlite     vectors made so far, where vectors are asked for; so too
    ├─ CURRENT            name of the live generation
    └─ generations/7/     graph.lbug · text/ · manifest.json

A writer fills a new generation and then replaces `CURRENT`, so a reader sees the old index or the new one, never a
half. The generation before the live one is kept for readers that still have it open.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
from filelock import FileLock, Timeout

from hindsight_neo4j.errors import SchemaMismatch, StoreBusy, StoreUnavailable
from hindsight_neo4j.stores.protocols import GRAPH_SCHEMA_VERSION

FOLDER_NAME: Final = ".hindsight"

LAYOUT_VERSION: Final = 1
"""Raised whenever files of the folder, or tokens, change meaning."""

INDEX_SCHEMA: Final = f"{LAYOUT_VERSION}.{GRAPH_SCHEMA_VERSION}"
"""What a manifest must say for this version to read its index."""

_INGEST_HINT = "run hindsight-ingest PATH"


class Manifest(msgspec.Struct, frozen=True):
    """What one generation holds, and of which tree and options it was made.

    `root` is the repository's absolute path: it stands here only, never in a store. `report` is the ingest report as
    plain data.
    """

    schema: str
    version: str
    snapshot: str
    root: str
    tree: str
    options: str
    created: str
    report: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Generation:
    """One folder of stores. It is live once `IndexFolder.switch` has named it."""

    path: Path

    @property
    def name(self) -> str:
        """Its number, as text."""
        return self.path.name

    @property
    def graph(self) -> Path:
        """Where the embedded graph is."""
        return self.path / "graph.lbug"

    @property
    def text(self) -> Path:
        """The folder of the embedded text index."""
        return self.path / "text"

    def manifest(self) -> Manifest:
        """Return what this generation says about itself.

        Raises:
            StoreUnavailable: It says nothing that can be read.
            SchemaMismatch: Another version wrote it.
        """
        path = self.path / "manifest.json"
        try:
            said = json.loads(path.read_bytes())
            schema = str(said["schema"])
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise StoreUnavailable(
                f"the index {self.path} is damaged", hint=f"{_INGEST_HINT} again"
            ) from error
        if schema != INDEX_SCHEMA:
            raise SchemaMismatch(
                f"the index {self.path} has schema {schema}, this version reads {INDEX_SCHEMA}",
                hint=f"{_INGEST_HINT} again, or use the version that wrote it",
            )
        try:
            return msgspec.convert(said, Manifest)
        except msgspec.ValidationError as error:
            raise StoreUnavailable(
                f"the index {self.path} is damaged ({error})", hint=f"{_INGEST_HINT} again"
            ) from error


class IndexFolder:
    """A place for one repository's index. Nothing is created before the first `lock` or `begin`.

    Args:
        path: The folder itself, such as `repository/.hindsight`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()

    def __repr__(self) -> str:
        return f"IndexFolder({str(self.path)!r})"

    @classmethod
    def find(cls, start: Path) -> IndexFolder:
        """Return the nearest index folder in `start` or above.

        Raises:
            StoreUnavailable: There is none.
        """
        start = start.absolute()
        for folder in (start, *start.parents):
            if (folder / FOLDER_NAME / "CURRENT").is_file():
                return cls(folder / FOLDER_NAME)
        raise StoreUnavailable(f"no index in {start} or above", hint=_INGEST_HINT)

    @classmethod
    def of_repository(cls, root: Path) -> IndexFolder:
        """Return the folder that belongs to the repository at `root`, made or not."""
        return cls(root.resolve() / FOLDER_NAME)

    @property
    def facts(self) -> Path:
        """Where the facts are kept."""
        return self.path / "facts.sqlite"

    @property
    def vectors(self) -> Path:
        """Where vectors are kept from one ingest to the next."""
        return self.path / "vectors.sqlite"

    def current(self) -> Generation:
        """Return the live generation.

        Raises:
            StoreUnavailable: There is no index here.
        """
        generation = self._live()
        if generation is None:
            raise StoreUnavailable(f"no index in {self.path}", hint=_INGEST_HINT)
        return generation

    def begin(self) -> Generation:
        """Return a new, empty generation. The caller holds the lock."""
        self._remove_unused()
        numbers = [int(path.name) for path in self._generations()]
        path = self.path / "generations" / str(max(numbers, default=0) + 1)
        path.mkdir(parents=True)
        return Generation(path)

    def switch(self, generation: Generation, manifest: Manifest) -> None:
        """Make `generation` the live one, in one step that a crash cannot split. The caller holds the lock."""
        previous = self._live()
        _write_durably(generation.path / "manifest.json", msgspec.json.encode(manifest))
        _write_durably(self.path / "CURRENT", generation.name.encode())
        self._remove_unused(kept=previous)

    @contextmanager
    def lock(self, wait_s: float) -> Iterator[None]:
        """Hold the right to write this index.

        Raises:
            StoreBusy: Another process still holds it after `wait_s` seconds; the message says which.
            StoreUnavailable: The folder cannot be made or written.
        """
        self._make()
        lock = FileLock(self.path / "lock")
        try:
            lock.acquire(timeout=wait_s)
        except Timeout:
            raise StoreBusy(
                f"the index {self.path} is being written{self._holder()}",
                hint="wait for it to finish, or give another folder with --index DIR",
            ) from None
        except OSError as error:
            raise self._unwritable(error) from error
        try:
            self._name_holder()
            yield
        finally:
            (self.path / "lock.json").unlink(missing_ok=True)
            lock.release()

    def size(self, generation: Generation) -> int:
        """Return the bytes that `generation` takes, with what is kept from one ingest to the next."""
        kept = (
            path for file in (self.facts, self.vectors) for path in self.path.glob(f"{file.name}*")
        )
        paths = (*generation.path.rglob("*"), *kept)
        return sum(path.stat().st_size for path in paths if path.is_file())

    def _live(self) -> Generation | None:
        try:
            name = (self.path / "CURRENT").read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return None
        generation = Generation(self.path / "generations" / name)
        return generation if name.isdecimal() and generation.path.is_dir() else None

    def _generations(self) -> list[Path]:
        folder = self.path / "generations"
        if not folder.is_dir():
            return []
        return [path for path in folder.iterdir() if path.name.isdecimal()]

    def left_over(self) -> list[str]:
        """Return what a writer that was cut off has left behind, each in a few words."""
        return [f"generation {path.name}, half-made or older" for path in self._unused()]

    def repair(self) -> None:
        """Remove what is left over.

        Raises:
            StoreBusy: Another process writes this index.
        """
        with self.lock(wait_s=0):
            self._remove_unused()

    def _remove_unused(self, kept: Generation | None = None) -> None:
        for path in self._unused(kept):
            shutil.rmtree(path, ignore_errors=True)

    def _unused(self, kept: Generation | None = None) -> list[Path]:
        """Return what neither is live nor was live just before: half-made and older generations."""
        live = self._live()
        whole = [path for path in self._generations() if (path / "manifest.json").is_file()]
        older = [p for p in whole if live and int(p.name) < int(live.name)]
        before = kept.path if kept else max(older, key=lambda p: int(p.name), default=None)
        return [
            path
            for path in self._generations()
            if path != before and not (live and path == live.path)
        ]

    def _make(self) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            ignore = self.path / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n", "utf-8")
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> StoreUnavailable:
        return StoreUnavailable(
            f"cannot write the index folder {self.path} ({error.strerror})",
            hint="give another folder with --index DIR",
        )

    def _name_holder(self) -> None:
        holder = {"pid": os.getpid(), "host": socket.gethostname(), "since": time.time()}
        with suppress(OSError):  # only makes another process's message better
            (self.path / "lock.json").write_text(json.dumps(holder), "utf-8")

    def _holder(self) -> str:
        try:
            holder = json.loads((self.path / "lock.json").read_bytes())
            minutes = max(0.0, time.time() - float(holder["since"])) / 60
            return f" by process {int(holder['pid'])} on {holder['host']} for {minutes:.0f} min"
        except (OSError, ValueError, TypeError, KeyError):
            return " by another process"


def _write_durably(path: Path, data: bytes) -> None:
    """Replace the file at `path` by `data` so that a crash leaves the old one or the new one."""
    temporary = path.with_name(path.name + ".new")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    if os.name == "posix":  # Windows cannot open a folder to flush it
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
