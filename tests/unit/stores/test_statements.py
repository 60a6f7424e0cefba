"""The stores' own Cypher agrees with the model that it stores."""

from __future__ import annotations

import re

import pytest

from hindsight_neo4j.model.graph import EdgeKind
from hindsight_neo4j.stores.records import EDGE_COLUMNS, NODE_COLUMNS
from hindsight_neo4j.stores.statements import statement, statements


def columns(definition: str) -> tuple[str, ...]:
    return tuple(re.findall(r"(\w+) (?:STRING|INT64|BOOL|DOUBLE)", definition))


def test_the_embedded_tables_have_the_columns_of_the_records_in_their_order() -> None:
    nodes, *edges = statements("schema/embedded/schema")
    assert columns(nodes) == NODE_COLUMNS
    for definition in edges:
        assert columns(definition) == EDGE_COLUMNS


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("schema/embedded/schema", r"REL TABLE IF NOT EXISTS (\w+)"),
        ("write/embedded/copy", r"COPY (\w+)"),
    ],
)
def test_every_kind_of_edge_has_a_table_and_is_loaded(name: str, table: str) -> None:
    _, *edges = statements(name)
    assert [re.search(table, text)[1] for text in edges] == list(EdgeKind)  # type: ignore[index]


def test_a_count_that_skips_a_kind_of_edge_would_lie() -> None:
    (kinds,) = re.findall(r"\[r:([A-Z|]+)\]", statement("audit/count_edges"))
    assert kinds.split("|") == list(EdgeKind)
