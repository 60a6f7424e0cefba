"""What is done with each file, apart from all others: read, decode, extract, chunk, tokenise.

A worker process runs `read_files`; so does the pipeline's own process when there is little to read.
"""

from __future__ import annotations

import faulthandler
import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from posixpath import splitext
from typing import Final

from hindsight_neo4j.collector import collector_at_rest
from hindsight_neo4j.extract import Limits, extract
from hindsight_neo4j.ingest.chunk import ChunkCap, chunk
from hindsight_neo4j.ingest.reading import Source, read_bytes, to_source
from hindsight_neo4j.ingest.record import FileRecord, FoundFile, pack_chunks, pack_tokens
from hindsight_neo4j.ingest.rules import Rules
from hindsight_neo4j.ingest.skip import SkipReason, skipped
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.model.facts import FileFacts, ScopeKind, encode_facts
from hindsight_neo4j.model.report import ParseProblem
from hindsight_neo4j.settings import IngestOptions
from hindsight_neo4j.stores.tokens import document_tokens

GRACE: Final = 3.0
"""A process that works on one batch for so many times the cap of a file is taken to be stuck, and ends itself.

The files of such a batch are read again one by one (`pool`), so what was merely slow is lost no more than what is not. To
watch each file of all batches takes 0.08 CPU seconds on django: every watch is a thread.
"""

_MAX_MESSAGE: Final = 200


@dataclass(frozen=True, slots=True)
class Batch:
    """Files for one worker to read. `guarded`: the process is the worker's own and may end itself when stuck."""

    root: Path
    files: tuple[FoundFile, ...]
    options: IngestOptions
    guarded: bool


def read_files(batch: Batch) -> list[FileRecord]:
    """Return a record for each file of the batch, in its order.

    Raises:
        LanguageError: A grammar does not load.
    """
    seconds = batch.options.max_file_seconds if batch.guarded else 0.0
    with _watched(seconds), collector_at_rest():
        return [read_file(batch.root, file, batch.options) for file in batch.files]


def read_file(root: Path, file: FoundFile, options: IngestOptions) -> FileRecord:
    """Return the record of one file.

    Raises:
        LanguageError: Its grammar does not load.
    """
    data = read_bytes(os.path.join(root, file.path), max_bytes=options.max_file_bytes)
    if isinstance(data, SkipReason):
        return _unread(file, b"", data)
    source = to_source(data, splitext(file.path)[1], _rules(), options)
    if isinstance(source, SkipReason):
        return _unread(file, digest_of(data), source)
    started = time.monotonic()
    try:
        record = _extracted(file, digest_of(data), source, options)
    except (RecursionError, MemoryError):
        return _unread(file, digest_of(data), SkipReason.CRASH)
    if options.max_file_seconds and time.monotonic() - started > options.max_file_seconds:
        return _unread(file, record.digest, SkipReason.TIME)
    return record


def digest_of(data: bytes) -> bytes:
    """Return what tells one content from another."""
    return hashlib.blake2b(data, digest_size=16).digest()


def _unread(file: FoundFile, digest: bytes, reason: SkipReason) -> FileRecord:
    return FileRecord(
        file.path,
        file.size,
        file.mtime_ns,
        time.time_ns(),
        digest,
        skipped=skipped(file.path, reason),
    )


def _extracted(
    file: FoundFile, digest: bytes, source: Source, options: IngestOptions
) -> FileRecord:
    read_ns = time.time_ns()
    language = _languages().of_path(file.path)
    assert language is not None  # walk finds files of known languages only
    limits = Limits(parse_seconds=options.max_file_seconds, nesting=options.max_nesting)
    facts = extract(source.text, file.path, language, digest=digest.hex(), limits=limits)
    chunks = chunk(
        source.text,
        facts,
        is_test=language.is_test_path(file.path),
        cap=ChunkCap(options.chunk_lines, options.chunk_bytes),
    )
    return FileRecord(
        file.path,
        file.size,
        file.mtime_ns,
        read_ns,
        digest,
        lines=facts.line_count,
        symbols=sum(scope.kind in (ScopeKind.CLASS, ScopeKind.FUNCTION) for scope in facts.scopes),
        problem=_problem(facts, source),
        facts=encode_facts(facts),
        chunks=pack_chunks(chunks),
        tokens=pack_tokens([document_tokens(piece) for piece in chunks]),
    )


def _problem(facts: FileFacts, source: Source) -> ParseProblem | None:
    found = [(d.line, d.message) for d in facts.diagnostics]
    if source.replaced_line:
        found.append((source.replaced_line, "bytes of no known encoding were replaced"))
    if not found:
        return None
    line, message = min(found)
    return ParseProblem(facts.path, line, message[:_MAX_MESSAGE], len(found))


@contextmanager
def _watched(seconds: float) -> Iterator[None]:
    """End this process, even inside C code, when what is done takes far longer than `seconds` (0: never)."""
    if not seconds:
        yield
        return
    with open(os.devnull, "w") as nowhere:
        faulthandler.dump_traceback_later(GRACE * seconds, exit=True, file=nowhere)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


@cache
def _languages() -> LanguageSet:
    return LanguageSet.load()


@cache
def _rules() -> Rules:
    return Rules.load()
