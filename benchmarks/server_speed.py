"""What servers cost: loading a repository against bare loops over the same rows, a small change, and questions.

    python benchmarks/server_speed.py /path/to/django-5.1.4

It starts a Neo4j and an Elasticsearch of its own, as the tests do (Java 17; the first time Maven fetches them), or takes those of
HINDSIGHT_TEST_NEO4J and HINDSIGHT_TEST_ELASTICSEARCH. Ratios are of one run: the least of `--rounds` times each, taken in turn.
Writes benchmarks/results/server-speed.json.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import islice
from pathlib import Path
from typing import Any

import neo4j
from elasticsearch import Elasticsearch
from elasticsearch.helpers import parallel_bulk

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from servers import elasticsearch_server, neo4j_server  # noqa: E402

from hindsight_neo4j import Hindsight  # noqa: E402
from hindsight_neo4j.ingest.pipeline import ingest  # noqa: E402
from hindsight_neo4j.model.chunk import Document  # noqa: E402
from hindsight_neo4j.model.graph import Graph  # noqa: E402
from hindsight_neo4j.settings import IngestOptions  # noqa: E402
from hindsight_neo4j.stores import elasticsearch as text_store  # noqa: E402
from hindsight_neo4j.stores.changes import edge_row, node_row  # noqa: E402
from hindsight_neo4j.stores.elasticsearch import ElasticsearchText  # noqa: E402
from hindsight_neo4j.stores.embedded_graph import EmbeddedGraph  # noqa: E402
from hindsight_neo4j.stores.embedded_text import EmbeddedText  # noqa: E402
from hindsight_neo4j.stores.index_folder import IndexFolder  # noqa: E402
from hindsight_neo4j.stores.neo4j import Neo4jGraph  # noqa: E402
from hindsight_neo4j.stores.neo4j_writer import BATCH_ROWS  # noqa: E402

RESULTS = HERE / "results" / "server-speed.json"
SNAPSHOT = "speed"

BARE_NODES = "UNWIND $rows AS row CREATE (n:Node:$(row.kind)) SET n = row"
BARE_EDGES = (
    "UNWIND $rows AS row MATCH (a:Node {key: row.src}) MATCH (b:Node {key: row.dst})"
    " CREATE (a)-[r:$(row.edge.kind)]->(b) SET r = row.edge"
)


class Kept:
    """What a repository comes to: its graph and its documents, caught on their way into an index."""

    def __init__(self, root: Path) -> None:
        self.documents: list[Document] = []
        self.graph: Graph
        kept = self

        class Graphs(EmbeddedGraph):
            def write(self, snapshot: str, graph: Graph) -> None:
                kept.graph = graph
                super().write(snapshot, graph)

        class Texts(EmbeddedText):
            def put(self, snapshot: str, documents: Any) -> int:
                held = list(documents)
                kept.documents += held
                return super().put(snapshot, held)

        with tempfile.TemporaryDirectory() as folder:
            ingest(
                root,
                IndexFolder(Path(folder)),
                IngestOptions.load(),
                open_graph=lambda generation: Graphs.create(generation.graph),
                open_chunks=lambda generation: Texts.create(generation.text),
                snapshot=SNAPSHOT,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--questions", type=int, default=40)
    chosen = parser.parse_args()
    with ExitStack() as opened:
        graph, text = servers(opened)
        found = measure(chosen.repository, graph, text, chosen.rounds, chosen.questions)
    RESULTS.write_text(json.dumps(found, indent=2) + "\n")
    print(json.dumps(found, indent=2))


def servers(opened: ExitStack) -> tuple[neo4j_server.Server, elasticsearch_server.Server]:
    """Return the servers that run already, or start them."""
    if "HINDSIGHT_TEST_NEO4J" in os.environ:
        uri, user, password, browser = os.environ["HINDSIGHT_TEST_NEO4J"].split()
        graph = neo4j_server.Server(uri, (user, password), browser)
    else:
        home = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        graph = opened.enter_context(neo4j_server.running(home / "neo4j"))
    if "HINDSIGHT_TEST_ELASTICSEARCH" in os.environ:
        uri, user, password = os.environ["HINDSIGHT_TEST_ELASTICSEARCH"].split()
        return graph, elasticsearch_server.Server(uri, (user, password))
    return graph, opened.enter_context(elasticsearch_server.running())


def measure(
    repository: Path,
    graph: neo4j_server.Server,
    text: elasticsearch_server.Server,
    rounds: int,
    questions: int,
) -> dict[str, Any]:
    kept = Kept(repository)
    sizes = {
        "nodes": len(kept.graph.nodes),
        "edges": len(kept.graph.edges),
        "documents": len(kept.documents),
    }
    graph_times = in_turn(
        rounds, lambda: load_graph(graph, kept), lambda: load_graph_bare(graph, kept)
    )
    text_times = in_turn(rounds, lambda: load_text(text, kept), lambda: load_text_bare(text, kept))
    return {
        "repository": repository.name,
        **sizes,
        "neo4j_load": figures(*graph_times),
        "elasticsearch_load": figures(*text_times),
        "one_file_changed": one_file(repository, graph, text),
        "locate": asked(repository, graph, text, questions),
    }


def in_turn(
    rounds: int, ours: Callable[[], float], bare: Callable[[], float]
) -> tuple[list[float], list[float]]:
    """Return the seconds of both, one after the other, after a round that warms the server up."""
    bare()
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        times[0].append(ours())
        times[1].append(bare())
        print(f"ours {times[0][-1]:.1f} s, bare {times[1][-1]:.1f} s", file=sys.stderr, flush=True)
    return times


def figures(ours: list[float], bare: list[float]) -> dict[str, Any]:
    return {
        "seconds": round(min(ours), 2),
        "bare_seconds": round(min(bare), 2),
        "ratio": round(min(ours) / min(bare), 2),
        "all_seconds": [round(one, 2) for one in ours],
        "all_bare_seconds": [round(one, 2) for one in bare],
    }


def load_graph(server: neo4j_server.Server, kept: Kept) -> float:
    with closing(Neo4jGraph(server.access)) as store:
        store.forget(SNAPSHOT)
        began = time.perf_counter()
        store.write(SNAPSHOT, kept.graph)
        store.publish()
        seconds = time.perf_counter() - began
        store.forget(SNAPSHOT)
    return seconds


def load_graph_bare(server: neo4j_server.Server, kept: Kept) -> float:
    """The same rows in the same batches, into a database with the same constraints and indexes."""
    with closing(Neo4jGraph(server.access)) as store:
        store.write("schema", Graph((), ()))  # makes constraints and indexes
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth) as driver, driver.session() as s:
        began = time.perf_counter()
        for rows in batched(node_row("bare", node) for node in kept.graph.nodes):
            s.execute_write(lambda tx, rows=rows: tx.run(BARE_NODES, rows=rows).consume())
        for rows in batched(edge_row("bare", edge) for edge in kept.graph.edges):
            s.execute_write(lambda tx, rows=rows: tx.run(BARE_EDGES, rows=rows).consume())
        seconds = time.perf_counter() - began
        s.run(
            "MATCH (n:Node {snapshot: 'bare'}) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 500 ROWS"
        ).consume()
    return seconds


def batched(rows: Iterator[Any]) -> Iterator[list[Any]]:
    while batch := list(islice(rows, BATCH_ROWS)):
        yield batch


def load_text(server: elasticsearch_server.Server, kept: Kept) -> float:
    with closing(ElasticsearchText(server.access)) as store:
        store.forget(SNAPSHOT)
        began = time.perf_counter()
        for start in range(0, len(kept.documents), 500):
            store.put(SNAPSHOT, kept.documents[start : start + 500])
        store.commit()
        store.publish()
        seconds = time.perf_counter() - began
        store.forget(SNAPSHOT)
    return seconds


def load_text_bare(server: elasticsearch_server.Server, kept: Kept) -> float:
    """The same documents by `parallel_bulk`, into an index of the same settings and mappings."""
    with Elasticsearch(server.uri, basic_auth=server.auth, request_timeout=120) as client:
        client.indices.delete(index="bare", ignore_unavailable=True)
        began = time.perf_counter()
        client.indices.create(
            index="bare", settings=text_store._SETTINGS, mappings=text_store._MAPPINGS
        )
        actions = (text_store._action("bare", text_store._id(one), one) for one in kept.documents)
        for _ in parallel_bulk(client, actions, thread_count=2, chunk_size=1_000):
            pass
        client.indices.refresh(index="bare")
        seconds = time.perf_counter() - began
        client.indices.delete(index="bare")
    return seconds


def one_file(
    repository: Path, graph: neo4j_server.Server, text: elasticsearch_server.Server
) -> dict[str, Any]:
    """Ingest, change one function, ingest again; return the rows and documents that the second time wrote."""
    graphs: list[Neo4jGraph] = []
    texts: list[ElasticsearchText] = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "repository"
        shutil.copytree(repository, root)

        def run() -> float:
            graphs.append(Neo4jGraph(graph.access, "speed"))
            texts.append(ElasticsearchText(text.access, "speed"))
            began = time.perf_counter()
            ingest(
                root,
                IndexFolder(Path(folder) / "index"),
                IngestOptions.load(),
                open_graph=lambda _: graphs[-1],
                open_chunks=lambda _: texts[-1],
                snapshot=SNAPSHOT,
            )
            return time.perf_counter() - began

        first = run()
        changed = max(root.rglob("*.py"), key=lambda path: path.stat().st_size)
        changed.write_text(changed.read_text("utf-8") + "\n\ndef added_last():\n    return 1\n")
        second = run()
        with closing(Neo4jGraph(graph.access)) as held:
            held.forget(SNAPSHOT)
        with closing(ElasticsearchText(text.access)) as indexed:
            indexed.forget(SNAPSHOT)
    return {
        "first": {
            "seconds": round(first, 1),
            "rows": graphs[0].written,
            "documents": texts[0].written,
        },
        "second": {
            "seconds": round(second, 1),
            "rows": graphs[1].written,
            "documents": texts[1].written,
        },
    }


def asked(
    repository: Path,
    graph: neo4j_server.Server,
    text: elasticsearch_server.Server,
    count: int,
) -> dict[str, Any]:
    """Ask the same questions of the index folder and of the servers, in turn."""
    with tempfile.TemporaryDirectory() as folder:
        local = Hindsight.of_repository(repository, index=Path(folder) / "local")
        there = Hindsight.of_repository(
            repository, index=Path(folder) / "there", graph=graph.access, text=text.access
        )
        local.ingest(snapshot=SNAPSHOT)
        there.ingest(snapshot=SNAPSHOT)
        with (
            local,
            Hindsight.open(
                folder, snapshot=SNAPSHOT, graph=graph.access, text=text.access
            ) as remote,
        ):
            rows = local.run_template("lookup/nodes_of_kind", kinds=["Function"], limit=5_000)
            documented = [row for row in rows if row["doc"]]
            questions = [
                f"{row['doc']} What does {row['name']} do?"
                for row in documented[:: max(1, len(documented) // count)][:count]
            ]
            times: dict[str, list[float]] = {"local": [], "remote": []}
            steps = []
            for question in questions[:5]:
                remote.locate(question)
                local.locate(question)
            for question in questions:
                for name, client in (("local", local), ("remote", remote)):
                    began = time.perf_counter()
                    found = client.locate(question)
                    times[name].append((time.perf_counter() - began) * 1_000)
                steps.append(len(found.steps))
            remote.forget()
    near, far = (statistics.median(times[name]) for name in ("local", "remote"))
    return {
        "questions": len(questions),
        "embedded_p50_ms": round(near, 1),
        "servers_p50_ms": round(far, 1),
        "ratio": round(far / near, 2),
        "round_trips_most": max(steps),
        "round_trips_median": statistics.median(steps),
    }


if __name__ == "__main__":
    main()
