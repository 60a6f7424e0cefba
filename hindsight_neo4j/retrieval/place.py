"""Places: what is known of a node, read from a graph row, a walk, or the node's chunks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from hindsight_neo4j.model.chunk import Chunk
from hindsight_neo4j.model.template import Row, whole
from hindsight_neo4j.retrieval.frontier import Reached
from hindsight_neo4j.retrieval.state import Place


def place_of_row(row: Row) -> Place:
    """Return the place of a row that has the node columns of `cypher/step/`."""
    return Place(
        id=str(row["id"]),
        kind=str(row["kind"]),
        name=str(row["name"]),
        path=str(row["path"]),
        start_line=whole(row["start_line"]),
        end_line=whole(row["end_line"]),
        signature=str(row["signature"] or ""),
        doc=str(row["doc"] or ""),
        is_test=bool(row["is_test"]),
        unresolved=whole(row["unresolved"]),
        unresolved_names=str(row.get("unresolved_names") or ""),
    )


def place_of_reached(node: Reached) -> Place:
    """Return the place of a node that a walk found."""
    return Place(
        id=node.id,
        kind=node.kind,
        name=node.name,
        path=node.path,
        start_line=node.start_line,
        end_line=node.end_line,
        signature=node.signature,
        doc=node.doc,
        is_test=node.is_test,
        unresolved=node.unresolved,
    )


def place_of_chunks(chunks: Sequence[Chunk]) -> Place:
    """Return the place that the chunks of one symbol span. A class's chunk is its head, so its end may lie further."""
    first = chunks[0]
    alone = len(chunks) == 1
    return Place(
        id=first.symbol,
        kind=first.kind,
        name=first.name,
        path=first.path,
        start_line=first.start_line if alone else min(each.start_line for each in chunks),
        end_line=first.end_line if alone else max(each.end_line for each in chunks),
        signature=first.signature,
        doc=first.doc,
        is_test=first.is_test,
    )


@lru_cache(maxsize=16_384)
def around(node: str) -> tuple[str, ...]:
    """Return a node's file, everything around it, and itself.

    >>> around("a.py:Outer.f")
    ('a.py', 'a.py:Outer', 'a.py:Outer.f')
    """
    path, colon, qualname = node.partition(":")
    names = qualname.split(".") if colon else []
    return (path, *(f"{path}:{'.'.join(names[:end])}" for end in range(1, len(names) + 1)))


def is_module(node: str) -> bool:
    """Say whether a node is a module as rankings have it: a class or a function at the top of its file."""
    return len(around(node)) == 2  # its file and itself
