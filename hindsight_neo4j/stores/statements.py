"""The stores' own Cypher: the texts of `cypher/schema/`, `cypher/write/` and `cypher/audit/` that they run unasked."""

from __future__ import annotations

from functools import cache

from hindsight_neo4j.resources import room
from hindsight_neo4j.stores.protocols import GRAPH_SCHEMA_VERSION


@cache
def statements(name: str) -> tuple[str, ...]:
    """Return the statements of the file `name` (such as "schema/neo4j/schema"), in order, without comment lines.

    A statement ends with a `;` at the end of a line. A whole-line comment starts with `//`.
    """
    lines = (room("cypher") / f"{name}.cypher").read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.lstrip().startswith("//"))
    return tuple(part.strip() for part in f"{text}\n".split(";\n") if part.strip())


def statement(name: str) -> str:
    """Return the only statement of the file `name`."""
    (text,) = statements(name)
    return text


def graph_schema() -> tuple[str, ...]:
    """Return the statements that make Neo4j's constraints and indexes, version by version."""
    versions = range(1, GRAPH_SCHEMA_VERSION + 1)
    return tuple(text for version in versions for text in statements(f"schema/neo4j/{version}"))
