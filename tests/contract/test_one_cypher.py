"""One Cypher, two engines: every step, intent and lookup template gives the same rows on both, on a real package."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path

import pytest
from contract.conftest import empty
from contract.template_questions import questions
from servers.neo4j_server import Server

from hindsight_neo4j.ingest.pipeline import ingest
from hindsight_neo4j.model.graph import Graph
from hindsight_neo4j.model.report import IngestReport
from hindsight_neo4j.model.template import Row, Template
from hindsight_neo4j.resources import room
from hindsight_neo4j.settings import IngestOptions
from hindsight_neo4j.stores.embedded_graph import EmbeddedGraph
from hindsight_neo4j.stores.embedded_text import EmbeddedText
from hindsight_neo4j.stores.index_folder import Generation, IndexFolder
from hindsight_neo4j.stores.neo4j import Neo4jGraph
from hindsight_neo4j.stores.protocols import GraphStore
from hindsight_neo4j.templates.catalogue import Catalogue

pytestmark = pytest.mark.server

SNAPSHOT = "flask@3.0.3"
SEEDS = 25
ROOMS = ("step", "intents", "lookup", "audit")
TEMPLATES = [
    template
    for template in Catalogue.load(room("cypher"))
    if template.name.partition("/")[0] in ROOMS
]


@dataclass(frozen=True)
class Pair:
    """The same snapshot in both engines, what the ingest reported, and nodes to ask about."""

    embedded: GraphStore
    server: GraphStore
    report: IngestReport
    seeds: tuple[Row, ...]


class Mirrored(EmbeddedGraph):
    """Writes whatever it is given to a second store as well, where another snapshot lies beside it."""

    mirror: GraphStore

    def write(self, snapshot: str, graph: Graph) -> None:
        super().write(snapshot, graph)
        for one in (snapshot, f"{snapshot}-beside"):
            self.mirror.write(one, graph)
        self.mirror.publish()


@pytest.fixture(scope="module")
def pair(
    flask: Path, neo4j_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Pair]:
    empty(neo4j_server)
    index = IndexFolder(tmp_path_factory.mktemp("flask"))
    with closing(Neo4jGraph(neo4j_server.access)) as server:

        def open_graph(generation: Generation) -> GraphStore:
            store = Mirrored.create(generation.graph)
            store.mirror = server
            return store

        report = ingest(
            flask,
            index,
            IngestOptions.load(workers=1),
            open_graph=open_graph,
            open_chunks=lambda generation: EmbeddedText.create(generation.text),
            snapshot=SNAPSHOT,
        )
        with closing(EmbeddedGraph.open(index.current().graph)) as embedded:
            yield Pair(embedded, server, report, seeds(embedded))


def seeds(store: GraphStore) -> tuple[Row, ...]:
    """Return nodes spread over the whole snapshot, two of each kind, and two at the ends of each kind of edge."""
    nodes = store.run(Template("user/nodes", "", (), (), "", "", NODES), {}, row_cap=100_000)
    edges = store.run(Template("user/edges", "", (), (), "", "", EDGE_OF_EACH_KIND), {})
    wanted = {edge[end] for edge in edges for end in ("src", "dst")}
    for _, group in groupby(nodes, key=lambda node: node["kind"]):
        wanted.update(node["id"] for node in islice(group, 2))
    step = max(1, len(nodes) // SEEDS)
    return tuple(node for i, node in enumerate(nodes) if i % step == 0 or node["id"] in wanted)


NODES = "MATCH (n:Node) RETURN n.id AS id, n.kind AS kind, n.name AS name ORDER BY kind, id"
EDGE_OF_EACH_KIND = (
    "MATCH (a:Node)-[r]->(b:Node) RETURN r.kind AS kind, max(a.id) AS src, max(b.id) AS dst"
)


def test_both_engines_hold_what_the_ingest_reports(pair: Pair) -> None:
    reported = (pair.report.nodes, pair.report.edges)
    assert pair.embedded.counts(SNAPSHOT) == reported
    assert pair.server.counts(SNAPSHOT) == reported
    assert len(pair.seeds) >= SEEDS
    assert {node["kind"] for node in pair.seeds} == set(pair.report.nodes)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_a_template_gives_the_same_rows_on_both_engines(pair: Pair, template: Template) -> None:
    answers = 0
    for params in questions(template, pair.seeds, SNAPSHOT):
        rows = pair.embedded.run(template, params)
        assert rows == pair.server.run(template, params), params
        answers += bool(rows)
    if template.name not in MAY_BE_EMPTY:
        assert answers, "no question had an answer, so nothing was compared"


MAY_BE_EMPTY = {
    "audit/crossing_edges",
    "audit/duplicate_ids",
    "audit/orphans",
    "audit/upward_imports",
}
"""Templates that look for faults of a graph, which a sound one has not."""
