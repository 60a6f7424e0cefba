"""Graphs written by hand, in a real embedded database."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from hindsight_neo4j.model.graph import (
    Edge,
    EdgeKind,
    Graph,
    How,
    Node,
    NodeKind,
    Tier,
)
from hindsight_neo4j.resources import room
from hindsight_neo4j.retrieval.state import Sources
from hindsight_neo4j.stores.embedded_graph import EmbeddedGraph
from hindsight_neo4j.stores.protocols import ChunkStore
from hindsight_neo4j.templates.catalogue import Catalogue

CATALOGUE = Catalogue.load(room("cypher"))
SNAPSHOT = "demo"
SURE = {
    Tier.DIRECT: 0.95,
    Tier.TYPED: 0.95,
    Tier.FLOW: 0.85,
    Tier.UNIQUE: 0.9,
    Tier.OVERRIDE: 0.5,
    Tier.MANY: 0.4,
    Tier.DECLARED: 0.05,
    Tier.SCIP: 1.0,
    Tier.TRACE: 1.0,
}
"""How sure a hand-written edge is."""


def node(node_id: str, *, unresolved_names: str = "", is_test: bool = False) -> Node:
    """Return the node that an id stands for; a capital first letter makes a class."""
    path, _, qualname = node_id.partition(":")
    name = qualname.rpartition(".")[2].partition("~")[0]
    if path == "ext":
        return Node(node_id, NodeKind.EXTERNAL, name, qualname, "")
    if not qualname:
        kind = (
            NodeKind.FILE if "." in path.rpartition("/")[2] and path != "." else NodeKind.DIRECTORY
        )
        return Node(node_id, kind, path.rpartition("/")[2], "", path, is_test=is_test)
    return Node(
        id=node_id,
        kind=NodeKind.CLASS if name[:1].isupper() else NodeKind.FUNCTION,
        name=name,
        qualname=qualname,
        path=path,
        start_line=10,
        end_line=12,
        is_test=is_test,
        unresolved=len(unresolved_names.split()),
        unresolved_names=unresolved_names,
    )


def edge(text: str, *lines: int, tier: Tier = Tier.DIRECT, how: How = How.CALL) -> Edge:
    """Return the edge that `src KIND dst` says."""
    src, kind, dst = text.split()
    return Edge(EdgeKind(kind), src, dst, lines, tier, SURE[tier], how)


def stored(folder: Path, nodes: list[Node], edges: list[Edge]) -> EmbeddedGraph:
    """Write a graph and return its database, open for reading."""
    graph = Graph(
        tuple(sorted(nodes, key=lambda one: one.id)),
        tuple(sorted(edges, key=lambda one: (one.kind, one.src, one.dst))),
    )
    writer = EmbeddedGraph.create(folder / "graph.lbug")
    writer.write(SNAPSHOT, graph)
    writer.close()
    return EmbeddedGraph.open(folder / "graph.lbug")


def sources(graph: EmbeddedGraph) -> Sources:
    """Return what lookups read from; they never search text."""
    return Sources(graph, cast(ChunkStore, None), CATALOGUE, SNAPSHOT)
