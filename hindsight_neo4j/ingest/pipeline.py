"""One ingest, from the root directory to a live generation.

    walk → compare (nothing changed: done) → extract and chunk → link (→ embed) → write → switch

Facts of files that did not change come from `facts.sqlite`. The live generation stays as it is until the new one is
whole, so a run may fail or be killed anywhere.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from hindsight_neo4j import __version__
from hindsight_neo4j.collector import collector_at_rest
from hindsight_neo4j.errors import MAKE_ROOM, StoreError, WriteFailed
from hindsight_neo4j.evidence import NO_EVIDENCE, EvidenceFiles
from hindsight_neo4j.ingest.chunk_writer import ChunkWriter
from hindsight_neo4j.ingest.facts_store import FactsDamaged, FactsStore, move_damaged
from hindsight_neo4j.ingest.pool import Readers, refuse_in_starting_worker
from hindsight_neo4j.ingest.record import FileRecord
from hindsight_neo4j.ingest.refusal import (
    readable,
    refuse_empty,
    refuse_foreign,
    refuse_nothing_read,
)
from hindsight_neo4j.ingest.rules import Rules
from hindsight_neo4j.ingest.snapshot import checked_name, snapshot_name
from hindsight_neo4j.ingest.state import TreeState, compare, doubtful, facts_key, index_key
from hindsight_neo4j.ingest.walk import Walked, walk
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.link import link
from hindsight_neo4j.model.graph import Graph
from hindsight_neo4j.model.progress import Progress, Silent
from hindsight_neo4j.model.report import IngestReport
from hindsight_neo4j.settings import IngestOptions
from hindsight_neo4j.stores.index_folder import (
    INDEX_SCHEMA,
    Generation,
    IndexFolder,
    Manifest,
)
from hindsight_neo4j.stores.protocols import ChunkStore, GraphStore

if TYPE_CHECKING:
    from hindsight_neo4j.embedding.encoder import Encoder
    from hindsight_neo4j.embedding.passages import Passages

OpenGraph: TypeAlias = Callable[[Generation], GraphStore]
OpenChunks: TypeAlias = Callable[[Generation], ChunkStore]

_log = logging.getLogger(__name__)


def ingest(
    root: Path,
    folder: IndexFolder,
    options: IngestOptions,
    *,
    open_graph: OpenGraph,
    open_chunks: OpenChunks,
    snapshot: str | None = None,
    evidence: EvidenceFiles = NO_EVIDENCE,
    encoder: Encoder | None = None,
    progress: Progress | None = None,
    is_sound: Callable[[Generation], bool] = lambda _: True,
    executor: Executor | None = None,
) -> IngestReport:
    """Bring the index in `folder` up to the state of the repository at `root`.

    Args:
        root: The repository's directory.
        folder: Where its index is, or is to be.
        options: How to read it.
        open_graph: Makes the graph store of a new generation.
        open_chunks: Makes the chunk store of a new generation.
        snapshot: Name of the snapshot; None: made from commit and content.
        evidence: Files that say what ran, or what a compiler found.
        encoder: Makes vectors of the chunks; None: the index has none.
        progress: Who is told how far it is.
        is_sound: Whether the stores of the live generation open; if not, they are made again from the facts.
        executor: Where files are read; None: in worker processes.

    Raises:
        SourceError: The root cannot be read, or nothing in it can, or a piece of evidence is damaged or foreign.
        SettingsError: The folder holds another repository's index, or the name is impossible.
        LanguageError: A grammar does not load.
        StoreBusy: Another process writes this index.
        StoreUnavailable: The folder or a store cannot be opened.
        WriteFailed: Something was not written. The live index is as it was.
    """
    refuse_in_starting_worker()
    root = readable(root)
    if snapshot is not None:
        checked_name(snapshot)
    stores = _Stores(open_graph, open_chunks, is_sound)
    tell = progress or Silent()
    run = _Run(root, folder, options, snapshot, evidence, encoder, tell, stores, executor)
    with folder.lock(options.lock_seconds):
        refuse_foreign(folder, root)
        try:
            return run.despite_damage()
        except OSError as error:
            raise WriteFailed(
                f"the index {folder.path} was not written ({error.strerror or error})",
                hint=MAKE_ROOM,
            ) from error


@dataclass(frozen=True, slots=True)
class _Stores:
    open_graph: OpenGraph
    open_chunks: OpenChunks
    is_sound: Callable[[Generation], bool]


@dataclass(frozen=True, slots=True)
class _Written:
    """What the stores hold, counted by them."""

    nodes: dict[str, int]
    edges: dict[str, int]
    chunks: int
    unresolved_calls: int
    notes: tuple[str, ...]


@dataclass
class _Run:
    """An ingest while the lock is held."""

    root: Path
    folder: IndexFolder
    options: IngestOptions
    snapshot: str | None
    evidence: EvidenceFiles
    encoder: Encoder | None
    progress: Progress
    stores: _Stores
    executor: Executor | None
    languages: LanguageSet = field(default_factory=LanguageSet.load)
    started: float = field(default_factory=time.perf_counter)
    stage_seconds: dict[str, float] = field(default_factory=dict)

    def despite_damage(self) -> IngestReport:
        """Bring the index up to date, with new facts where those kept are damaged."""
        try:
            return self.bring_up_to_date()
        except FactsDamaged:
            aside = move_damaged(self.folder.facts)
        try:
            return self.bring_up_to_date()
        except FactsDamaged as error:
            raise WriteFailed(
                f"{self.folder.facts} is damaged as soon as it is written ({error})",
                hint=f"the one before is {aside}; check the disk, or give --index DIR",
            ) from error

    def bring_up_to_date(self) -> IngestReport:
        """Return the report of the live generation, which is made anew unless nothing changed."""
        evidence = self.evidence.digest()
        with self._stage("walk", None):
            walked = walk(
                self.root, self.languages, Rules.load(), max_file_bytes=self.options.max_file_bytes
            )
        refuse_empty(self.root, walked, self.languages)
        facts_of = facts_key(self.root, self.options, self.languages)
        with (
            FactsStore(self.folder.facts, facts_of) as facts,
            Readers(self.root, self.options, self.executor) as readers,
        ):
            with self._stage("compare", len(walked.files)):
                known = facts.known()
                readers.expect(sum(file.size for file in doubtful(walked.files, known)))
                tree = compare(self.root, walked, known, facts, self.options, self.progress)
            index = index_key(facts_of, evidence, self.encoder.model if self.encoder else "")
            report = self._unchanged(tree, index)
            if report is None:
                report = self._renewed(walked, tree, index, facts, readers)
        return report

    def _unchanged(self, tree: TreeState, index: str) -> IngestReport | None:
        """Return the report of the live generation if a new one would equal it and it still opens."""
        try:
            generation = self.folder.current()
            manifest = generation.manifest()
            report = msgspec.convert(manifest.report, IngestReport)
        except (StoreError, msgspec.ValidationError):
            return None
        same = (manifest.tree, manifest.options, manifest.root) == (
            tree.digest,
            index,
            str(self.root),
        )
        if not same or self.snapshot not in (None, manifest.snapshot):
            return None
        if not self.stores.is_sound(generation):
            _log.warning("stores_unsound generation=%s", generation.name)
            return None
        return replace(
            report,
            unchanged=True,
            extracted=0,
            seconds=time.perf_counter() - self.started,
            stage_seconds=dict(self.stage_seconds),
        )

    def _renewed(
        self, walked: Walked, tree: TreeState, index: str, facts: FactsStore, readers: Readers
    ) -> IngestReport:
        """Make a new generation live, and return what was done."""
        snapshot = self.snapshot or snapshot_name(self.root, tree.digest)
        chunks = ChunkWriter(walked, self.languages)
        self._extract(tree, facts, readers, chunks)
        records = facts.records()
        refuse_nothing_read(self.root, records)
        with self._new_generation() as generation:
            with collector_at_rest(), ExitStack() as opened:
                graph = self._linked(facts)
                passages = self._embedded(chunks, facts, opened)
                written = self._write(generation, snapshot, graph, chunks, facts, passages)
                del graph  # before the collector is back, which would walk through all of it
            report = self._report(snapshot, walked, tree, records, written, generation)
            self.folder.switch(generation, self._manifest(report, tree, index))
        return report

    @contextmanager
    def _new_generation(self) -> Iterator[Generation]:
        generation = self.folder.begin()
        try:
            yield generation
        except BaseException:
            shutil.rmtree(generation.path, ignore_errors=True)
            raise

    def _extract(
        self, tree: TreeState, facts: FactsStore, readers: Readers, chunks: ChunkWriter
    ) -> None:
        """Read what changed and keep it."""
        waiting: list[FileRecord] = []
        with self._stage("extract", len(tree.changed)), collector_at_rest():
            for records in readers.read(tree.changed):
                for record in records:
                    chunks.add(record)
                    waiting.append(replace(record, tokens=b""))
                if len(waiting) >= self.options.commit_files:
                    _keep(waiting, facts)
                self.progress.advance(len(records))
            _keep(waiting, facts)

    def _linked(self, facts: FactsStore) -> Graph:
        with self._stage("link", None):
            evidence = self.evidence.read(self.root)
            return link(list(facts.facts()), self.languages, evidence)

    def _embedded(
        self, chunks: ChunkWriter, facts: FactsStore, opened: ExitStack
    ) -> Passages | None:
        """Return the vectors of all chunks, made where they are missing; None where none are asked for."""
        if self.encoder is None:
            return None
        from hindsight_neo4j.embedding.passages import Passages  # noqa: PLC0415  needs the extra

        passages = opened.enter_context(
            Passages(self.encoder, self.folder.vectors, self.options.worker_count)
        )
        missing = passages.missing(chunks.chunks(facts))
        with self._stage("embed", len(missing)):
            passages.make(chunks.chunks(facts), missing, self.progress.advance)
        return passages

    def _write(
        self,
        generation: Generation,
        snapshot: str,
        graph: Graph,
        chunks: ChunkWriter,
        facts: FactsStore,
        passages: Passages | None,
    ) -> _Written:
        """Write both stores side by side: most of the time their engines need no interpreter."""
        with (
            self._stage("write", None),
            closing(self.stores.open_graph(generation)) as graphs,
            closing(self.stores.open_chunks(generation)) as texts,
            ThreadPoolExecutor(1) as beside,
        ):
            written = beside.submit(graphs.write, snapshot, graph)
            chunks.write(texts, snapshot, facts, passages)
            written.result()
            graphs.publish()
            texts.publish()
            nodes, edges = graphs.counts(snapshot)
            count = texts.count(snapshot)
        unresolved = sum(node.unresolved for node in graph.nodes)
        return _Written(nodes, edges, count, unresolved, graph.notes)

    def _report(
        self,
        snapshot: str,
        walked: Walked,
        tree: TreeState,
        records: list[FileRecord],
        written: _Written,
        generation: Generation,
    ) -> IngestReport:
        read = [record for record in records if not record.skipped]
        skipped = [*walked.skipped, *(record.skipped for record in records if record.skipped)]
        return IngestReport(
            snapshot=snapshot,
            root=str(self.root),
            index=str(self.folder.path),
            unchanged=False,
            files=len(read),
            lines=sum(record.lines for record in read),
            extracted=len(tree.changed),
            skipped=tuple(sorted(skipped, key=lambda skip: skip.path)),
            problems=tuple(record.problem for record in read if record.problem),
            nodes=written.nodes,
            edges=written.edges,
            chunks=written.chunks,
            unresolved_calls=written.unresolved_calls,
            seconds=time.perf_counter() - self.started,
            stage_seconds=dict(self.stage_seconds),
            index_bytes=self.folder.size(generation),
            notes=written.notes,
        )

    def _manifest(self, report: IngestReport, tree: TreeState, index: str) -> Manifest:
        return Manifest(
            schema=INDEX_SCHEMA,
            version=__version__,
            snapshot=report.snapshot,
            root=report.root,
            tree=tree.digest,
            options=index,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            report=report.to_dict(),
        )

    @contextmanager
    def _stage(self, name: str, total: int | None) -> Iterator[None]:
        self.progress.stage(name, total)
        started = time.perf_counter()
        try:
            yield
        finally:
            spent = time.perf_counter() - started
            self.stage_seconds[name] = self.stage_seconds.get(name, 0.0) + spent
            _log.info("stage=%s seconds=%.3f", name, spent)


def _keep(waiting: list[FileRecord], facts: FactsStore) -> None:
    with facts.transaction():
        facts.put(waiting)
    waiting.clear()
