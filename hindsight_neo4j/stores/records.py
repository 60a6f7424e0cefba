"""What a graph store holds of a node and of an edge: one flat record, the same on every engine."""

from __future__ import annotations

from typing import Final, TypeAlias

from hindsight_neo4j.model.graph import Edge, Node

NODE_COLUMNS: Final = (
    "key",
    "snapshot",
    "id",
    "kind",
    "name",
    "qualname",
    "path",
    "start_line",
    "end_line",
    "language",
    "is_test",
    "signature",
    "doc",
    "unresolved",
    "unresolved_names",
)
"""Properties of a stored node, in the order of the embedded engine's columns."""

EDGE_COLUMNS: Final = ("kind", "lines", "tier", "confidence", "how")
"""Properties of a stored edge, in the order of the embedded engine's columns."""

NAME_CHARS: Final = 1_500
"""Most characters of a stored name. Neo4j refuses index entries above 8 kB, and a character takes up to 4 bytes."""

Field: TypeAlias = str | int | float | list[int]


def key(snapshot: str, node_id: str) -> str:
    """Return the key of a node, unique over all snapshots of a store."""
    return storable(f"{snapshot}|{node_id}")


def node_record(snapshot: str, node: Node) -> tuple[Field, ...]:
    """Return the values of `NODE_COLUMNS`."""
    return (
        key(snapshot, node.id),
        storable(snapshot),
        storable(node.id),
        node.kind,
        storable(node.name)[:NAME_CHARS],
        storable(node.qualname),
        storable(node.path),
        node.start_line,
        node.end_line,
        node.language,
        node.is_test,
        storable(node.signature),
        storable(node.doc),
        node.unresolved,
        storable(node.unresolved_names),
    )


def edge_record(edge: Edge) -> tuple[Field, ...]:
    """Return the values of `EDGE_COLUMNS`."""
    return (edge.kind, list(edge.lines), edge.tier, edge.confidence, edge.how)


def storable(text: str) -> str:
    """Return `text` as every engine can hold it: without NUL, and "?" for lone surrogates, which have no UTF-8."""
    if text.isascii():
        return text.replace("\0", "")
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
