"""A snapshot's graph as a folder for `neo4j-admin database import`, which loads what would take hours over Bolt.

    nodes.csv  edges.csv                    the graph, with the tool's own headers
    snapshots.csv  slots.csv  parts.csv     what a database of ours says of it (`cypher/schema/neo4j`)
    import.sh                               the command, to be run on the machine of a Neo4j that is stopped
    finish.cypher                           constraints, indexes and the like, to be made once it runs again

A database that is loaded so answers as one that was ingested into, and the next ingest compares with it: that each file's
digest is empty says that nothing is known of it, so its rows are read back.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hindsight_neo4j.errors import SettingsError
from hindsight_neo4j.export.rows import edge_rows, node_rows
from hindsight_neo4j.model.server import StoredSnapshot
from hindsight_neo4j.model.template import Row, Template, Value
from hindsight_neo4j.stores.changes import UNFINISHED
from hindsight_neo4j.stores.protocols import GRAPH_SCHEMA_VERSION, GraphStore
from hindsight_neo4j.stores.records import EDGE_COLUMNS, NODE_COLUMNS, key
from hindsight_neo4j.stores.statements import graph_schema, statement

ARRAY: Final = ";"
"""What the tool has between labels and between the items of a list."""

_TYPES: Final = {
    "key": "ID",
    "start_line": "long",
    "end_line": "long",
    "is_test": "boolean",
    "unresolved": "long",
    "lines": "long[]",
    "confidence": "double",
}
"""The tool's type of a column; text has none."""

_IMPORT: Final = """\
#!/bin/sh
# Loads this folder into a database that is empty or not there yet, of a Neo4j that is stopped, on its machine:
#
#   sh import.sh [DATABASE]
#
# Then start Neo4j, and make the indexes:  cypher-shell -d DATABASE -f finish.cypher
set -eu
cd "$(dirname "$0")"
exec neo4j-admin database import full "${1:-neo4j}" --nodes=./nodes.csv --nodes=HindsightSnapshot=./snapshots.csv \\
    --nodes=HindsightSlot=./slots.csv --nodes=HindsightPart=./parts.csv --relationships=./edges.csv --multiline-fields=true
"""


def write_neo4j_csv(
    store: GraphStore,
    snapshot: StoredSnapshot,
    nodes: Template,
    edges: Template,
    folder: Path,
) -> tuple[int, int]:
    """Write a snapshot into a new folder, and return the numbers of nodes and edges written.

    Args:
        store: Where the graph is.
        snapshot: Which one.
        nodes: The template `audit/export_nodes`.
        edges: The template `audit/export_edges`.
        folder: Is made once all is written; may be there if it is empty.

    Raises:
        SettingsError: The folder holds something, or cannot be written.
    """
    with _new_folder(folder) as draft:
        paths: dict[str, None] = {}
        written = _write(
            draft / "nodes.csv",
            (*map(_typed, NODE_COLUMNS), ":LABEL"),
            _node_lines(snapshot, node_rows(store, snapshot.stored, nodes), paths),
        )
        connected = _write(
            draft / "edges.csv",
            (":START_ID", ":END_ID", ":TYPE", *map(_typed, EDGE_COLUMNS)),
            _edge_lines(snapshot.name, edge_rows(store, snapshot.stored, edges)),
        )
        _write_bookkeeping(draft, snapshot, paths)
        (draft / "import.sh").write_text(_IMPORT, "utf-8")
        (draft / "finish.cypher").write_text(_finish(snapshot.name), "utf-8")
    return written, connected


def _typed(column: str) -> str:
    return f"{column}:{_TYPES[column]}" if column in _TYPES else column


def _node_lines(
    snapshot: StoredSnapshot, rows: Iterable[Row], paths: dict[str, None]
) -> Iterator[list[str]]:
    """Yield a line for each node, and note the paths of all."""
    for row in rows:
        paths[str(row["path"])] = None
        held: Mapping[str, Value] = {
            **row,
            "key": key(snapshot.name, str(row["id"])),
            "snapshot": snapshot.name,
        }
        yield [*(_text(held[column]) for column in NODE_COLUMNS), f"Node{ARRAY}{row['kind']}"]


def _edge_lines(name: str, rows: Iterable[Row]) -> Iterator[list[str]]:
    for row in rows:
        ends = (key(name, str(row["src"])), key(name, str(row["dst"])))
        yield [*ends, str(row["kind"]), *(_text(row[column]) for column in EDGE_COLUMNS)]


def _write_bookkeeping(folder: Path, snapshot: StoredSnapshot, paths: Iterable[str]) -> None:
    name = snapshot.name
    _write(
        folder / "snapshots.csv",
        ("name", "slot", "stamp", "version", "created"),
        [[name, name, snapshot.stamp, snapshot.version, snapshot.created]],
    )
    _write(folder / "slots.csv", ("slot", "name"), [[name, name]])
    _write(
        folder / "parts.csv",
        ("key", "slot", "path", "digest"),
        ([f"{name}|{path}", name, path, UNFINISHED] for path in paths),
    )


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ARRAY.join(map(str, value)) if isinstance(value, list) else str(value)


def _write(path: Path, header: Iterable[str], lines: Iterable[list[str]]) -> int:
    """Write a file whose values are all quoted: what is empty and not quoted, the tool leaves out."""
    count = 0
    with path.open("w", encoding="utf-8", newline="") as out:
        out.write(",".join(header) + "\n")
        writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
        for line in lines:
            writer.writerow(line)
            count += 1
    return count


def _finish(slot: str) -> str:
    """Return what cypher-shell runs after the import."""
    texts = (
        *graph_schema(),
        statement("schema/neo4j/set_version"),
        statement("write/neo4j/finish_import"),
    )
    params = {"version": GRAPH_SCHEMA_VERSION, "slot": slot}
    lines = [f":param {name} => {json.dumps(value)};" for name, value in params.items()]
    return "\n".join((*lines, *(f"{text};" for text in texts), ""))


@contextmanager
def _new_folder(folder: Path) -> Iterator[Path]:
    """Hand over a folder to fill, which gets its name at the end."""
    draft = folder.with_name(f".{folder.name}.part")
    try:
        if folder.exists() and any(folder.iterdir()):
            raise SettingsError(f"{folder} is not empty", hint="give a new folder with -o")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        yield draft
        if folder.exists():
            folder.rmdir()
        draft.rename(folder)
    except OSError as error:
        raise SettingsError(f"cannot write {folder}", hint=error.strerror or "") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
