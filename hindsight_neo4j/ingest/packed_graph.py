"""A graph as few bytes, made quickly: MessagePack of plain tuples, in parts so that no part is large.

An edge names its ends by their numbers in the list of nodes; their ids would be most of the bytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import msgspec

from hindsight_neo4j.model.graph import Edge, EdgeKind, Graph, How, Node, NodeKind, Tier

_PART: Final = 10_000
"""Most nodes, and most edges, of a part."""

_LEVEL: Final = 1


class _NodeRow(NamedTuple):
    id: str
    kind: NodeKind
    name: str
    qualname: str
    path: str
    start_line: int
    end_line: int
    language: str
    is_test: bool
    signature: str
    doc: str
    unresolved: int
    unresolved_names: str


class _EdgeRow(NamedTuple):
    kind: EdgeKind
    src: int
    dst: int
    lines: tuple[int, ...]
    tier: Tier
    confidence: float
    how: How


_ENCODER: Final = msgspec.msgpack.Encoder()
_NODES: Final = msgspec.msgpack.Decoder(list[_NodeRow])
_EDGES: Final = msgspec.msgpack.Decoder(list[_EdgeRow])


def pack_graph(graph: Graph) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield the parts of `graph`: number, nodes, edges."""
    numbers = {node.id: number for number, node in enumerate(graph.nodes)}
    for part, first in enumerate(range(0, max(len(graph.nodes), len(graph.edges)), _PART)):
        nodes = [_node_row(node) for node in graph.nodes[first : first + _PART]]
        edges = [_edge_row(edge, numbers) for edge in graph.edges[first : first + _PART]]
        yield part, _packed(nodes), _packed(edges)


def unpack_graph(parts: Iterable[tuple[bytes, bytes]]) -> Graph:
    """Return the graph of the parts that `pack_graph` made, in their order.

    Raises:
        zlib.error: The bytes are damaged.
        msgspec.DecodeError: They are no graph of this version.
    """
    nodes: list[Node] = []
    rows: list[_EdgeRow] = []
    for packed_nodes, packed_edges in parts:
        nodes += (Node(*row) for row in _NODES.decode(zlib.decompress(packed_nodes)))
        rows += _EDGES.decode(zlib.decompress(packed_edges))
    return Graph(
        tuple(nodes),
        tuple(Edge(row.kind, nodes[row.src].id, nodes[row.dst].id, *row[3:]) for row in rows),
    )


def _packed(rows: list[_NodeRow] | list[_EdgeRow]) -> bytes:
    return zlib.compress(_ENCODER.encode(rows), _LEVEL)


def _node_row(node: Node) -> _NodeRow:
    return _NodeRow(
        node.id,
        node.kind,
        node.name,
        node.qualname,
        node.path,
        node.start_line,
        node.end_line,
        node.language,
        node.is_test,
        node.signature,
        node.doc,
        node.unresolved,
        node.unresolved_names,
    )


def _edge_row(edge: Edge, numbers: dict[str, int]) -> _EdgeRow:
    return _EdgeRow(
        edge.kind,
        numbers[edge.src],
        numbers[edge.dst],
        edge.lines,
        edge.tier,
        edge.confidence,
        edge.how,
    )
