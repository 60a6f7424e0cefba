"""The main deployment: a repository ingested into Neo4j and Elasticsearch answers as the index folder does."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import neo4j
import pytest
from contract.conftest import empty, remove_indexes
from contract.test_chunk_store import document
from elasticsearch import Elasticsearch
from servers import elasticsearch_server, neo4j_server

from hindsight_neo4j import Hindsight
from hindsight_neo4j.errors import SettingsError, SnapshotError, StoreUnavailable
from hindsight_neo4j.ingest.pipeline import ingest
from hindsight_neo4j.model.chunk import Document
from hindsight_neo4j.retrieval.state import FIELD_WEIGHTS
from hindsight_neo4j.settings import IngestOptions
from hindsight_neo4j.stores.elasticsearch import ElasticsearchText
from hindsight_neo4j.stores.embedded_text import EmbeddedText
from hindsight_neo4j.stores.index_folder import IndexFolder
from hindsight_neo4j.stores.neo4j import Neo4jGraph

pytestmark = pytest.mark.server

SEARCHES = 300
QUESTIONS = (
    "what breaks if I change url_for?",
    "KeyError in Blueprint.register when a blueprint is registered twice",
    "where is the session cookie signed and how is the secret key read?",
    "how does the test client keep the context of a request?",
)


@dataclass(frozen=True)
class Servers:
    """Both servers, emptied, and how to open a client on them."""

    graph: neo4j_server.Server
    text: elasticsearch_server.Server

    def open(self, path: Path, snapshot: str | None = None) -> Hindsight:
        return Hindsight.open(
            path, snapshot=snapshot, graph=self.graph.access, text=self.text.access
        )

    def ingest(self, root: Path, snapshot: str | None) -> None:
        client = Hindsight.of_repository(
            root,
            index=root.parent / f"{root.name}-index",
            graph=self.graph.access,
            text=self.text.access,
        )
        with client:
            client.ingest(snapshot=snapshot)

    def count(self, cypher: str) -> int:
        with neo4j.GraphDatabase.driver(self.graph.uri, auth=self.graph.auth) as driver:
            (record,), _, _ = driver.execute_query(cypher)
            return int(record[0])

    def indexes(self) -> list[str]:
        with Elasticsearch(self.text.uri, basic_auth=self.text.auth) as client:
            return sorted(client.indices.get(index="hindsight-*"))


@pytest.fixture(scope="module")
def servers(
    neo4j_server: neo4j_server.Server, elasticsearch_server: elasticsearch_server.Server
) -> Servers:
    return Servers(neo4j_server, elasticsearch_server)


@pytest.fixture
def clean(servers: Servers) -> Servers:
    """The servers without anything of ours on them."""
    empty(servers.graph)
    remove_indexes(servers.text)
    return servers


@pytest.fixture(scope="module")
def both(
    flask: Path, servers: Servers, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Hindsight, Hindsight]]:
    """Flask in an index folder, and on the servers beside another snapshot, read from an empty folder."""
    empty(servers.graph)
    remove_indexes(servers.text)
    folder = tmp_path_factory.mktemp("both")
    root = folder / "flask"
    shutil.copytree(flask, root)
    with Hindsight.of_repository(root) as local:
        local.ingest(snapshot="flask@3.0.3")
        servers.ingest(root, "flask@3.0.3")
        shutil.rmtree(root / "src" / "flask" / "json")
        servers.ingest(root, "flask@less")
        nowhere = folder / "nowhere"
        nowhere.mkdir()
        with servers.open(nowhere, "flask@3.0.3") as remote:
            yield local, remote


def without_times(answer: dict[str, Any]) -> dict[str, Any]:
    plain = json.loads(json.dumps(answer))
    return {key: value for key, value in plain.items() if key not in ("steps", "explain")}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_asked_from_an_empty_folder_gets_the_answer_of_the_index_folder(
    both: tuple[Hindsight, Hindsight], question: str
) -> None:
    local, remote = (without_times(one.ask(question).to_dict()) for one in both)
    assert local["evidence"]
    assert remote == rounded(local)


def rounded(value: Any) -> Any:
    """Return the answer with near numbers made equal: two engines add in two orders."""
    if isinstance(value, float):
        return pytest.approx(value, rel=1e-3, abs=1e-3)
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(one) for one in value]
    return value


@pytest.mark.parametrize(
    ("command", "symbols"),
    [
        ("callers", ["src/flask/helpers.py:url_for"]),
        ("callees", ["Flask.full_dispatch_request"]),
        ("impact", ["Scaffold"]),
        ("tests", ["src/flask/helpers.py:url_for"]),
        ("members", ["src/flask/app.py"]),
        ("references", ["src/flask/app.py:Flask"]),
        ("path", ["Flask.wsgi_app", "Flask.dispatch_request"]),
    ],
)
def test_a_lookup_gives_the_same_rows(
    both: tuple[Hindsight, Hindsight], command: str, symbols: list[str]
) -> None:
    local, remote = (getattr(one, command)(*symbols) for one in both)
    assert local.items
    assert remote == local


def test_both_export_the_same_graph(both: tuple[Hindsight, Hindsight]) -> None:
    local, remote = both
    assert exported(remote) == exported(local)


def exported(client: Hindsight) -> list[str]:
    out = io.StringIO()
    client.export(out)
    return out.getvalue().splitlines()


def test_bm25_ranks_alike_on_both_engines(
    both: tuple[Hindsight, Hindsight], servers: Servers
) -> None:
    local, _ = both
    text = EmbeddedText.open(IndexFolder(local.index).current().text)
    remote = ElasticsearchText(servers.text.access)
    questions = questions_from(local)
    for question in questions:
        for weights in (None, FIELD_WEIGHTS, {"body": 1.0}):
            near, far = (
                store.search(question, snapshot="flask@3.0.3", limit=20, weights=weights)
                for store in (text, remote)
            )
            assert [hit.chunk for hit in far] == [hit.chunk for hit in near], question
            assert [hit.score for hit in far] == pytest.approx([hit.score for hit in near], 1e-5)
    assert len(questions) * 3 >= SEARCHES
    remote.close()


def questions_from(client: Hindsight) -> list[str]:
    """Return sentences and names of the repository, and pieces of its code, in no way picked by hand."""
    rows = client.run_template("lookup/nodes_of_kind", kinds=["Function"], limit=1_000)
    texts = [f"{row['doc']} {row['name']}" for row in rows]
    return [text for text in texts[:: max(1, len(texts) // SEARCHES)] if text.strip()][:SEARCHES]


def test_several_snapshots_have_to_be_named(servers: Servers, both: object, tmp_path: Path) -> None:
    with servers.open(tmp_path) as client, pytest.raises(SnapshotError) as caught:
        client.status()
    assert caught.value.candidates == ("flask@3.0.3", "flask@less")
    with servers.open(tmp_path, "flask") as client, pytest.raises(SnapshotError):
        client.status()


SOURCE = "class Store:\n    def put(self, key):\n        return check(key)\n\n\ndef check(key):\n    return key\n"


def small_repository(root: Path, files: int = 12) -> Path:
    root.mkdir()
    (root / "store.py").write_text(SOURCE)
    for number in range(files):
        (root / f"user{number}.py").write_text(
            f"from store import Store\n\n\ndef use{number}(key):\n    return Store().put(key)\n"
        )
    return root


EDITS: tuple[Callable[[Path], object], ...] = (
    lambda root: (root / "user0.py").unlink(),
    lambda root: (root / "user1.py").rename(root / "renamed.py"),
    lambda root: (root / "new.py").write_text(
        "import store\n\n\nclass New(store.Store):\n    pass\n"
    ),
    lambda root: (root / "store.py").write_text(SOURCE.replace("def check", "async def check")),
    lambda root: (root / "store.py").write_text(SOURCE.replace("def check(key)", "class check")),
    lambda root: (root / "user2.py").write_text("x = 1\n"),
    lambda root: (root / "user3.py").write_text(
        "# moved down\n\n" + (root / "user4.py").read_text()
    ),
    lambda root: (root / "sub").mkdir() or (root / "user4.py").rename(root / "sub" / "user4.py"),
    lambda root: (root / "store.py").unlink(),
    lambda root: (root / "store.py").write_text(SOURCE),
)


def test_after_ten_edits_the_servers_hold_what_a_new_ingest_would(
    clean: Servers, tmp_path: Path
) -> None:
    root = small_repository(tmp_path / "shop")
    clean.ingest(root, "shop")
    for number, edit in enumerate(EDITS):
        edit(root)
        clean.ingest(root, "shop")
        fresh = Hindsight.of_repository(root, index=tmp_path / f"fresh{number}")
        with fresh, clean.open(tmp_path, "shop") as remote:
            fresh.ingest(snapshot="shop")
            assert exported(remote) == exported(fresh)
            for question in ("who puts a key into the store?", "check key", "use4"):
                local, far = (
                    without_times(one.locate(question).to_dict()) for one in (fresh, remote)
                )
                assert far == rounded(local)
            nodes = sum(fresh.status().nodes.values())
            assert clean.count("MATCH (n:Node) RETURN count(n)") == nodes
            labelled = "MATCH (n:Node) WHERE size(labels(n)) <> 2 OR NOT n.kind IN labels(n)"
            assert clean.count(f"{labelled} RETURN count(n)") == 0
    assert len(clean.indexes()) == 1


def test_a_changed_file_writes_what_changed_and_no_more(clean: Servers, tmp_path: Path) -> None:
    root = small_repository(tmp_path / "shop", files=40)
    graphs: list[Neo4jGraph] = []
    texts: list[ElasticsearchText] = []

    def run() -> None:
        ingest(
            root,
            IndexFolder(tmp_path / "index"),
            IngestOptions.load(workers=1),
            open_graph=lambda _: graphs.append(Neo4jGraph(clean.graph.access, "me")) or graphs[-1],
            open_chunks=lambda _: (
                texts.append(ElasticsearchText(clean.text.access, "me")) or texts[-1]
            ),
            snapshot="shop",
        )

    run()
    (root / "user7.py").write_text(
        "from store import Store\n\n\ndef use7(key):\n    return Store().put(key + 1)\n\n\ndef more():\n    pass\n"
    )
    run()
    assert graphs[0].written > 200
    # The function that is new, what contains it, and the lines of the file's node and of the import.
    assert graphs[1].written <= 4
    assert texts[0].written == 83
    assert texts[1].written <= 3


def test_forgetting_deletes_a_snapshot_and_leaves_the_others(
    clean: Servers, tmp_path: Path
) -> None:
    root = small_repository(tmp_path / "shop")
    clean.ingest(root, "one")
    clean.ingest(root, "two")
    with clean.open(tmp_path, "one") as client:
        client.forget()
    with clean.open(tmp_path) as client:
        assert client.status().snapshot == "two"
        assert client.status().chunks == 27
    with clean.open(tmp_path) as client:
        client.forget()
    with clean.open(tmp_path) as client, pytest.raises(StoreUnavailable, match="no snapshot"):
        client.status()
    assert clean.count("MATCH (n) WHERE NOT n:HindsightSchema RETURN count(n)") == 0
    assert clean.indexes() == []


def test_data_of_others_is_never_touched(clean: Servers, tmp_path: Path) -> None:
    with neo4j.GraphDatabase.driver(clean.graph.uri, auth=clean.graph.auth) as driver:
        driver.execute_query("CREATE (:Person {name: 'Ada'})-[:KNOWS]->(:Node {title: 'not ours'})")
    root = small_repository(tmp_path / "shop")
    clean.ingest(root, "one")
    with clean.open(tmp_path) as client:
        client.forget()
    assert clean.count("MATCH (:Person {name: 'Ada'})-[k:KNOWS]->(:Node) RETURN count(k)") == 1


def started(
    clean: Servers, root: Path, index: Path, *, batch: int = 5_000
) -> subprocess.Popen[bytes]:
    """Start an ingest in a process of its own, with small batches where it is to be caught in the middle."""
    code = (
        "import sys, hindsight_neo4j.stores.neo4j_writer as writer\n"
        f"writer.BATCH_ROWS = {batch}\n"
        "from hindsight_neo4j.cli import ingest_main\n"
        "ingest_main()"
    )
    environment = {
        **os.environ,
        "HINDSIGHT_GRAPH": clean.graph.uri,
        "HINDSIGHT_GRAPH_PASSWORD": clean.graph.auth[1],
        "HINDSIGHT_TEXT": clean.text.uri,
        "HINDSIGHT_TEXT_PASSWORD": clean.text.auth[1],
    }
    arguments = [str(root), "--index", str(index), "--snapshot", "shop", "--workers", "1", "-q"]
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], env=environment, stdout=subprocess.PIPE
    )


def test_a_write_that_is_killed_shows_nothing_and_is_taken_up_again(
    clean: Servers, tmp_path: Path
) -> None:
    root = small_repository(tmp_path / "shop", files=60)
    run = started(clean, root, tmp_path / "index", batch=10)
    deadline = time.monotonic() + 300
    while clean.count("MATCH (n:Node) RETURN count(n)") < 30:
        assert time.monotonic() < deadline
        assert run.poll() is None
    run.send_signal(signal.SIGKILL)
    run.wait()
    with clean.open(tmp_path) as client, pytest.raises(StoreUnavailable, match="no snapshot"):
        client.status()
    left = clean.count("MATCH (n:Node) RETURN count(n)")
    again = started(clean, root, tmp_path / "index")
    assert again.wait() == 0
    assert left >= 30
    with Hindsight.of_repository(root) as fresh, clean.open(tmp_path) as remote:
        fresh.ingest(snapshot="shop")
        assert exported(remote) == exported(fresh)
    assert clean.count("MATCH (c:HindsightSlot) RETURN count(c)") == 1
    assert len(clean.indexes()) == 1


def test_two_ingests_at_once_into_a_new_database_end_as_one(clean: Servers, tmp_path: Path) -> None:
    forget_schema(clean.graph)
    one = small_repository(tmp_path / "one", files=40)
    other = small_repository(tmp_path / "other", files=40)
    runs = [
        started(clean, root, tmp_path / f"{root.name}-index", batch=20) for root in (one, other)
    ]
    assert [run.wait() for run in runs] == [0, 0]
    with Hindsight.of_repository(one) as fresh, clean.open(tmp_path) as remote:
        fresh.ingest(snapshot="shop")
        assert exported(remote) == exported(fresh)
        nodes = sum(fresh.status().nodes.values())
    assert clean.count("MATCH (n:Node) RETURN count(n)") == nodes
    assert len(clean.indexes()) == 1


def forget_schema(server: neo4j_server.Server) -> None:
    """Drop our constraints and indexes, so that the next ingest makes them."""
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth) as driver:
        for kind in ("CONSTRAINT", "INDEX"):
            shown = driver.execute_query(f"SHOW {kind} YIELD name").records
            for name in (record["name"] for record in shown):
                if name.startswith("hindsight_"):
                    driver.execute_query(f"DROP {kind} {name}")


@pytest.mark.parametrize("is_new", [True, False])
def test_an_index_published_while_another_writer_looks_leaves_one_and_both_writers_go_on(
    clean: Servers, is_new: bool
) -> None:
    documents = [document("box.py:Box.open"), document("box.py:Box.close")]
    if not is_new:
        before = ElasticsearchText(clean.text.access, "before")
        put(before, documents[:1])
        before.publish()
    first, second = (ElasticsearchText(clean.text.access, name) for name in ("one", "other"))
    for store in (first, second):
        put(store, documents)
    look = second._client.indices.get_alias

    def look_late(**given: Any) -> Any:
        second._client.indices.get_alias = look  # type: ignore[method-assign]
        try:
            return look(**given)
        finally:
            first.publish()

    second._client.indices.get_alias = look_late  # type: ignore[method-assign]
    second.publish()
    assert len(clean.indexes()) == 1
    assert second.stamp("demo") == first.stamp("demo")
    assert second.count("demo") == 2
    assert len(second.search("open", snapshot="demo", limit=9)) == 1


def test_two_indexes_under_one_alias_are_read_as_one_and_the_next_writer_mends_it(
    clean: Servers,
) -> None:
    stores = [ElasticsearchText(clean.text.access, name) for name in ("one", "other")]
    for store in stores:
        put(store, [document("box.py:Box.open")])
    names = clean.indexes()
    with Elasticsearch(clean.text.uri, basic_auth=clean.text.auth) as admin:
        alias = names[0].partition(".")[0]
        admin.indices.update_aliases(
            actions=[{"add": {"index": one, "alias": alias}} for one in names]
        )
    assert stores[0].stamp("demo")
    after = ElasticsearchText(clean.text.access, "after")
    put(after, [document("box.py:Box.close")])
    after.publish()
    assert after.count("demo") == 1
    assert len(clean.indexes()) == 1


def put(store: ElasticsearchText, documents: list[Document]) -> None:
    store.put("demo", documents)
    store.commit()


def test_what_the_command_line_prints_is_where_it_went(clean: Servers, tmp_path: Path) -> None:
    root = small_repository(tmp_path / "shop")
    run = started(clean, root, tmp_path / "index")
    out = run.communicate()[0].decode()
    assert run.returncode == 0
    assert clean.graph.uri in out
    assert clean.text.uri in out


def test_a_local_index_says_where_its_stores_are(clean: Servers, tmp_path: Path) -> None:
    root = small_repository(tmp_path / "shop")
    clean.ingest(root, "shop")
    with (
        Hindsight.open(root, index=tmp_path / "shop-index") as client,
        pytest.raises(StoreUnavailable, match="give --graph bolt://"),
    ):
        client.callers("check")


def test_a_namesake_replaces_nothing_unless_it_is_told_to(clean: Servers, tmp_path: Path) -> None:
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
    first = small_repository(tmp_path / "first" / "src")
    clean.ingest(first, None)
    clean.ingest(first, None)
    second = small_repository(tmp_path / "second" / "src", files=3)
    with pytest.raises(SettingsError, match="give --snapshot src"):
        clean.ingest(second, None)
    clean.ingest(second, "src")
    with clean.open(tmp_path) as client:
        assert client.status().nodes["File"] == 4


def test_an_ingest_notices_that_the_server_has_lost_its_snapshot(
    clean: Servers, tmp_path: Path
) -> None:
    root = small_repository(tmp_path / "shop")
    clean.ingest(root, "shop")
    with clean.open(tmp_path) as client:
        client.forget()
    clean.ingest(root, "shop")
    with clean.open(tmp_path) as client:
        assert json.loads(json.dumps(client.status().to_dict()))["snapshot"] == "shop"
