"""The graph in a Neo4j server, 5.26 or newer. The only module that knows the driver.

Plain Cypher only: neither APOC nor GDS has to be there, and Community is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, Final

import neo4j
from neo4j.exceptions import AuthError, ClientError, DriverError, Neo4jError

from hindsight_neo4j.errors import SettingsError, StoreUnavailable, TemplateError, WriteFailed
from hindsight_neo4j.model.graph import Edge, Graph, Node
from hindsight_neo4j.model.template import Params, Row, Template
from hindsight_neo4j.stores.records import (
    EDGE_COLUMNS,
    NODE_COLUMNS,
    edge_record,
    key,
    node_record,
    storable,
)
from hindsight_neo4j.stores.statements import statement, statements
from hindsight_neo4j.stores.values import bound, first_line, rows

BATCH_ROWS: Final = 5_000
"""Rows of one write transaction: 5,000 to 10,000 were quickest, and far below the server's memory limit."""

CONNECT_TIMEOUT_S: Final = 10.0
"""Longest wait for a connection, and for a transaction that the driver tries again."""

_SCHEMES: Final = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
_REFUSED: Final = "Neo.ClientError.Statement."
_TIMED_OUT: Final = "Neo.ClientError.Transaction.TransactionTimedOut"


class Neo4jGraph:
    """A graph store in a Neo4j database (`stores.protocols.GraphStore`).

    Args:
        uri: Such as "bolt://localhost:7687" or "neo4j+s://graph.example.org".
        auth: User and password; None where the server asks for none.
        database: Name of the database; None for the user's home database.

    Raises:
        SettingsError: The address is none.
        StoreUnavailable: No server answers there, or it refuses the password.
    """

    def __init__(
        self, uri: str, auth: tuple[str, str] | None = None, database: str | None = None
    ) -> None:
        _check_address(uri)
        self._uri = uri
        self._database = database
        with self._answering():
            self._driver = neo4j.GraphDatabase.driver(
                uri,
                auth=auth,
                connection_timeout=CONNECT_TIMEOUT_S,
                max_transaction_retry_time=CONNECT_TIMEOUT_S,
                notifications_min_severity=neo4j.NotificationMinimumSeverity.OFF,
            )
            self._driver.verify_connectivity()

    def write(self, snapshot: str, graph: Graph) -> None:
        """Store a whole snapshot, replacing what it held before, in transactions of `BATCH_ROWS`.

        A write that is cut off leaves the snapshot in part; the next one replaces it.

        Raises:
            WriteFailed: The server refused.
            StoreUnavailable: The server does not answer.
        """
        with self._answering(), self._session(neo4j.WRITE_ACCESS) as session:
            try:
                for text in statements("schema/neo4j/schema"):
                    session.run(text).consume()
                for text in statements("write/neo4j/delete_snapshot"):
                    session.run(text, {"snapshot": storable(snapshot)}).consume()
                _create(session, snapshot, graph)
            except Neo4jError as error:
                raise WriteFailed(f"{self._uri} refused the graph: {_line(error)}") from error

    def run(
        self, template: Template, params: Params, *, timeout_s: float = 60.0, row_cap: int = 10_000
    ) -> list[Row]:
        """Run a template in read mode and return its rows in its order, at most `row_cap`.

        Raises:
            TemplateError: A parameter is missing, unknown or of the wrong type, or the server refuses the text.
            StoreUnavailable: The server does not answer, or not within `timeout_s` seconds.
        """
        values = bound(template, params)
        with self._answering():
            try:
                columns, records = self._fetch(template.text, values, timeout_s, row_cap)
            except ClientError as error:
                code = error.code or ""
                if code.startswith(_TIMED_OUT):
                    raise StoreUnavailable(
                        f"template {template.name} did not end within {timeout_s:g} s",
                        hint="ask for less, or give it more time",
                    ) from error
                if code.startswith(_REFUSED):
                    raise TemplateError(
                        f"template {template.name} is refused: {_line(error)}"
                    ) from error
                raise
        return rows(template, columns, records)

    def counts(self, snapshot: str) -> tuple[dict[str, int], dict[str, int]]:
        """Return nodes by kind and edges by kind, counted by the server."""
        return self._count("audit/count_nodes", snapshot), self._count(
            "audit/count_edges", snapshot
        )

    def _count(self, name: str, snapshot: str) -> dict[str, int]:
        values = {"snapshot": storable(snapshot)}
        with self._answering():
            _, records = self._fetch(statement(name), values, timeout_s=60.0, row_cap=100)
        return dict(records)

    def close(self) -> None:
        """Close the connections. May be called twice."""
        self._driver.close()

    def _session(self, access: str) -> neo4j.Session:
        return self._driver.session(database=self._database, default_access_mode=access)

    def _fetch(
        self, text: str, values: dict[str, Any], timeout_s: float, row_cap: int
    ) -> tuple[list[str], list[list[Any]]]:
        @neo4j.unit_of_work(timeout=timeout_s)
        def read(transaction: neo4j.ManagedTransaction) -> tuple[list[str], list[list[Any]]]:
            result = transaction.run(text, values)
            return list(result.keys()), [record.values() for record in result.fetch(row_cap)]

        with self._session(neo4j.READ_ACCESS) as session:
            return session.execute_read(read)

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Turn the driver's errors about the server, its address and its password into `StoreUnavailable`."""
        try:
            yield
        except AuthError as error:
            raise StoreUnavailable(
                f"{self._uri} refuses the user or the password", hint="check both"
            ) from error
        except (Neo4jError, DriverError, ValueError, OSError) as error:
            raise StoreUnavailable(
                f"no graph at {self._uri}: {_line(error)}",
                hint="check the address, the database, and that the server is up",
            ) from error


def _check_address(uri: str) -> None:
    scheme, _, host = uri.partition("://")
    if "@" in host:  # not repeated, since it may hold a password
        raise SettingsError(
            "the address of a Neo4j holds no user", hint="give user and password apart"
        )
    if scheme not in _SCHEMES or not host:
        raise SettingsError(
            f"{uri[:200]!r} is no address of a Neo4j", hint="such as bolt://localhost:7687"
        )


def _create(session: neo4j.Session, snapshot: str, graph: Graph) -> None:
    text = statement("write/neo4j/create_nodes")
    for batch in _batches(_node_row(snapshot, node) for node in graph.nodes):
        session.execute_write(_value, text, {"rows": batch})
    text = statement("write/neo4j/create_edges")
    for batch in _batches(_edge_row(snapshot, edge) for edge in graph.edges):
        created = session.execute_write(_value, text, {"rows": batch})
        if created != len(batch):
            raise WriteFailed(f"{len(batch) - created} edges have an end that is not in the graph")


def _value(transaction: neo4j.ManagedTransaction, text: str, values: dict[str, Any]) -> int:
    (count,) = transaction.run(text, values).single(strict=True)
    return int(count)


def _node_row(snapshot: str, node: Node) -> dict[str, Any]:
    return dict(zip(NODE_COLUMNS, node_record(snapshot, node), strict=True))


def _edge_row(snapshot: str, edge: Edge) -> dict[str, Any]:
    return {
        "src": key(snapshot, edge.src),
        "dst": key(snapshot, edge.dst),
        "edge": dict(zip(EDGE_COLUMNS, edge_record(edge), strict=True)),
    }


def _batches(records: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    iterator = iter(records)
    while batch := list(islice(iterator, BATCH_ROWS)):
        yield batch


def _line(error: Exception) -> str:
    said = error.message if isinstance(error, Neo4jError) else None
    return first_line(said or error)
