"""Servers of their own that are killed in the middle of an ingest, come back, and may only be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from contract.conftest import empty, remove_indexes
from contract.test_on_servers import small_repository
from contract.test_server_faults import ingested, one_line, shown
from servers import elasticsearch_server, neo4j_server

from hindsight_neo4j.errors import StoreUnavailable, WriteFailed
from hindsight_neo4j.stores import neo4j_writer
from hindsight_neo4j.stores.elasticsearch import ElasticsearchText
from hindsight_neo4j.stores.neo4j_connection import Connection

pytestmark = pytest.mark.server  # the fixtures skip where no server can be started


MANY = 6_000
"""Functions that make the log of a transaction longer than 3 MB."""


def grown(root: Path) -> None:
    """Add forty files with a function each."""
    for number in range(40):
        (root / f"more{number}.py").write_text(f"def more{number}():\n    pass\n")


def test_neo4j_is_killed_and_comes_back_and_is_made_read_only(
    elasticsearch_server: elasticsearch_server.Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    remove_indexes(elasticsearch_server)
    text, home = elasticsearch_server.access, tmp_path / "neo4j"
    root = small_repository(tmp_path / "shop")
    with monkeypatch.context() as small, neo4j_server.running(home) as server:
        ingested(root, server.access, text)
        before = shown(tmp_path, server.access, text)
        grown(root)
        written: list[int] = []
        write_rows = Connection.write_rows

        def killed(connection: Connection, cypher: str, rows: list[object]) -> None:
            written.append(len(rows))
            if len(written) == 3:
                server.kill()
            write_rows(connection, cypher, rows)

        small.setattr(neo4j_writer, "BATCH_ROWS", 20)
        small.setattr(neo4j_writer, "IN_PLACE_ROWS", 10)
        small.setattr(Connection, "write_rows", killed)
        with pytest.raises(StoreUnavailable) as caught:
            ingested(root, server.access, text)
        one_line(caught.value, "no graph at", server.uri)
        assert len(written) >= 3
    with neo4j_server.running(home) as server:
        assert shown(tmp_path, server.access, text) == before
        ingested(root, server.access, text)
        after = shown(tmp_path, server.access, text)
        assert after == (before[0] + 80, before[1] + 40)
    (root / "user0.py").unlink()
    with neo4j_server.running(home, "server.databases.default_to_read_only=true") as server:
        with pytest.raises(WriteFailed) as refused:
            ingested(root, server.access, text)
        one_line(refused.value, "read-only", "allow writes")
        assert shown(tmp_path, server.access, text) == after


def test_the_disk_of_neo4j_is_full_and_what_was_there_is_there_again_when_it_has_room(
    elasticsearch_server: elasticsearch_server.Server, tmp_path: Path
) -> None:
    remove_indexes(elasticsearch_server)
    text, home = elasticsearch_server.access, tmp_path / "neo4j"
    root = small_repository(tmp_path / "shop")
    # Else its log takes 256 MB before anything is written.
    small_log = "db.tx_log.preallocate=false"
    with neo4j_server.running(home, small_log, file_bytes=3_000_000) as server:
        ingested(root, server.access, text)
        before = shown(tmp_path, server.access, text)
        for number in range(10):
            functions = (f"def more{number}_{one}():\n    pass\n" for one in range(MANY // 10))
            (root / f"more{number}.py").write_text("".join(functions))
        with pytest.raises(WriteFailed) as caught:
            ingested(root, server.access, text)
        one_line(caught.value, server.uri, "log", "make room on the server's disk")
        with pytest.raises(StoreUnavailable) as stopped:
            shown(tmp_path, server.access, text)
        one_line(stopped.value, server.uri, "restart it")
    with neo4j_server.running(home) as server:
        assert shown(tmp_path, server.access, text) == before
        ingested(root, server.access, text)
        assert shown(tmp_path, server.access, text)[0] == before[0] + 10 + MANY


def test_elasticsearch_is_killed_and_comes_back(
    neo4j_server: neo4j_server.Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty(neo4j_server)
    graph = neo4j_server.access
    root = small_repository(tmp_path / "shop")
    with elasticsearch_server.own_folder() as home:
        with monkeypatch.context() as cut, elasticsearch_server.running(home) as server:
            ingested(root, graph, server.access)
            before = shown(tmp_path, graph, server.access)
            grown(root)
            write = ElasticsearchText._write

            def killed(store: ElasticsearchText, actions: list[dict[str, object]]) -> int:
                server.kill()
                return write(store, actions)

            cut.setattr(ElasticsearchText, "_write", killed)
            with pytest.raises(StoreUnavailable) as caught:
                ingested(root, graph, server.access)
            one_line(caught.value, "no chunks at", server.uri)
        with elasticsearch_server.running(home) as server:
            assert shown(tmp_path, graph, server.access) == before
            ingested(root, graph, server.access)
            assert shown(tmp_path, graph, server.access) == (before[0] + 80, before[1] + 40)
