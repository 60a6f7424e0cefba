"""A connection to a Neo4j server: how it is made, what runs over it, and what its failures mean in one line."""

from __future__ import annotations

import re
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import neo4j
from neo4j.exceptions import DriverError, Neo4jError, TransientError

from hindsight_neo4j.errors import (
    SchemaMismatch,
    SettingsError,
    StoreError,
    StoreUnavailable,
    WriteFailed,
)
from hindsight_neo4j.model.server import GRAPH_USER, GraphServer
from hindsight_neo4j.stores.values import first_line

CONNECT_TIMEOUT_S: Final = 10.0
"""Longest wait for a connection, and for a transaction that the driver tries again."""

OLDEST: Final = (5, 26)
"""The oldest server that understands our Cypher: labels and types from a value came with it."""

COMMAND_ROWS: Final = 5_000
"""Rows of a transaction that a text opens by itself."""

_SCHEMES: Final = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
_MADE_ALREADY: Final = ("SchemaRuleAlreadyExists", "IndexAlreadyExists", "ConstraintAlreadyExists")
"""What a server says, in spite of IF NOT EXISTS, where two make the same index at the same moment."""

_TRIES: Final = 5
_NOT_LET_IN: Final = ("Unauthorized", "CredentialsExpired", "AuthenticationRateLimit")
_OUT_OF_MEMORY: Final = ("MemoryPoolOutOfMemoryError", "TransactionOutOfMemoryError")

_HINTS: Final = (
    ("Security.Unauthorized", "it refuses the user or the password", "check both"),
    (
        "Security.CredentialsExpired",
        "the password has expired",
        "set a new one: ALTER CURRENT USER SET PASSWORD FROM 'old' TO 'new', in the database system",
    ),
    (
        "Security.AuthenticationRateLimit",
        "too many wrong passwords were given",
        "wait for some seconds, then check user and password",
    ),
    ("Security.Forbidden", "this user may not do that", "ingest as a user with the role publisher"),
    ("DatabaseNotFound", "there is no such database", "check its name"),
    ("DatabaseUnavailable", "the database is not online", "start it, or wait until it is"),
    (
        "OutOfMemory",
        "the server has too little memory for the transaction",
        "raise dbms.memory.transaction.total.max or the heap",
    ),
    (
        "DatabaseError.Transaction.TransactionLogError",
        "it cannot write its log",
        "make room on the server's disk, then restart the database",
    ),
    (
        "DatabaseError.Transaction.TransactionStartFailed",
        "the database takes no transactions",
        "restart it; the server's debug.log says why, such as a disk that was full",
    ),
    ("WriteOnReadOnlyAccess", "the database is read-only", "allow writes to it"),
    ("General.ReadOnly", "the database is read-only", "allow writes to it"),
)
"""By a part of the server's code: what is wrong, and what to do."""

Result = TypeVar("Result")
Work = Callable[[neo4j.ManagedTransaction], Result]


class TooLarge(Exception):
    """A transaction is too large for the server's memory."""


class Connection:
    """A pool of connections to one database of a server, all work on which fails in one line.

    Raises:
        SettingsError: The address is none, or the file of certificates cannot be read.
        StoreUnavailable: No server answers there, or it refuses the password.
        SchemaMismatch: The server is too old.
    """

    def __init__(self, server: GraphServer) -> None:
        _check_address(server.address)
        self.address = server.address
        self._database = server.database
        with self.answering():
            self._driver = neo4j.GraphDatabase.driver(
                auth=_auth(server),
                connection_timeout=CONNECT_TIMEOUT_S,
                connection_acquisition_timeout=CONNECT_TIMEOUT_S,
                max_transaction_retry_time=CONNECT_TIMEOUT_S,
                notifications_min_severity=neo4j.NotificationMinimumSeverity.OFF,
                **_target(server),
            )
        try:
            with self.answering():
                info = self._driver.get_server_info()
            _check_version(server.address, info.agent)
        except StoreError:
            self._driver.close()
            raise

    def fetch(
        self, text: str, values: dict[str, Any], *, timeout_s: float, row_cap: int
    ) -> tuple[list[str], list[list[Any]]]:
        """Run a reading text, and return its columns and at most `row_cap` records.

        Raises:
            Neo4jError: The server refuses the text, or does not end it in time.
        """

        @neo4j.unit_of_work(timeout=timeout_s)
        def work(transaction: neo4j.ManagedTransaction) -> tuple[list[str], list[list[Any]]]:
            result = transaction.run(text, values)
            return list(result.keys()), [record.values() for record in result.fetch(row_cap)]

        with self._session(neo4j.READ_ACCESS) as session:
            return session.execute_read(work)

    def rows(self, text: str, values: dict[str, Any] | None = None) -> list[dict[str, Any]]:
        """Run a reading text of ours, and return all its rows."""
        with self.answering(), self._session(neo4j.READ_ACCESS) as session:
            return session.execute_read(lambda tx: tx.run(text, values).data())

    def write(self, work: Work[Result]) -> Result:
        """Run `work` in one transaction, again where another writer stood in its way.

        Raises:
            WriteFailed: The server refused.
            TooLarge: The transaction is too large for the server's memory, so that trying again would be in vain.
        """

        def guarded(tx: neo4j.ManagedTransaction) -> Result:
            try:
                return work(tx)
            except Neo4jError as error:
                if is_out_of_memory(error):
                    raise TooLarge from error
                raise

        with self.writing(), self._session(neo4j.WRITE_ACCESS) as session:
            return session.execute_write(guarded)

    def write_rows(self, text: str, rows: list[Any]) -> None:
        """Run a writing text on `rows`, on half of them at a time where all are too much for the server's memory.

        Raises:
            WriteFailed: The server refused.
        """
        try:
            self.write(lambda tx: tx.run(text, rows=rows).consume())
        except TooLarge as error:
            if len(rows) < 2:
                with self.writing():
                    raise error.__cause__ or error from None
            half = len(rows) // 2
            self.write_rows(text, rows[:half])
            self.write_rows(text, rows[half:])

    def command(self, text: str, values: dict[str, Any] | None = None) -> None:
        """Run a text that opens its own transactions, again where another writer stood in its way.

        Its `$rows` says how many rows one transaction takes, and is made smaller where that is too much for the server.
        """
        rows = COMMAND_ROWS
        tries = 0
        while True:
            try:
                with self.writing(), self._session(neo4j.WRITE_ACCESS) as session:
                    session.run(text, {**(values or {}), "rows": rows}).consume()
                return
            except WriteFailed as error:
                if is_out_of_memory(error.__cause__) and rows > 1:
                    rows = max(1, rows // 10)
                elif _has_code(error.__cause__, _MADE_ALREADY):
                    return
                elif isinstance(error.__cause__, TransientError) and tries < _TRIES:
                    tries += 1
                else:
                    raise

    def close(self) -> None:
        """Close the connections. May be called twice."""
        self._driver.close()

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Turn the driver's errors about the server, its address and its password into `StoreUnavailable`."""
        try:
            yield
        except (Neo4jError, DriverError, ValueError, OSError) as error:
            said, hint = _meaning(error)
            raise StoreUnavailable(f"no graph at {self.address}: {said}", hint=hint) from error

    @contextmanager
    def writing(self) -> Iterator[None]:
        """As `answering`, but what the server itself refuses is a `WriteFailed`, if it is not the user."""
        with self.answering():
            try:
                yield
            except Neo4jError as error:
                if _has_code(error, _NOT_LET_IN):
                    raise
                said, hint = _meaning(error)
                raise WriteFailed(f"{self.address} refused the graph: {said}", hint=hint) from error

    def _session(self, access: str) -> neo4j.Session:
        return self._driver.session(database=self._database, default_access_mode=access)


def is_out_of_memory(error: BaseException | None) -> bool:
    """Say whether a transaction was too large for the server's memory."""
    return _has_code(error, _OUT_OF_MEMORY)


def _has_code(error: BaseException | None, ends: tuple[str, ...]) -> bool:
    return isinstance(error, Neo4jError) and (error.code or "").endswith(ends)


def refusal_line(error: BaseException) -> str:
    """Return what the server or the driver says, in one line."""
    if isinstance(error, Neo4jError):
        return first_line(error.message or error)
    return first_line(error) or type(error).__name__


def _root(error: BaseException) -> BaseException:
    """Return what is behind an error: the driver says what it tried, and only below that what came of it."""
    while not isinstance(error, Neo4jError):
        group = error.exceptions if isinstance(error, BaseExceptionGroup) else (error.__cause__,)
        if group[0] is None:
            break
        error = group[0]
    return error


def _meaning(shown: Exception) -> tuple[str, str]:
    """Return what is wrong and what to do, each in one line."""
    error = _root(shown)
    code = (error.code or "") if isinstance(error, Neo4jError) else ""
    for part, said, hint in _HINTS:
        if part in code:
            named = f" ({refusal_line(error)})" if "Database" in part else ""
            return said + named, hint
    line = refusal_line(error)
    if "HTTP" in line:
        return f"something else answers there ({line})", "give the port of Bolt, mostly 7687"
    if "incomplete handshake" in line:
        return (
            f"it ended the connection at once ({line})",
            "bolt+s:// or neo4j+s:// where the server wants encryption; else check the port",
        )
    if isinstance(error, ssl.SSLError):
        return (
            f"no agreement about encryption ({line})",
            "bolt:// or neo4j:// where the server has no TLS, with +s where it has; HINDSIGHT_GRAPH_CA=FILE for certificates of your own",
        )
    return line, "check the address, the database, and that the server is up"


def _auth(server: GraphServer) -> tuple[str, str] | None:
    if server.password is None and server.user is None:
        return None
    return server.user or GRAPH_USER, server.password or ""


def _target(server: GraphServer) -> dict[str, Any]:
    """Return the driver's address, with the certificates to trust: then encryption is no part of the scheme."""
    if server.ca is None:
        return {"uri": server.address}
    if not Path(server.ca).is_file():
        raise SettingsError(
            f"there is no file {server.ca}", hint="HINDSIGHT_GRAPH_CA takes a PEM file"
        )
    scheme, _, host = server.address.partition("://")
    return {
        "uri": f"{scheme.partition('+')[0]}://{host}",
        "encrypted": True,
        "trusted_certificates": neo4j.TrustCustomCAs(server.ca),
    }


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


def _check_version(address: str, agent: str) -> None:
    found = re.fullmatch(r"Neo4j/(\d+)\.(\d+)\..*", agent)
    if not found or (int(found[1]), int(found[2])) < OLDEST:
        raise SchemaMismatch(
            f"{address} is {agent[:80]}", hint="Neo4j 5.26 or newer is needed: upgrade the server"
        )
