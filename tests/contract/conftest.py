"""Every engine behind one small face, so that the suites say nothing about engines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import neo4j
import pytest
from elasticsearch import Elasticsearch
from neo4j.exceptions import TransientError
from servers import elasticsearch_server, neo4j_server

from hindsight_neo4j.stores.elasticsearch import ElasticsearchText
from hindsight_neo4j.stores.embedded_graph import EmbeddedGraph
from hindsight_neo4j.stores.embedded_text import EmbeddedText
from hindsight_neo4j.stores.neo4j import Neo4jGraph
from hindsight_neo4j.stores.protocols import ChunkStore, GraphStore

Store = TypeVar("Store", GraphStore, ChunkStore)


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


def closed_by(opened: ExitStack, open_store: Callable[[], Store]) -> Callable[[], Store]:
    """Return `open_store`, whose stores are closed with `opened`."""
    return lambda: opened.enter_context(closing(open_store()))


@pytest.fixture(params=["embedded", pytest.param("neo4j", marks=pytest.mark.server)])
def graph_engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[GraphEngine]:
    with ExitStack() as opened:
        track = partial(closed_by, opened)
        if request.param == "embedded":
            path = tmp_path / "graph.lbug"
            yield GraphEngine(
                "embedded",
                track(lambda: EmbeddedGraph.create(path)),
                track(lambda: EmbeddedGraph.open(path)),
            )
        else:
            server: neo4j_server.Server = request.getfixturevalue("neo4j_server")
            empty(server)
            connect = track(lambda: Neo4jGraph(server.access, "test"))
            yield GraphEngine("neo4j", connect, connect)


def empty(server: neo4j_server.Server) -> None:
    """Delete every node of the test server, few at a time if they are large."""
    text = "MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF $rows ROWS"
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth) as driver:
        for rows in (1_000, 10):
            with driver.session() as session, suppress(TransientError):
                session.run(text, rows=rows).consume()
                return


@pytest.fixture(params=["embedded", pytest.param("elasticsearch", marks=pytest.mark.server)])
def text_engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TextEngine]:
    with ExitStack() as opened:
        track = partial(closed_by, opened)
        if request.param == "embedded":
            path = tmp_path / "text"
            yield TextEngine(
                track(lambda: EmbeddedText.create(path)), track(lambda: EmbeddedText.open(path))
            )
        else:
            server: elasticsearch_server.Server = request.getfixturevalue("elasticsearch_server")
            remove_indexes(server)
            connect = track(lambda: ElasticsearchText(server.access, "test"))
            yield TextEngine(connect, connect)


def remove_indexes(server: elasticsearch_server.Server) -> None:
    """Delete every index of the test server."""
    with Elasticsearch(server.uri, basic_auth=server.auth) as client:
        for index in client.indices.get(index="hindsight-*"):
            client.indices.delete(index=index)
