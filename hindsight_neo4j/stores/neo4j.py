"""The graph in a Neo4j server, 5.26 or newer.

Plain Cypher only: neither APOC nor GDS has to be there, and Community is enough.

The nodes of a snapshot lie in a *slot*, whose name is their property `snapshot`: mostly the name of the snapshot itself.
A small change is made in place, in one transaction. A large one fills another slot (`name~2`), which readers are shown
once it is whole, and the slot before is dropped. So readers see the old graph or the new one, a write that was cut off
is taken up again by comparing, and two writers cannot spoil each other's: each fills a slot of its own.
"""

from __future__ import annotations

from typing import Final

from neo4j.exceptions import ClientError

from hindsight_neo4j.errors import StoreUnavailable, TemplateError
from hindsight_neo4j.model.graph import Graph
from hindsight_neo4j.model.server import GraphServer, StoredSnapshot
from hindsight_neo4j.model.template import READ_TIMEOUT_S, ROW_CAP, Params, Row, Template
from hindsight_neo4j.stores.neo4j_connection import Connection, refusal_line
from hindsight_neo4j.stores.neo4j_writer import Neo4jWriter, check_schema
from hindsight_neo4j.stores.records import storable
from hindsight_neo4j.stores.statements import statement
from hindsight_neo4j.stores.values import bound, rows

_REFUSED: Final = "Neo.ClientError.Statement."
_TIMED_OUT: Final = "Neo.ClientError.Transaction.TransactionTimedOut"


class Neo4jGraph:
    """A graph store in a Neo4j database (`stores.protocols.GraphStore`).

    Args:
        server: Where it is.
        owner: Who writes, if somebody does: a name that no other writer has. One who was cut off and comes back under
            the same name goes on where it was.

    Raises:
        SettingsError: The address is none.
        StoreUnavailable: No server answers there, or it refuses the password.
        SchemaMismatch: The server is too old.
    """

    def __init__(self, server: GraphServer, owner: str = "") -> None:
        self._connection = Connection(server)
        self._writer = Neo4jWriter(self._connection, owner)

    def write(self, snapshot: str, graph: Graph) -> None:
        """Store a whole snapshot, in place of what it held before, for readers to see after `publish`.

        Raises:
            WriteFailed: The server refused; what was there before is untouched.
            StoreUnavailable: The server does not answer.
            SchemaMismatch: A newer version wrote the database.
        """
        self._writer.stage(storable(snapshot), graph)

    def publish(self) -> None:
        """Show readers what was written.

        Raises:
            WriteFailed: The server refused; what was there before is untouched.
            StoreUnavailable: The server does not answer.
        """
        self._writer.publish()

    @property
    def written(self) -> int:
        """Nodes and edges that were created, changed or deleted so far."""
        return self._writer.written

    def run(
        self,
        template: Template,
        params: Params,
        *,
        timeout_s: float = READ_TIMEOUT_S,
        row_cap: int = ROW_CAP,
    ) -> list[Row]:
        """Run a template in read mode and return its rows in its order, at most `row_cap`.

        Raises:
            TemplateError: A parameter is missing, unknown or of the wrong type, or the server refuses the text.
            StoreUnavailable: The server does not answer, or not within `timeout_s` seconds.
        """
        values = bound(template, params)
        with self._connection.answering():
            try:
                columns, records = self._connection.fetch(
                    template.text, values, timeout_s=timeout_s, row_cap=row_cap
                )
            except ClientError as error:
                code = error.code or ""
                if code.startswith(_TIMED_OUT):
                    raise StoreUnavailable(
                        f"template {template.name} did not end within {timeout_s:g} s",
                        hint="ask for less, or give it more time",
                    ) from error
                if code.startswith(_REFUSED):
                    raise TemplateError(
                        f"template {template.name} is refused: {refusal_line(error)}"
                    ) from error
                raise
        return rows(template, columns, records)

    def snapshots(self) -> tuple[StoredSnapshot, ...]:
        """Return the snapshots that the database holds whole, by name.

        Raises:
            SchemaMismatch: A newer version wrote the database.
            StoreUnavailable: The server does not answer.
        """
        check_schema(self._connection)
        found = self._connection.rows(statement("write/neo4j/snapshots"))
        return tuple(
            StoredSnapshot(
                name=row["name"],
                stored=row["slot"],
                stamp=row["stamp"],
                version=row["version"],
                created=row["created"],
            )
            for row in found
        )

    def counts(self, snapshot: str) -> tuple[dict[str, int], dict[str, int]]:
        """Return nodes by kind and edges by kind, counted by the server."""
        stored = {one.name: one.stored for one in self.snapshots()}
        values = {"snapshot": stored.get(storable(snapshot), storable(snapshot))}
        nodes, edges = (
            self._connection.rows(statement(f"audit/count_{kind}"), values)
            for kind in ("nodes", "edges")
        )
        return (
            {row["kind"]: row["nodes"] for row in nodes},
            {row["kind"]: row["edges"] for row in edges},
        )

    def forget(self, snapshot: str) -> None:
        """Delete a snapshot, in transactions of bounded size. Readers do not see it from the start.

        Raises:
            WriteFailed: The server refused.
            StoreUnavailable: The server does not answer.
        """
        self._writer.forget(storable(snapshot))

    def left_over(self) -> list[str]:
        """Return what is lacking or left behind in the database, each in a few words.

        Raises:
            SchemaMismatch: A newer version wrote the database.
            StoreUnavailable: The server does not answer.
        """
        return self._writer.left_over()

    def repair(self) -> None:
        """Make what is lacking, and drop what is left behind: also what somebody is writing just now.

        Raises:
            WriteFailed: The server refused.
            SchemaMismatch: A newer version wrote the database.
            StoreUnavailable: The server does not answer.
        """
        self._writer.repair()

    def close(self) -> None:
        """Close the connections. May be called twice."""
        self._connection.close()
