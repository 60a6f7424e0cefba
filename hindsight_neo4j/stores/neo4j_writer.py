"""How a snapshot gets into Neo4j: compared, written where no reader looks, then shown (`stores.neo4j` tells the idea)."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any, Final, TypeVar

import neo4j

from hindsight_neo4j import __version__
from hindsight_neo4j.errors import SchemaMismatch, WriteFailed
from hindsight_neo4j.model.graph import Graph
from hindsight_neo4j.stores.changes import (
    UNFINISHED,
    Changes,
    EdgeKey,
    Parts,
    StoredRows,
    edge_row,
    node_row,
)
from hindsight_neo4j.stores.neo4j_connection import Connection, TooLarge
from hindsight_neo4j.stores.protocols import GRAPH_SCHEMA_VERSION
from hindsight_neo4j.stores.statements import graph_schema, statement, statements

BATCH_ROWS: Final = 5_000
"""Rows of one write transaction: 5,000 to 10,000 were quickest, and far below the server's memory limit."""

BATCH_CHARACTERS: Final = 8_000_000
"""Most text of one write transaction, if one row does not hold more: nothing bounds a property."""

READ_PATHS: Final = 500
"""Files whose rows are read back at once."""

IN_PLACE_ROWS: Final = 20_000
"""Most rows that change in one transaction; 200,000 created in one took a heap of 1 GB."""

_TRIES: Final = 5
_MADE: Final = re.compile(r"(hindsight_\w+) IF NOT EXISTS")

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class _Staged:
    """What `publish` has to do: make `changes` in the slot that readers see, or show them another slot."""

    name: str
    slot: str
    parts: Parts
    changes: Changes | None
    before: str  # the stamp that `changes` start from


class _Overtaken(Exception):
    """Another writer published in between."""


class Neo4jWriter:
    """Writes snapshots over a connection, for one `owner`: a name that no other writer has; "" makes one up."""

    def __init__(self, connection: Connection, owner: str) -> None:
        self._connection = connection
        self._owner = owner or secrets.token_hex(8)
        self._staged: list[_Staged] = []
        self.written = 0

    def stage(self, name: str, graph: Graph) -> None:
        """Bring the graph to the server, where readers do not see it yet."""
        self._staged.append(self._compared(name, Parts(graph)))

    def _compared(self, name: str, parts: Parts) -> _Staged:
        """Compare with what readers see, and write nothing yet if little differs."""
        make_schema(self._connection)
        shown = self._shown(name)
        if shown:
            slot, stamp = shown
            changes = self._changes(slot, parts)
            if changes.rows <= IN_PLACE_ROWS:
                return _Staged(name, slot, parts, changes, stamp)
        return self._beside(name, parts, shown[0] if shown else None)

    def _beside(self, name: str, parts: Parts, shown: str | None) -> _Staged:
        """Fill a slot that readers do not see."""
        slot = self._claim(name, shown)
        self._fill(slot, self._changes(slot, parts))
        return _Staged(name, slot, parts, None, "")

    def publish(self) -> None:
        """Show readers what was staged."""
        for staged in self._staged:
            self._publish(staged)
        self._staged.clear()

    def forget(self, name: str) -> None:
        """Delete what is stored under `name`, whole or half written."""
        self._connection.command(_text("hide"), {"name": name})
        for row in self._connection.rows(_text("slots"), {"name": name}):
            self._drop(row["slot"])

    def left_over(self) -> list[str]:
        """Return what is lacking or left behind in the database, each in a few words."""
        if not check_schema(self._connection):
            return []  # nothing of ours is there yet
        lacking, failed = _schema_faults(self._connection)
        return [
            *(f"{name} is missing" for name in lacking),
            *(f"{name} does not work" for name in failed),
            *(
                f"slot {row['slot']}, half-written by {row['owner'] or 'somebody'}"
                for row in self._connection.rows(_text("left_over"))
            ),
        ]

    def repair(self) -> None:
        """Make what is lacking, and drop what is left behind."""
        if not check_schema(self._connection):
            return
        _, failed = _schema_faults(self._connection)
        for name in failed:
            self._connection.command(statement("schema/neo4j/drop_index"), {"name": name})
        make_schema(self._connection, since=0)
        for row in self._connection.rows(_text("left_over")):
            self._drop(row["slot"])

    def _publish(self, staged: _Staged) -> None:
        for _ in range(_TRIES):
            try:
                self._connection.write(partial(self._show, staged))
            except _Overtaken:
                staged = self._compared(staged.name, staged.parts)
            except TooLarge:
                staged = self._beside(staged.name, staged.parts, staged.slot)
            else:
                self.written += staged.changes.rows if staged.changes else 0
                self._tidy(staged)
                return
        raise WriteFailed(
            f"{self._connection.address}: other writers of {staged.name} were quicker {_TRIES} times",
            hint="ingest again when they are done",
        )

    def _show(self, staged: _Staged, tx: neo4j.ManagedTransaction) -> None:
        named = {"name": staged.name, "owner": self._owner}
        (held,) = _records("lock_snapshot", named, tx)
        if staged.changes is not None:
            if (held["slot"], held["stamp"]) != (staged.slot, staged.before):
                raise _Overtaken
            for text, rows in _writes(staged.slot, staged.changes):
                for batch in batches(rows):
                    tx.run(text, rows=batch).consume()
        tx.run(
            _text("publish"),
            {**named, "slot": staged.slot, "stamp": staged.parts.stamp, "version": __version__},
        ).consume()

    def _tidy(self, staged: _Staged) -> None:
        """Drop what this writer has left over: the slot shown before, and what it began and gave up."""
        for row in self._connection.rows(_text("slots"), {"name": staged.name}):
            if row["owner"] == self._owner and row["slot"] != staged.slot:
                self._drop(row["slot"])

    def _drop(self, slot: str) -> None:
        for text in statements("write/neo4j/drop_slot"):
            self._connection.command(text, {"slot": slot})

    def _shown(self, name: str) -> tuple[str, str] | None:
        """Return slot and stamp of what readers see now."""
        for row in self._connection.rows(_text("snapshots")):
            if row["name"] == name:
                return row["slot"], row["stamp"]
        return None

    def _claim(self, name: str, shown: str | None) -> str:
        """Return a slot that only this writer fills: an empty one, or one that it began and did not finish."""
        for number in count(1):
            slot = name if number == 1 else f"{name}~{number}"
            if slot == shown:
                continue
            values = {"slot": slot, "name": name, "owner": self._owner}
            (claim,) = self._connection.write(partial(_records, "claim_slot", values))
            if claim["mine"]:
                return slot
        raise AssertionError("count() does not end")

    def _changes(self, slot: str, parts: Parts) -> Changes:
        """Return what a slot lacks to hold `parts`."""
        rows = self._connection.rows(_text("parts"), {"slot": slot})
        stored = {row["path"]: row["digest"] for row in rows}
        return parts.changes(slot, stored, partial(self._rows_of, slot))

    def _rows_of(self, slot: str, paths: list[str]) -> StoredRows:
        nodes: dict[str, dict[str, Any]] = {}
        edges: dict[EdgeKey, dict[str, Any]] = {}
        for start in range(0, len(paths), READ_PATHS):
            values = {"slot": slot, "paths": paths[start : start + READ_PATHS]}
            for row in self._connection.rows(_text("nodes_of"), values):
                nodes[row["node"]["key"]] = row["node"]
            for row in self._connection.rows(_text("edges_of"), values):
                edges[row["src"], row["dst"], row["edge"]["kind"]] = row["edge"]
        return StoredRows(nodes, edges)

    def _fill(self, slot: str, changes: Changes) -> None:
        """Write `changes` into a slot that nobody reads, in batches.

        Parts are announced first and get their digests last: where a write is cut off, what is in doubt is known.
        """
        put = _text("put_parts")
        unfinished = dict.fromkeys(changes.parts, UNFINISHED)
        for batch in batches(_part_rows(slot, unfinished)):
            self._connection.write_rows(put, batch)
        for text, rows in _writes(slot, changes):
            for batch in batches(rows):
                self._connection.write_rows(text, batch)
        self.written += changes.rows


def make_schema(connection: Connection, since: int | None = None) -> None:
    """Bring the database's schema to our version, version by version, from the one it has or from `since`.

    Raises:
        SchemaMismatch: A newer version wrote the database.
        WriteFailed: The server refused.
    """
    held = check_schema(connection)
    for version in range((held if since is None else since) + 1, GRAPH_SCHEMA_VERSION + 1):
        for text in statements(f"schema/neo4j/{version}"):
            connection.command(text)
        connection.command(statement("schema/neo4j/set_version"), {"version": version})


def check_schema(connection: Connection) -> int:
    """Return the version of the database's schema, 0 where it has none yet.

    Raises:
        SchemaMismatch: A newer version wrote the database.
    """
    found = connection.rows(statement("schema/neo4j/version"))
    version = int(found[0]["version"]) if found else 0
    if version > GRAPH_SCHEMA_VERSION:
        raise SchemaMismatch(
            f"{connection.address} has schema {version}, this version reads {GRAPH_SCHEMA_VERSION}",
            hint="upgrade hindsight-neo4j, or give another database",
        )
    return version


def _schema_faults(connection: Connection) -> tuple[list[str], list[str]]:
    """Return the names of our constraints and indexes that are not there, and of those that do not work."""
    held = {row["name"]: row["failed"] for row in connection.rows(statement("schema/neo4j/held"))}
    wanted = [name for text in graph_schema() for name in _MADE.findall(text)]
    return [n for n in wanted if n not in held], [name for name in wanted if held.get(name)]


def _writes(slot: str, changes: Changes) -> Iterator[tuple[str, Iterable[Any]]]:
    """Yield each text to run with its rows, in the order in which they must be."""
    edges = [
        {"src": src, "dst": dst, "edge": {"kind": kind}} for src, dst, kind in changes.deleted_edges
    ]
    yield _text("delete_edges"), edges
    yield _text("delete_nodes"), changes.deleted_nodes
    yield _text("create_nodes"), (node_row(slot, node) for node in changes.created_nodes)
    yield _text("update_nodes"), (node_row(slot, node) for node in changes.updated_nodes)
    yield _text("create_edges"), (edge_row(slot, edge) for edge in changes.created_edges)
    yield _text("update_edges"), (edge_row(slot, edge) for edge in changes.updated_edges)
    yield _text("delete_parts"), [_part_key(slot, path) for path in changes.gone]
    yield _text("put_parts"), _part_rows(slot, changes.parts)


def _records(
    name: str, values: dict[str, Any], tx: neo4j.ManagedTransaction
) -> list[dict[str, Any]]:
    return tx.run(_text(name), values).data()


def _text(name: str) -> str:
    return statement(f"write/neo4j/{name}")


def _part_rows(slot: str, parts: dict[str, str]) -> Iterator[dict[str, str]]:
    for path, digest in parts.items():
        yield {"key": _part_key(slot, path), "slot": slot, "path": path, "digest": digest}


def _part_key(slot: str, path: str) -> str:
    return f"{slot}|{path}"


def batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Cut rows into lists of at most `BATCH_ROWS` and about `BATCH_CHARACTERS`."""
    batch: list[Row] = []
    characters = 0
    for row in rows:
        size = _characters(row)
        if batch and (len(batch) == BATCH_ROWS or characters + size > BATCH_CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(row)
        characters += size
    if batch:
        yield batch


def _characters(row: Any) -> int:
    values = row.values() if isinstance(row, dict) else (row,)
    return sum(len(value) for value in values if isinstance(value, str))
