"""What decides whether something must be done again: the tree's content, and the code and options that read it."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

import hindsight_neo4j
from hindsight_neo4j.ingest.facts_store import FactsStore, Known
from hindsight_neo4j.ingest.reading import read_bytes
from hindsight_neo4j.ingest.record import FoundFile
from hindsight_neo4j.ingest.skip import SkipReason
from hindsight_neo4j.ingest.walk import Walked
from hindsight_neo4j.ingest.worker import digest_of
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.model.progress import Progress
from hindsight_neo4j.resources import room
from hindsight_neo4j.settings import IngestOptions

_CLOCK_NS: Final = 2_000_000_000
"""A file changed so shortly before it was read may change again and keep its time: FAT counts in steps of 2 s."""

_FACTS_CODE: Final = ("model", "languages", "extract", "ingest")
_INDEX_CODE: Final = ("evidence", "link", "embedding", "stores")


@dataclass(frozen=True, slots=True)
class TreeState:
    """A tree against what is known of it. `digest` is of all its content, `changed` is what must be read anew."""

    digest: str
    changed: tuple[FoundFile, ...]


def facts_key(root: Path, options: IngestOptions, languages: LanguageSet) -> str:
    """Return what facts depend on besides the files: code, rules, grammars, options and the root."""
    grammars = [f"{language.grammar} {_version(language.grammar)}" for language in languages]
    parts = (str(root), options.result_key(), _code(_FACTS_CODE), _rules(), *sorted(grammars))
    return _digest(part.encode("utf-8", "surrogateescape") for part in parts)


def index_key(facts: str, evidence: str, vectors: str) -> str:
    """Return what an index depends on besides the files: the `facts_key`, the digest of evidence, the vectors' model."""
    return _digest(part.encode() for part in (facts, _code(_INDEX_CODE), evidence, vectors))


def doubtful(files: Iterable[FoundFile], known: Mapping[str, Known]) -> list[FoundFile]:
    """Return the files that may have changed: size and time vouch for the content of the others."""
    return [file for file in files if not _vouched(file, known.get(file.path))]


def compare(
    root: Path,
    walked: Walked,
    known: Mapping[str, Known],
    store: FactsStore,
    options: IngestOptions,
    progress: Progress,
) -> TreeState:
    """Return the state of the walked tree against what is `known`; forget in `store` the files that are gone.

    A file that nothing vouches for is read.
    """
    changed = []
    content = hashlib.blake2b(digest_size=16)
    for skip in walked.skipped:
        content.update(f"{skip.path}\0{skip.reason}\n".encode())
    with store.transaction():
        store.forget(known.keys() - {file.path for file in walked.files})
        for file in walked.files:
            before = known.get(file.path)
            digest = before.digest if before and _vouched(file, before) else None
            if digest is None:
                read_ns = time.time_ns()
                digest = _digest_of_file(os.path.join(root, file.path), options)
                if before and before.digest == digest:
                    store.touch(file.path, file.size, file.mtime_ns, read_ns)
                else:
                    changed.append(file)
            content.update(file.path.encode() + b"\0" + digest)
            progress.advance(1)
    return TreeState(content.hexdigest(), tuple(changed))


def _vouched(file: FoundFile, known: Known | None) -> bool:
    if known is None:
        return False
    same = (file.size, file.mtime_ns) == (known.size, known.mtime_ns)
    return same and bool(known.digest) and file.mtime_ns + _CLOCK_NS < known.read_ns


def _digest_of_file(path: str, options: IngestOptions) -> bytes:
    """Return the content's digest, empty when the file cannot be read."""
    data = read_bytes(path, max_bytes=options.max_file_bytes)
    return b"" if isinstance(data, SkipReason) else digest_of(data)


def _version(module: str) -> str:
    try:
        return version(module.replace("_", "-"))
    except PackageNotFoundError:
        return ""


@cache
def _code(rooms: tuple[str, ...]) -> str:
    """Return the digest of our own source in `rooms`, so that an edited or upgraded package reads anew."""
    package = Path(hindsight_neo4j.__file__).parent
    return _digest(
        path.read_bytes() for name in rooms for path in sorted((package / name).rglob("*.py"))
    )


@cache
def _rules() -> str:
    return _digest(path.read_bytes() for path in sorted(room("ingest").rglob("*.toml")))


def _digest(parts: Iterable[bytes]) -> str:
    content = hashlib.blake2b(digest_size=16)
    for part in parts:
        content.update(len(part).to_bytes(8, "little") + part)
    return content.hexdigest()
