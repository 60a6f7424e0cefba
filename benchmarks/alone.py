"""One part of an ingest alone, in this process: what `ingest_speed.py` sets the whole against.

    python benchmarks/alone.py parse SOURCE              # tree-sitter over the files, already in memory
    python benchmarks/alone.py engines SOURCE FOLDER     # loading the graph and the tokens, already made

Prints CPU seconds (all threads of this process) as JSON, one number a round.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from hindsight_neo4j.ingest.pipeline import ingest
from hindsight_neo4j.ingest.rules import Rules
from hindsight_neo4j.ingest.walk import walk
from hindsight_neo4j.languages.grammar import parser
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.model.chunk import Chunk, Document, Hit
from hindsight_neo4j.model.graph import Graph
from hindsight_neo4j.model.template import Params, Row, Template
from hindsight_neo4j.settings import IngestOptions
from hindsight_neo4j.stores.embedded_graph import EmbeddedGraph
from hindsight_neo4j.stores.embedded_text import EmbeddedText
from hindsight_neo4j.stores.index_folder import IndexFolder


def cpu_of(work: Callable[[], object]) -> float:
    """Return the CPU seconds of this process that a call took."""
    began = time.process_time()
    work()
    return time.process_time() - began


def parse(source: Path, rounds: int) -> dict[str, list[float]]:
    """Return the CPU seconds of parsing every file that an ingest reads."""
    languages = LanguageSet.load()
    max_file_bytes = IngestOptions.load().max_file_bytes
    loaded = [
        (parser(language), (source / file.path).read_bytes())
        for file in walk(source, languages, Rules.load(), max_file_bytes=max_file_bytes).files
        if (language := languages.of_path(file.path)) is not None
    ]

    def parse_all() -> None:
        for one, data in loaded:
            one.parse(data)

    return {"parse": [cpu_of(parse_all) for _ in range(rounds)], "files": [float(len(loaded))]}


@dataclass(slots=True)
class KeptGraph:
    """A graph store that only keeps the graph it is given."""

    graph: Graph = field(default_factory=lambda: Graph((), ()))

    def write(self, snapshot: str, graph: Graph) -> None:
        """Keep the graph."""
        self.graph = graph

    def publish(self) -> None:
        """Show nothing."""

    def run(
        self, template: Template, params: Params, *, timeout_s: float = 60.0, row_cap: int = 10_000
    ) -> list[Row]:
        """Know no rows."""
        return []

    def counts(self, snapshot: str) -> tuple[dict[str, int], dict[str, int]]:
        """Count what is kept."""
        nodes = Counter(node.kind.value for node in self.graph.nodes)
        edges = Counter(edge.kind.value for edge in self.graph.edges)
        return dict(nodes), dict(edges)

    def close(self) -> None:
        """Keep everything."""


@dataclass(slots=True)
class KeptChunks:
    """A chunk store that only keeps the documents it is given."""

    documents: list[Document] = field(default_factory=list)

    def put(self, snapshot: str, documents: Iterable[Document]) -> int:
        """Keep the documents."""
        before = len(self.documents)
        self.documents.extend(documents)
        return len(self.documents) - before

    def commit(self) -> None:
        """Find nothing."""

    def publish(self) -> None:
        """Show nothing."""

    def token_counts(self, tokens: Sequence[str], *, snapshot: str) -> list[int]:
        """Count nothing."""
        return [0] * len(tokens)

    def search(
        self, question: str, *, snapshot: str, limit: int, weights: dict[str, float] | None = None
    ) -> list[Hit]:
        """Find nothing."""
        return []

    def chunks_of(self, symbols: Iterable[str], *, snapshot: str) -> dict[str, list[Chunk]]:
        """Find nothing."""
        return {}

    def count(self, snapshot: str) -> int:
        """Count what is kept."""
        return len(self.documents)

    def close(self) -> None:
        """Keep everything."""


def engines(source: Path, folder: Path, rounds: int) -> dict[str, list[float]]:
    """Return the CPU seconds of each engine loading what an ingest of the source gives it."""
    graph, chunks = KeptGraph(), KeptChunks()
    report = ingest(
        source,
        IndexFolder(folder / "index"),
        IngestOptions.load(workers=1),
        open_graph=lambda _: graph,
        open_chunks=lambda _: chunks,
    )

    def load_graph(path: Path) -> None:
        store = EmbeddedGraph.create(path)
        store.write(report.snapshot, graph.graph)
        store.close()

    def load_text(path: Path) -> None:
        store = EmbeddedText.create(path)
        store.put(report.snapshot, chunks.documents)
        store.commit()
        store.close()

    turns = range(rounds)
    return {
        "graph": [cpu_of(partial(load_graph, folder / f"{turn}.lbug")) for turn in turns],
        "text": [cpu_of(partial(load_text, folder / f"text-{turn}")) for turn in turns],
    }


def main() -> int:
    """Measure one part and print its seconds."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parts = parser.add_subparsers(dest="part", required=True)
    for name in ("parse", "engines"):
        part = parts.add_parser(name)
        part.add_argument("source", type=Path)
        if name == "engines":
            part.add_argument("folder", type=Path, help="an empty folder to write to")
    options = parser.parse_args()
    if options.part == "parse":
        seconds = parse(options.source, options.rounds)
    else:
        seconds = engines(options.source, options.folder, options.rounds)
    print(json.dumps(seconds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
