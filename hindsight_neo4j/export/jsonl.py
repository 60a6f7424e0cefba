"""A snapshot's graph as JSON Lines: all nodes by id, then all edges by source, kind and target.

    {"type":"node","id":"db.py:Store.put","kind":"function","path":"db.py","qualname":"Store.put",…}
    {"type":"edge","kind":"invokes","src":"api.py:save","dst":"db.py:Store.put","lines":[19],…}

The same graph gives the same bytes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from hindsight_neo4j.errors import SettingsError
from hindsight_neo4j.export.rows import edge_rows, node_rows
from hindsight_neo4j.model.template import Row, Template
from hindsight_neo4j.stores.protocols import GraphStore


def write_jsonl(
    store: GraphStore, snapshot: str, nodes: Template, edges: Template, out: TextIO
) -> tuple[int, int]:
    """Write a snapshot to `out` and return the numbers of nodes and edges written.

    Args:
        store: Where the graph is.
        snapshot: Which one.
        nodes: The template `audit/export_nodes`.
        edges: The template `audit/export_edges`.
        out: Where the lines go.
    """
    return (
        _write(node_rows(store, snapshot, nodes), "node", out),
        _write(edge_rows(store, snapshot, edges), "edge", out),
    )


def _write(rows: Iterator[Row], type_: str, out: TextIO) -> int:
    count = 0
    for row in rows:
        line = {"type": type_, **row, "kind": str(row["kind"]).lower()}
        out.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
        count += 1
    return count


@contextmanager
def writing(output: Path | TextIO) -> Iterator[TextIO]:
    """Hand over a stream to write to; a file gets its new content only when all of it is written.

    Raises:
        SettingsError: The file cannot be written.
    """
    if not isinstance(output, Path):
        yield output
        return
    # A pipe or a device cannot be replaced, only written to.
    is_file = output.is_file() or not output.exists()
    target = output.with_name(f".{output.name}.{os.getpid()}") if is_file else output
    try:
        with target.open("w", encoding="utf-8", newline="\n") as out:
            yield out
        if is_file:
            target.replace(output)
    except OSError as error:
        raise SettingsError(f"cannot write {output}", hint=error.strerror or "") from error
    finally:
        if is_file:
            target.unlink(missing_ok=True)
