"""Every engine behind one small face, so that the suites say nothing about engines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import neo4j
import pytest
from servers.neo4j_server import Server

from hindsight_neo4j.stores.embedded_graph import EmbeddedGraph
from hindsight_neo4j.stores.embedded_text import EmbeddedText
from hindsight_neo4j.stores.neo4j import Neo4jGraph
from hindsight_neo4j.stores.protocols import ChunkStore, GraphStore


@dataclass(frozen=True)
class GraphEngine:
    """How to open one database of an engine, for writing and for reading."""

    name: str
    writer: Callable[[], GraphStore]
    reader: Callable[[], GraphStore]


@dataclass(frozen=True)
class TextEngine:
    """How to open one chunk index of an engine, for writing and for reading."""

    writer: Callable[[], ChunkStore]
    reader: Callable[[], ChunkStore]


@pytest.fixture(params=["embedded", pytest.param("neo4j", marks=pytest.mark.server)])
def graph_engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[GraphEngine]:
    with ExitStack() as opened:

        def track(open_store: Callable[[], GraphStore]) -> Callable[[], GraphStore]:
            return lambda: opened.enter_context(closing(open_store()))

        if request.param == "embedded":
            path = tmp_path / "graph.lbug"
            yield GraphEngine(
                "embedded",
                track(lambda: EmbeddedGraph.create(path)),
                track(lambda: EmbeddedGraph.open(path)),
            )
        else:
            server: Server = request.getfixturevalue("neo4j_server")
            empty(server)
            connect = track(lambda: Neo4jGraph(server.uri, server.auth))
            yield GraphEngine("neo4j", connect, connect)


def empty(server: Server) -> None:
    """Delete every node of the test server."""
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth) as driver, driver.session() as s:
        s.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 1000 ROWS").consume()


@pytest.fixture
def text_engine(tmp_path: Path) -> Iterator[TextEngine]:
    with ExitStack() as opened:

        def track(open_store: Callable[[], ChunkStore]) -> Callable[[], ChunkStore]:
            return lambda: opened.enter_context(closing(open_store()))

        path = tmp_path / "text"
        yield TextEngine(
            track(lambda: EmbeddedText.create(path)), track(lambda: EmbeddedText.open(path))
        )
