"""The one place that picks engines: for each store, the index folder or a server.

Engines are imported where they are used, not above: a question to the embedded index must not wait for a server's
driver, nor the other way round.
"""

from __future__ import annotations

import json
import socket
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hindsight_neo4j.errors import (
    SchemaMismatch,
    SettingsError,
    SnapshotError,
    StoreError,
    StoreUnavailable,
)
from hindsight_neo4j.model.server import GraphServer, StoredSnapshot, TextServer

if TYPE_CHECKING:
    from hindsight_neo4j.stores.elasticsearch import ElasticsearchText
    from hindsight_neo4j.stores.index_folder import Generation, IndexFolder, Manifest
    from hindsight_neo4j.stores.neo4j import Neo4jGraph
    from hindsight_neo4j.stores.protocols import ChunkStore, GraphStore

_WRITTEN: Final = "servers.json"
"""File of a generation: what was written to which server."""

_INGEST: Final = "run hindsight-ingest PATH with the same --graph and --text"


@dataclass(frozen=True, slots=True)
class Chosen:
    """The snapshot that is read.

    Attributes:
        name: What people call it.
        stored: What its nodes call it (`model.server.StoredSnapshot`).
        created: When it was written, in ISO 8601.
        version: Of this package, when it was written.
        root: The repository's absolute path, "" where only servers are read: it never goes to one.
        generation: What holds the stores that are in the index folder, None where only servers are read.
    """

    name: str
    stored: str
    created: str
    version: str
    root: str = ""
    generation: Generation | None = None


class Engines:
    """Opens the stores of one index, each where it is. Holds nothing open before it is asked.

    Args:
        folder: The index folder, made or not.
        graph: The server of the graph; None: it is in the folder.
        text: The server of the chunks; None: they are in the folder.
    """

    def __init__(
        self, folder: IndexFolder, graph: GraphServer | None, text: TextServer | None
    ) -> None:
        self.folder = folder
        self.graph_server = graph
        self.text_server = text
        self._graph: GraphStore | None = None
        self._chunks: ChunkStore | None = None
        self._chosen: Chosen | None = None

    @property
    def where(self) -> str:
        """Where the stores are, for people."""
        places = dict.fromkeys(
            server.address if server else str(self.folder.path)
            for server in (self.graph_server, self.text_server)
        )
        return " · ".join(places)

    @property
    def on_servers(self) -> bool:
        """Whether any store is on a server."""
        return bool(self.graph_server or self.text_server)

    def choose(self, wanted: str | None) -> Chosen:
        """Return the snapshot to read: the wanted one, that of the index folder, or the only one.

        Raises:
            SnapshotError: There is none of that name, or there are several.
            StoreError: A store cannot be read.
        """
        if self._chosen is None:
            self._chosen = self._choose(wanted)
        return self._chosen

    def graph(self, wanted: str | None) -> GraphStore:
        """Return the graph store, open for reading."""
        if self._graph is None:
            if self.graph_server:
                return self._neo4j_reader()
            from hindsight_neo4j.stores.embedded_graph import EmbeddedGraph

            generation = self._local(wanted)
            self._refuse_elsewhere(generation, "graph", generation.graph)
            self._graph = EmbeddedGraph.open(generation.graph)
        return self._graph

    def chunks(self, wanted: str | None) -> ChunkStore:
        """Return the chunk store, open for reading."""
        if self._chunks is None:
            if self.text_server:
                self._chunks = self._text_of(self.choose(wanted).name)
                return self._chunks
            from hindsight_neo4j.stores.embedded_text import EmbeddedText

            generation = self._local(wanted)
            self._refuse_elsewhere(generation, "text", generation.text)
            self._chunks = EmbeddedText.open(generation.text)
        return self._chunks

    def write_graph(self, generation: Generation) -> GraphStore:
        """Return the graph store of a new generation, open for writing."""
        if self.graph_server:
            return self._neo4j()
        from hindsight_neo4j.stores.embedded_graph import EmbeddedGraph

        return EmbeddedGraph.create(generation.graph)

    def write_chunks(self, generation: Generation) -> ChunkStore:
        """Return the chunk store of a new generation, open for writing."""
        if self.text_server:
            return self._elasticsearch()
        from hindsight_neo4j.stores.embedded_text import EmbeddedText

        return EmbeddedText.create(generation.text)

    def is_sound(self, generation: Generation) -> bool:
        """Say whether the stores of a generation hold what was written: a killed machine can leave a file that does
        not open, and on a server somebody else may have written or forgotten the snapshot.
        """
        try:
            name = generation.manifest().snapshot
            if not self.graph_server:
                from hindsight_neo4j.stores.embedded_graph import EmbeddedGraph

                EmbeddedGraph.open(generation.graph).close()
            if not self.text_server:
                from hindsight_neo4j.stores.embedded_text import EmbeddedText

                EmbeddedText.open(generation.text).close()
        except StoreError:
            return False
        try:
            return not self.on_servers or self._stamps(name) == _noted(generation)
        except SchemaMismatch:
            return False

    def reach(self) -> None:
        """Try every server, so that what is wrong with one is said before an hour of work.

        Raises:
            StoreError: One does not answer, refuses us, or is too old.
        """
        if self.graph_server:
            self._neo4j_reader().snapshots()
        if self.text_server:
            self._elasticsearch().close()

    def refuse_foreign(self, snapshot: str) -> None:
        """Leave alone what is on a server under a name that nobody chose and this index folder did not write.

        Raises:
            SettingsError: It is another repository's, for all that is known here.
        """
        manifest = self._manifest()
        if manifest is not None and manifest.snapshot == snapshot:
            return
        if any(stamp for _, stamp in self._stamps(snapshot).values()):
            raise SettingsError(
                f"{self.where} has a snapshot {snapshot} already, which was not written from {self.folder.path}",
                hint=f"to replace it give --snapshot {snapshot}, to keep it give another name",
            )

    def note_written(self, snapshot: str) -> None:
        """Keep in the live generation what is on the servers now, for the next `is_sound`."""
        if self.on_servers:
            stamps = json.dumps(self._stamps(snapshot))
            (self.folder.current().path / _WRITTEN).write_text(stamps, "utf-8")

    def forget(self, snapshot: str) -> None:
        """Delete a snapshot from the servers."""
        if self.graph_server:
            self._neo4j_reader().forget(snapshot)
        if self.text_server:
            with closing(self._elasticsearch()) as store:
                store.forget(snapshot)

    def left_over(self) -> list[str]:
        """Return what is lacking or left behind in each place where a store is, each in a few words.

        Raises:
            StoreError: A server does not answer, or another version wrote there.
        """
        found = self.folder.left_over()
        if self.graph_server:
            found += self._neo4j_reader().left_over()
        if self.text_server:
            with closing(self._elasticsearch()) as store:
                found += store.left_over()
        return found

    def repair(self) -> None:
        """Make what is lacking and remove what is left behind, in each place.

        Raises:
            StoreBusy: Another process writes the index folder.
            StoreError: A server does not answer, or refuses.
        """
        if self.folder.left_over():
            self.folder.repair()
        if self.graph_server:
            self._neo4j_reader().repair()
        if self.text_server:
            with closing(self._elasticsearch()) as store:
                store.repair()

    def close(self) -> None:
        """Release the stores. May be called twice; a later question opens them again."""
        for store in (self._graph, self._chunks):
            if store is not None:
                store.close()
        self._graph = self._chunks = self._chosen = None

    def _choose(self, wanted: str | None) -> Chosen:
        if self.graph_server is None:
            return self._only_local(wanted)
        found = self._on_server(wanted)
        generation = None
        if self.text_server is None:
            generation = self.folder.current()
            manifest = generation.manifest()
            if manifest.snapshot != found.name:
                raise SettingsError(
                    f"the chunks in {self.folder.path} are of {manifest.snapshot}, not of {found.name}",
                    hint=f"give --text too, or --snapshot {manifest.snapshot}",
                )
        return Chosen(found.name, found.stored, found.created, found.version, "", generation)

    def _only_local(self, wanted: str | None) -> Chosen:
        generation = self.folder.current()
        manifest = generation.manifest()
        if wanted not in (None, manifest.snapshot):
            raise SettingsError(
                f"this index has no snapshot {wanted!r}", hint=f"it has {manifest.snapshot}"
            )
        return Chosen(
            manifest.snapshot,
            manifest.snapshot,
            manifest.created,
            manifest.version,
            manifest.root,
            generation,
        )

    def _on_server(self, wanted: str | None) -> StoredSnapshot:
        held = self._neo4j_reader().snapshots()
        by_name = {name: one for one in held for name in (one.stored, one.name)}
        if wanted is not None and wanted in by_name:
            return by_name[wanted]
        local = self._manifest() if wanted is None else None
        if local is not None and local.snapshot in by_name:
            return by_name[local.snapshot]
        if not held:
            raise StoreUnavailable(f"no snapshot at {self._address}", hint=_INGEST)
        names = tuple(one.name for one in held)
        if wanted is not None:
            raise SnapshotError(
                f"{self._address} has no snapshot {wanted[:200]!r}",
                candidates=names,
                hint="it has these",
            )
        if len(held) > 1:
            raise SnapshotError(
                f"{self._address} has {len(held)} snapshots",
                candidates=names,
                hint="say which with --snapshot NAME",
            )
        return held[0]

    def _neo4j_reader(self) -> Neo4jGraph:
        from hindsight_neo4j.stores.neo4j import Neo4jGraph

        if not isinstance(self._graph, Neo4jGraph):
            self._graph = self._neo4j()
        assert isinstance(self._graph, Neo4jGraph)
        return self._graph

    @property
    def _address(self) -> str:
        return self.graph_server.address if self.graph_server else ""

    def _manifest(self) -> Manifest | None:
        try:
            return self.folder.current().manifest()
        except StoreError:
            return None

    def _local(self, wanted: str | None) -> Generation:
        generation = self.choose(wanted).generation
        return generation or self.folder.current()

    def _refuse_elsewhere(self, generation: Generation, store: str, path: Path) -> None:
        """Say where a store is that is not in the folder. It is not gone to unasked: the folder may be anybody's."""
        written = _noted(generation)
        if store in written and not path.exists():
            raise StoreUnavailable(
                f"the {store} of {self.folder.path} is at {written[store][0]}",
                hint=f"give --{store} {written[store][0]}",
            )

    def _stamps(self, snapshot: str) -> dict[str, list[str | None]]:
        """Return what each server holds of a snapshot, after the server's address."""
        stamps: dict[str, list[str | None]] = {}
        if self.graph_server:
            held = {one.name: one.stamp for one in self._neo4j_reader().snapshots()}
            stamps["graph"] = [self.graph_server.address, held.get(snapshot)]
        if self.text_server:
            with closing(self._elasticsearch()) as store:
                stamps["text"] = [self.text_server.address, store.stamp(snapshot)]
        return stamps

    def _text_of(self, snapshot: str) -> ElasticsearchText:
        """Return the chunk store on the server, which holds the chunks of a snapshot."""
        store = self._elasticsearch()
        try:
            if store.stamp(snapshot) is None:
                raise StoreUnavailable(f"no chunks of {snapshot} at {store.address}", hint=_INGEST)
        except StoreError:
            store.close()
            raise
        return store

    def _owner(self) -> str:
        """Return a name for whoever writes from this index folder: the folder's lock lets only one at a time."""
        return f"{socket.gethostname()}:{self.folder.path}"

    def _neo4j(self) -> Neo4jGraph:
        from hindsight_neo4j.stores.neo4j import Neo4jGraph

        assert self.graph_server
        return Neo4jGraph(self.graph_server, self._owner())

    def _elasticsearch(self) -> ElasticsearchText:
        from hindsight_neo4j.stores.elasticsearch import ElasticsearchText

        assert self.text_server
        return ElasticsearchText(self.text_server, self._owner())


def _noted(generation: Generation) -> dict[str, Any]:
    try:
        noted = json.loads((generation.path / _WRITTEN).read_bytes())
    except (OSError, ValueError):
        return {}
    return noted if isinstance(noted, dict) else {}
