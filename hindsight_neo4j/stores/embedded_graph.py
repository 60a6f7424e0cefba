"""The graph in one file: the embedded engine, `ladybug`. The only module that knows it.

A file is built by `EmbeddedGraph.create` (bulk load from CSV, in one transaction) and then only read, by
`EmbeddedGraph.open`. It is a projection: when it does not open, the next ingest writes another.

A file opened read-only still lets a text write *other* files (`COPY ... TO`) or read them (`LOAD FROM`), so texts from
users must have passed the check of the templates room before they come here.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Self, TextIO

import ladybug

from hindsight_neo4j.errors import MAKE_ROOM, StoreUnavailable, TemplateError, WriteFailed
from hindsight_neo4j.model.graph import Edge, EdgeKind, Graph
from hindsight_neo4j.model.template import READ_TIMEOUT_S, ROW_CAP, Params, Row, Template
from hindsight_neo4j.stores.records import key, node_record, storable
from hindsight_neo4j.stores.statements import statement, statements
from hindsight_neo4j.stores.values import bound, first_line, rows

BUFFER_POOL_BYTES: Final = 256 << 20
"""Most memory for the engine's pages. Its own default is 80 % of the machine's."""

MAX_FILE_BYTES: Final = 64 << 30
"""Address space set aside for a file. The engine's own default, 8 TB, fails under a limit on virtual memory."""

_READ_THREADS: Final = 1
"""Point queries are quicker on one thread than on two (one hop: 3.7 against 4.3 ms), and cost less."""

_WRITE_THREADS: Final = 2
"""Loading django takes 2.0 s on two threads, 2.6 s on one, and the same CPU time."""

_BROKEN: Final = ("Storage exception", "IO exception", "Buffer manager exception")
"""How errors begin that say something about the file or the memory, and nothing about the text."""


class EmbeddedGraph:
    """A graph store in one file (`stores.protocols.GraphStore`). Use it from one thread at a time."""

    def __init__(self, path: Path, *, read_only: bool) -> None:
        try:
            self._database = ladybug.Database(
                path,
                read_only=read_only,
                buffer_pool_size=BUFFER_POOL_BYTES,
                max_db_size=MAX_FILE_BYTES,
            )
            threads = _READ_THREADS if read_only else _WRITE_THREADS
            self._connection = ladybug.Connection(self._database, num_threads=threads)
        except RuntimeError as error:
            raise _unavailable(path, error) from error
        self._path = path

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a graph that is there, for reading.

        Raises:
            StoreUnavailable: There is none, or the engine cannot read it.
        """
        graph = cls(path, read_only=True)
        try:
            graph._holds_nodes()  # an empty file opens without a word
        except RuntimeError as error:
            graph.close()
            raise _unavailable(path, error) from error
        return graph

    @classmethod
    def create(cls, path: Path) -> Self:
        """Open a graph for writing, with its tables made.

        Raises:
            StoreUnavailable: The file cannot be made, is no graph, or another process writes it.
        """
        graph = cls(path, read_only=False)
        try:
            for text in statements("schema/embedded/schema"):
                graph._execute(text)
        except RuntimeError as error:
            graph.close()
            raise _unavailable(path, error) from error
        return graph

    def write(self, snapshot: str, graph: Graph) -> None:
        """Store a whole snapshot, replacing what it held before.

        Raises:
            WriteFailed: The engine refused; what was there before is untouched.
        """
        try:
            with TemporaryDirectory(dir=self._path.parent, prefix=f"{self._path.name}.") as folder:
                self._load(snapshot, graph, Path(folder))
        except KeyError as error:
            raise WriteFailed(
                f"an edge has an end that is not in the graph: {first_line(error)}"
            ) from error
        except (RuntimeError, OSError) as error:
            raise WriteFailed(
                f"the graph {self._path} was not written: {first_line(error)}", hint=MAKE_ROOM
            ) from error

    def _load(self, snapshot: str, graph: Graph, folder: Path) -> None:
        # A transaction costs more than the load itself, and a file that holds nothing can do without.
        with (
            self._transaction() if self._holds_nodes() else self._filling(snapshot),
            ThreadPoolExecutor(1) as beside,  # the engine loads a table while the next is written
        ):
            self._delete(snapshot)
            tables = [beside.submit(write) for write in _tables(folder, snapshot, graph)]
            for text, table in zip(statements("write/embedded/copy"), tables, strict=True):
                table.result()
                self._execute(text.replace("$folder", _literal(folder)))
        self._execute("CHECKPOINT")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._execute("BEGIN TRANSACTION")
        try:
            yield
        except BaseException:
            with suppress(RuntimeError):  # a failed COPY may have ended the transaction already
                self._execute("ROLLBACK")
            raise
        self._execute("COMMIT")

    @contextmanager
    def _filling(self, snapshot: str) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._delete(snapshot)
            raise

    def _holds_nodes(self) -> bool:
        _, nodes = self._fetch(statement("write/embedded/any_node"), {}, row_cap=1)
        return bool(nodes)

    def _delete(self, snapshot: str) -> None:
        name = {"snapshot": storable(snapshot)}
        self._execute(statement("write/embedded/delete_snapshot"), name)

    def publish(self) -> None:
        """Do nothing: what is written is there, and its generation becomes live as a whole."""

    def run(
        self,
        template: Template,
        params: Params,
        *,
        timeout_s: float = READ_TIMEOUT_S,
        row_cap: int = ROW_CAP,
    ) -> list[Row]:
        """Run a template and return its rows in its order, at most `row_cap`.

        Raises:
            TemplateError: A parameter is missing, unknown or of the wrong type, or the engine refuses the text.
            StoreUnavailable: The engine does not answer within `timeout_s` seconds.
        """
        values = bound(template, params)
        self._connection.set_query_timeout(max(1, int(timeout_s * 1000)))
        try:
            columns, records = self._fetch(template.text, values, row_cap)
        except RuntimeError as error:
            if str(error).startswith("Interrupted"):
                raise StoreUnavailable(
                    f"template {template.name} did not end within {timeout_s:g} s",
                    hint="ask for less, or give it more time",
                ) from error
            if str(error).startswith(_BROKEN):
                raise _unavailable(self._path, error) from error
            raise TemplateError(
                f"template {template.name} is refused: {first_line(error)}"
            ) from error
        return rows(template, columns, records)

    def counts(self, snapshot: str) -> tuple[dict[str, int], dict[str, int]]:
        """Return nodes by kind and edges by kind, counted by the engine."""
        return self._count("audit/count_nodes", snapshot), self._count(
            "audit/count_edges", snapshot
        )

    def _count(self, name: str, snapshot: str) -> dict[str, int]:
        values = {"snapshot": storable(snapshot)}
        _, records = self._fetch(statement(name), values, len(EdgeKind))
        return {kind: int(count) for kind, count in records}

    def close(self) -> None:
        """Close the file. May be called twice."""
        self._connection.close()
        self._database.close()

    def _execute(self, text: str, values: dict[str, Any] | None = None) -> None:
        with self._result(text, values or {}):
            pass

    def _fetch(
        self, text: str, values: dict[str, Any], row_cap: int
    ) -> tuple[list[str], list[list[Any]]]:
        records: list[list[Any]] = []
        with self._result(text, values) as result:
            while len(records) < row_cap and result.has_next():
                records.append(list(result.get_next()))
            return result.get_column_names(), records

    def _result(self, text: str, values: dict[str, Any]) -> ladybug.QueryResult:
        result = self._connection.execute(text, values)
        if isinstance(result, list):
            raise TemplateError("the text holds more than one statement")
        return result


def _tables(folder: Path, snapshot: str, graph: Graph) -> list[Callable[[], None]]:
    """Return what writes each table as CSV, in the order in which they are loaded: nodes, then edges by kind."""
    keys: dict[str, str] = {}
    edges: dict[EdgeKind, list[Edge]] = {kind: [] for kind in EdgeKind}

    def write_nodes() -> None:
        with _csv(folder / "Node.csv") as file:
            records = (node_record(snapshot, node) for node in graph.nodes)
            csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(records)
        keys.update((node.id, _quoted(key(snapshot, node.id))) for node in graph.nodes)
        for edge in graph.edges:
            edges[edge.kind].append(edge)

    def write_edges(kind: EdgeKind) -> None:
        with _csv(folder / f"{kind}.csv") as file:
            # By hand: there are many edges, and of what they hold only the keys, quoted above, can hold a quote.
            file.writelines(
                f'{keys[edge.src]},{keys[edge.dst]},{kind},"{list(edge.lines)}",{edge.tier},'
                f"{edge.confidence},{edge.how}\n"
                for edge in edges[kind]
            )

    return [write_nodes, *(partial(write_edges, kind) for kind in EdgeKind)]


def _csv(path: Path) -> TextIO:
    return path.open("w", newline="", encoding="utf-8")


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _literal(folder: Path) -> str:
    """Return a folder as the inside of a quoted path, in which the engine would see escapes and wildcards."""
    text = "".join(f"[{char}]" if char in "*?[" else char for char in folder.as_posix())
    return text.replace("\\", "\\\\").replace("'", "\\'")


def _unavailable(path: Path, error: Exception) -> StoreUnavailable:
    return StoreUnavailable(
        f"the graph {path} cannot be read: {first_line(error)}",
        hint="ingest the repository again to rebuild it",
    )
