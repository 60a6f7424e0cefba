"""All nodes and edges of a snapshot, read page by page, so that memory does not grow with the graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hindsight_neo4j.model.template import Params, Row, Template, Value
from hindsight_neo4j.stores.protocols import GraphStore

PAGE_ROWS: Final = 20_000
"""Rows asked for at once: each page costs one pass over the graph, so few and large ones are quicker."""

_START: Final = ""


def node_rows(store: GraphStore, snapshot: str, template: Template) -> Iterator[Row]:
    """Yield the rows of the template `audit/export_nodes`, by id."""
    return _pages(store, template, {"snapshot": snapshot}, {"after": "id"})


def edge_rows(store: GraphStore, snapshot: str, template: Template) -> Iterator[Row]:
    """Yield the rows of the template `audit/export_edges`, by source, kind and target."""
    return _pages(
        store, template, {"snapshot": snapshot}, {"src": "src", "kind": "kind", "dst": "dst"}
    )


def _pages(
    store: GraphStore, template: Template, fixed: Params, key: dict[str, str]
) -> Iterator[Row]:
    """Yield all rows of a paging template. `key` maps its parameters to the columns that fill them."""
    last: dict[str, Value] = dict.fromkeys(key, _START)
    while True:
        rows = store.run(template, {**fixed, **last, "limit": PAGE_ROWS}, row_cap=PAGE_ROWS)
        yield from rows
        if len(rows) < PAGE_ROWS:
            return
        last = {param: rows[-1][column] for param, column in key.items()}
