"""What has to be written so that a stored snapshot equals a graph: no row more than what differs.

A snapshot is compared file by file. The *part* of a file is its nodes and the edges that leave them, and a digest says
what a part comes to, so that only the rows of parts that differ have to be read back:

    changes = Parts(graph).changes("shop", stored_digests, stored_rows)
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import msgspec

from hindsight_neo4j.errors import WriteFailed
from hindsight_neo4j.model.graph import Edge, Graph, Node
from hindsight_neo4j.stores.protocols import GRAPH_SCHEMA_VERSION
from hindsight_neo4j.stores.records import (
    EDGE_COLUMNS,
    NODE_COLUMNS,
    edge_record,
    key,
    node_record,
    storable,
)

UNFINISHED: Final = ""
"""Digest of a part that is being written, equal to none."""

Properties: TypeAlias = dict[str, Any]
EdgeKey: TypeAlias = tuple[str, str, str]
"""Key of the start, key of the end, kind."""


@dataclass(frozen=True, slots=True)
class StoredRows:
    """The rows that a store holds of some parts."""

    nodes: Mapping[str, Properties]
    edges: Mapping[EdgeKey, Properties]


@dataclass(slots=True)
class Changes:
    """Rows to write. `parts` are the digests that change, `gone` the paths of parts that are no more."""

    created_nodes: list[Node] = field(default_factory=list)
    updated_nodes: list[Node] = field(default_factory=list)
    deleted_nodes: list[str] = field(default_factory=list)
    created_edges: list[Edge] = field(default_factory=list)
    updated_edges: list[Edge] = field(default_factory=list)
    deleted_edges: list[EdgeKey] = field(default_factory=list)
    parts: dict[str, str] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)

    @property
    def rows(self) -> int:
        """How many nodes and edges are written."""
        return sum(
            len(rows)
            for rows in (
                self.created_nodes,
                self.updated_nodes,
                self.deleted_nodes,
                self.created_edges,
                self.updated_edges,
                self.deleted_edges,
            )
        )


class Parts:
    """A graph cut into parts.

    Raises:
        WriteFailed: An edge has an end that is not in the graph.
    """

    def __init__(self, graph: Graph) -> None:
        self._nodes: dict[str, list[Node]] = defaultdict(list)
        self._edges: dict[str, list[Edge]] = defaultdict(list)
        paths = {}
        for node in graph.nodes:
            path = paths[node.id] = storable(node.path)
            self._nodes[path].append(node)
        for edge in graph.edges:
            if edge.src not in paths or edge.dst not in paths:
                end = edge.dst if edge.src in paths else edge.src
                raise WriteFailed(f"an edge has an end that is not in the graph: {end[:200]}")
            self._edges[paths[edge.src]].append(edge)
        self.digests = {path: self._digest(path) for path in self._nodes}

    @property
    def stamp(self) -> str:
        """What the whole comes to, wherever it is stored."""
        content = hashlib.blake2b(str(GRAPH_SCHEMA_VERSION).encode(), digest_size=16)
        for path, digest in sorted(self.digests.items()):
            content.update(f"{path}\0{digest}\n".encode())
        return content.hexdigest()

    def changes(
        self, slot: str, stored: Mapping[str, str], rows_of: Callable[[list[str]], StoredRows]
    ) -> Changes:
        """Return what makes the stored parts equal to these.

        Args:
            slot: Where they are stored: what the rows have as their `snapshot`.
            stored: Digest by path, of every part that the store holds.
            rows_of: Reads the stored rows of the parts with these paths.
        """
        parts = {
            path: digest for path, digest in self.digests.items() if stored.get(path) != digest
        }
        gone = [path for path in stored if path not in self.digests]
        # What a store has never announced it does not hold: a part is announced before it is written.
        new = [path for path in parts if path not in stored]
        changed = [path for path in parts if path in stored]
        held = rows_of([*changed, *gone])
        changes = Changes(
            created_nodes=[node for path in new for node in self._nodes[path]],
            created_edges=[edge for path in new for edge in self._edges.get(path, ())],
            parts=parts,
            gone=gone,
        )
        self._compare_nodes(slot, changed, held.nodes, changes)
        self._compare_edges(slot, changed, held.edges, changes)
        return changes

    def _compare_nodes(
        self, slot: str, paths: Iterable[str], held: Mapping[str, Properties], changes: Changes
    ) -> None:
        wanted = set()
        for path in paths:
            for node in self._nodes[path]:
                row = node_row(slot, node)
                wanted.add(row["key"])
                if row["key"] not in held:
                    changes.created_nodes.append(node)
                elif held[row["key"]] != row:
                    changes.updated_nodes.append(node)
        changes.deleted_nodes = [one for one in held if one not in wanted]

    def _compare_edges(
        self, slot: str, paths: Iterable[str], held: Mapping[EdgeKey, Properties], changes: Changes
    ) -> None:
        wanted = set()
        for path in paths:
            for edge in self._edges.get(path, ()):
                row = edge_row(slot, edge)
                one = (row["src"], row["dst"], edge.kind.value)
                wanted.add(one)
                if one not in held:
                    changes.created_edges.append(edge)
                elif held[one] != row["edge"]:
                    changes.updated_edges.append(edge)
        changes.deleted_edges = [one for one in held if one not in wanted]

    def _digest(self, path: str) -> str:
        content = hashlib.blake2b(digest_size=12)
        for rows in (self._nodes[path], self._edges.get(path, [])):
            try:
                content.update(_ENCODE(rows))
            except UnicodeEncodeError:  # a lone surrogate in a name has no UTF-8
                content.update(ascii(rows).encode())
        return content.hexdigest()


_ENCODE: Final = msgspec.msgpack.Encoder().encode


def node_row(slot: str, node: Node) -> Properties:
    """Return the properties of a node."""
    return dict(zip(NODE_COLUMNS, node_record(slot, node), strict=True))


def edge_row(slot: str, edge: Edge) -> Properties:
    """Return the keys of an edge's ends, and its properties."""
    return {
        "src": key(slot, edge.src),
        "dst": key(slot, edge.dst),
        "edge": dict(zip(EDGE_COLUMNS, edge_record(edge), strict=True)),
    }
