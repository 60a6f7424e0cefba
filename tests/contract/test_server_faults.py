"""What goes wrong with servers, each case once, and what a person sees: one line that says what to do, never half a snapshot.

Real servers fail for real, or a gate or a proxy between us and them does (tests/servers/between.py).
"""

from __future__ import annotations

import json
import socket
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import neo4j
import pytest
from contract.conftest import empty, remove_indexes
from contract.test_on_servers import small_repository
from elasticsearch import Elasticsearch
from neo4j.exceptions import Neo4jError
from servers import elasticsearch_server, neo4j_server
from servers.between import Gate, certificate, encrypted, half_refused, speaking_http
from servers.process import ServerMissing, free_port, lacking

from hindsight_neo4j import Hindsight
from hindsight_neo4j.errors import (
    HindsightError,
    SchemaMismatch,
    SettingsError,
    StoreError,
    StoreUnavailable,
    TemplateError,
    WriteFailed,
)
from hindsight_neo4j.model.graph import Graph, Node, NodeKind
from hindsight_neo4j.model.server import GraphServer, TextServer
from hindsight_neo4j.model.template import Template
from hindsight_neo4j.stores import elasticsearch, neo4j_writer
from hindsight_neo4j.stores.elasticsearch import ElasticsearchText
from hindsight_neo4j.stores.neo4j import Neo4jGraph
from hindsight_neo4j.stores.neo4j_connection import Connection

pytestmark = pytest.mark.server

ONE = Template("user/one", "", (), (), "", "", "RETURN 1 AS one")
SECRET = "secret-word"


@pytest.fixture
def graph(neo4j_server: neo4j_server.Server) -> GraphServer:
    empty(neo4j_server)
    return neo4j_server.access


@pytest.fixture
def text(elasticsearch_server: elasticsearch_server.Server) -> TextServer:
    remove_indexes(elasticsearch_server)
    return elasticsearch_server.access


@pytest.fixture
def gate(graph: GraphServer) -> Iterator[Gate]:
    one = Gate(graph.address)
    yield one
    one.close()


@pytest.fixture
def text_gate(text: TextServer) -> Iterator[Gate]:
    one = Gate(text.address)
    yield one
    one.close()


def one_line(error: HindsightError, *words: str) -> None:
    said = str(error)
    assert "\n" not in said
    assert error.hint
    assert SECRET not in said
    for word in words:
        assert word in said


def refused_graph(server: GraphServer, kind: type[StoreError] = StoreUnavailable) -> StoreError:
    with pytest.raises(kind) as caught:
        Neo4jGraph(server).run(ONE, {})
    return caught.value


def refused_text(server: TextServer, kind: type[StoreError] = StoreUnavailable) -> StoreError:
    with pytest.raises(kind) as caught:
        ElasticsearchText(server).search("word", snapshot="none", limit=1)
    return caught.value


def ingested(root: Path, graph: GraphServer | None, text: TextServer | None) -> None:
    index = root.parent / "index"
    with Hindsight.of_repository(root, index=index, graph=graph, text=text) as client:
        client.ingest(snapshot="shop")


def shown(folder: Path, graph: GraphServer, text: TextServer) -> tuple[int, int]:
    with Hindsight.open(folder, graph=graph, text=text) as client:
        status = client.status()
        return sum(status.nodes.values()), status.chunks


# Nobody there, or somebody else


def test_no_elasticsearch_answers() -> None:
    uri = f"http://127.0.0.1:{free_port()}"
    one_line(refused_text(TextServer(uri, "elastic", SECRET)), f"no chunks at {uri}")


def test_a_server_that_is_down_is_said_before_any_work(tmp_path: Path) -> None:
    root = small_repository(tmp_path / "shop")
    gone = GraphServer(f"bolt://127.0.0.1:{free_port()}")
    with pytest.raises(StoreUnavailable) as caught:
        ingested(root, gone, None)
    one_line(caught.value, "no graph at")
    with pytest.raises(StoreUnavailable) as silent:
        ingested(root, None, TextServer(gone.address.replace("bolt", "http")))
    one_line(silent.value, "no chunks at")
    assert not (tmp_path / "index").exists()


@pytest.mark.parametrize("address", ["", "localhost:9200", "ftp://x", "http://", "bolt://x"])
def test_an_address_that_is_no_elasticsearch(address: str) -> None:
    with pytest.raises(SettingsError, match="http://localhost:9200"):
        ElasticsearchText(TextServer(address))


def test_a_password_in_the_address_of_an_elasticsearch_is_not_repeated() -> None:
    with pytest.raises(SettingsError) as caught:
        ElasticsearchText(TextServer(f"http://elastic:{SECRET}@localhost"))
    one_line(caught.value, "no user")


LOGIN = (200, {"Content-Type": "text/html"}, b"<html><h1>Please log in</h1></html>")


@pytest.mark.parametrize("page", [LOGIN, (502, *LOGIN[1:]), (403, *LOGIN[1:])], ids=str)
def test_a_proxy_answers_with_a_page(page: tuple[int, dict[str, str], bytes]) -> None:
    with speaking_http(lambda *_: page) as uri:
        one_line(refused_text(TextServer(uri, "elastic", SECRET)), uri)


def test_the_port_of_neo4j_browser_is_not_that_of_bolt(neo4j_server: neo4j_server.Server) -> None:
    address = neo4j_server.browser.replace("http", "bolt").removesuffix("/browser/")
    one_line(refused_graph(GraphServer(address, "neo4j", SECRET)), address, "7687")


def test_a_server_that_takes_the_connection_and_says_nothing() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        address = f"bolt://127.0.0.1:{silent.getsockname()[1]}"
        one_line(refused_graph(GraphServer(address)), address)


@pytest.mark.parametrize("number", ["7.17.9", "6.8.0", "10.0.0", "x"])
def test_an_elasticsearch_of_another_major(number: str) -> None:
    headers = {"Content-Type": "application/json", "X-Elastic-Product": "Elasticsearch"}
    body = json.dumps({"version": {"number": number}}).encode()
    with speaking_http(lambda *_: (200, headers, body)) as uri:
        one_line(refused_text(TextServer(uri), SchemaMismatch), number, "8 or 9")


# Passwords, certificates, rights


def test_a_wrong_password_of_elasticsearch_is_not_repeated(text: TextServer) -> None:
    one_line(refused_text(replace(text, password=SECRET)), "password")
    one_line(refused_text(TextServer(text.address)), "password")
    one_line(refused_text(TextServer(text.address, api_key=SECRET)), "key")


def test_an_api_key_is_sent_as_one() -> None:
    seen = []
    headers = {"Content-Type": "application/json", "X-Elastic-Product": "Elasticsearch"}

    def answer(method: str, path: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        seen.append(path)
        return 200, headers, json.dumps({"version": {"number": "9.1.0"}, "count": 3}).encode()

    with speaking_http(answer) as uri:
        assert ElasticsearchText(TextServer(uri, api_key="a2V5")).count("x") == 3
    assert len(seen) == 2


def test_a_key_that_has_expired() -> None:
    said = {"error": {"type": "security_exception", "reason": "api key is expired"}, "status": 401}
    with speaking_http(lambda *_: (401, JSON_HEADERS, json.dumps(said).encode())) as uri:
        one_line(refused_text(TextServer(uri, api_key=SECRET)), "expired", "new one")


def test_a_password_that_has_expired(graph: GraphServer) -> None:
    with neo4j.GraphDatabase.driver(
        graph.address, auth=(str(graph.user), str(graph.password))
    ) as driver:
        system = {"database_": "system"}
        driver.execute_query("CREATE OR REPLACE USER late SET PASSWORD $p", p=SECRET, **system)
        try:
            expired = replace(graph, user="late", password=SECRET)
            one_line(refused_graph(expired), "expired", "ALTER CURRENT USER")
        finally:
            driver.execute_query("DROP USER late", **system)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("Neo.ClientError.Security.Forbidden", ("may not", "publisher")),
        ("Neo.ClientError.General.WriteOnReadOnlyAccessDatabase", ("read-only",)),
        ("Neo.TransientError.Database.DatabaseUnavailable", ("not online",)),
        ("Neo.TransientError.General.MemoryPoolOutOfMemoryError", ("memory",)),
    ],
)
def test_what_only_other_editions_answer_is_understood(
    graph: GraphServer, code: str, words: tuple[str, ...]
) -> None:
    connection = Connection(graph)
    answer = Neo4jError._hydrate_neo4j(code=code, message="said by the server")
    with pytest.raises(StoreError) as caught, connection.writing():
        raise answer
    one_line(caught.value, graph.address, *words)
    connection.close()


@pytest.mark.parametrize("part", ["Unauthorized", "CredentialsExpired", "AuthenticationRateLimit"])
def test_a_password_refused_in_the_middle_of_a_write_is_said_as_at_its_start(
    graph: GraphServer, part: str
) -> None:
    connection = Connection(graph)
    answer = Neo4jError._hydrate_neo4j(code=f"Neo.ClientError.Security.{part}", message="no")
    with pytest.raises(StoreUnavailable) as caught, connection.writing():
        raise answer
    one_line(caught.value, "no graph at", "password")
    connection.close()


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s"])
def test_encryption_where_neo4j_has_none(graph: GraphServer, scheme: str) -> None:
    secure = graph.address.replace("bolt://", f"{scheme}://")
    one_line(refused_graph(replace(graph, address=secure)), "encryption", "bolt://")


def test_encryption_where_elasticsearch_has_none(text: TextServer) -> None:
    secure = text.address.replace("http://", "https://")
    one_line(refused_text(replace(text, address=secure)), "encryption", "http://")


@pytest.fixture(scope="module")
def own_certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return certificate(tmp_path_factory.mktemp("certificate"))
    except ServerMissing as missing:
        lacking(f"no certificate here, so TLS was not tested: {missing}")


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_a_neo4j_behind_tls(graph: GraphServer, own_certificate: Path, scheme: str) -> None:
    with encrypted(graph.address, own_certificate) as place:
        plain = replace(graph, address=f"{scheme}://{place}")
        one_line(refused_graph(plain), "at once", f"{scheme}+s://")
        checked = replace(graph, address=f"{scheme}+s://{place}")
        one_line(refused_graph(checked), "encryption", "self-signed", "HINDSIGHT_GRAPH_CA")
        for trusting in (
            replace(graph, address=f"bolt+ssc://{place}"),
            replace(checked, ca=str(own_certificate)),
        ):
            with closing(Neo4jGraph(trusting)) as store:
                assert store.run(ONE, {}) == [{"one": 1}]


def test_an_elasticsearch_behind_tls(text: TextServer, own_certificate: Path) -> None:
    with encrypted(text.address, own_certificate) as place:
        one_line(refused_text(replace(text, address=f"http://{place}")), "https://")
        secure = replace(text, address=f"https://{place}")
        one_line(refused_text(secure), "encryption", "self-signed", "HINDSIGHT_TEXT_CA")
        for trusting in (replace(secure, verify=False), replace(secure, ca=str(own_certificate))):
            with closing(ElasticsearchText(trusting)) as store:
                assert store.count("none") == 0


def test_a_file_of_certificates_that_is_not_there(graph: GraphServer, text: TextServer) -> None:
    with pytest.raises(SettingsError, match=r"no file /no/such\.pem"):
        Neo4jGraph(replace(graph, ca="/no/such.pem"))
    secure = text.address.replace("http://", "https://")
    with pytest.raises(SettingsError, match=r"no file /no/such\.pem"):
        ElasticsearchText(replace(text, address=secure, ca="/no/such.pem"))


# In the middle


def test_neo4j_goes_away_in_the_middle_and_what_was_there_stays(
    graph: GraphServer,
    text: TextServer,
    gate: Gate,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(neo4j_writer, "BATCH_ROWS", 20)
    monkeypatch.setattr(neo4j_writer, "IN_PLACE_ROWS", 10)
    root = small_repository(tmp_path / "shop")
    ingested(root, graph, text)
    before = shown(tmp_path, graph, text)
    for number in range(40):
        (root / f"more{number}.py").write_text(f"def more{number}():\n    pass\n")
    gate.shut_after(30_000)
    with pytest.raises(StoreUnavailable) as caught:
        ingested(root, replace(graph, address=gate.uri), text)
    one_line(caught.value, "no graph at", gate.uri)
    assert shown(tmp_path, graph, text) == before
    gate.open()
    ingested(root, replace(graph, address=gate.uri), text)
    assert shown(tmp_path, graph, text) == (before[0] + 80, before[1] + 40)


def test_neo4j_that_comes_back_at_once_is_waited_for(
    graph: GraphServer,
    text: TextServer,
    gate: Gate,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(neo4j_writer, "BATCH_ROWS", 20)
    root = small_repository(tmp_path / "shop")
    gate.shut_after(20_000)
    back = threading.Timer(3, gate.open)
    back.start()
    ingested(root, replace(graph, address=gate.uri), text)
    back.join()
    assert shown(tmp_path, graph, text) == (29, 27)


def test_elasticsearch_goes_away_in_the_middle_and_what_was_there_stays(
    graph: GraphServer, text: TextServer, text_gate: Gate, tmp_path: Path
) -> None:
    root = small_repository(tmp_path / "shop")
    ingested(root, graph, text)
    before = shown(tmp_path, graph, text)
    (root / "more.py").write_text("def more():\n    '" + "word " * 2_000 + "'\n")
    text_gate.shut_after(6_000)
    with pytest.raises(StoreUnavailable) as caught:
        ingested(root, graph, replace(text, address=text_gate.uri))
    one_line(caught.value, "no chunks at", text_gate.uri)
    assert shown(tmp_path, graph, text) == before
    text_gate.open()
    ingested(root, graph, replace(text, address=text_gate.uri))
    assert shown(tmp_path, graph, text)[1] > before[1]


def test_documents_that_a_busy_server_refused_are_sent_again_and_stored_once(
    graph: GraphServer, text: TextServer, tmp_path: Path
) -> None:
    root = small_repository(tmp_path / "shop")
    auth = b64encode(f"{text.user}:{text.password}".encode()).decode()
    with speaking_http(half_refused(text.address, f"Basic {auth}"), text.address) as busy:
        ingested(root, graph, replace(text, address=busy))
    assert shown(tmp_path, graph, text) == (29, 27)


def test_a_disk_that_is_full_leaves_what_was_there(
    graph: GraphServer, text: TextServer, tmp_path: Path
) -> None:
    root = small_repository(tmp_path / "shop")
    ingested(root, graph, text)
    before = shown(tmp_path, graph, text)
    (root / "more.py").write_text("def more():\n    pass\n")
    with (
        Elasticsearch(text.address, basic_auth=(str(text.user), str(text.password))) as admin,
        speaking_http(_full_disk(admin), text.address) as full,
        pytest.raises(WriteFailed) as caught,
    ):
        ingested(root, graph, replace(text, address=full))
    one_line(caught.value, "make room")
    assert shown(tmp_path, graph, text) == before
    ingested(root, graph, text)
    assert shown(tmp_path, graph, text)[1] == before[1] + 1


def _full_disk(admin: Elasticsearch):  # type: ignore[no-untyped-def]
    """What the server does by itself at the flood stage of its disk: forbid all but deleting."""

    def answer(method: str, path: str, body: bytes) -> None:
        if path.startswith("/_bulk"):
            index = json.loads(body.splitlines()[0])["index"]["_index"]
            admin.indices.put_settings(
                index=index, settings={"index.blocks.read_only_allow_delete": True}
            )

    return answer


@pytest.fixture
def no_room(text: TextServer) -> Iterator[Callable[[], None]]:
    """Say by settings of a real server that its disk is too full, until the test ends."""
    disk = "cluster.routing.allocation.disk"
    with Elasticsearch(text.address, basic_auth=(str(text.user), str(text.password))) as admin:

        def filled() -> None:
            admin.cluster.put_settings(
                persistent={
                    f"{disk}.threshold_enabled": True,
                    f"{disk}.watermark.low": "9000tb",
                    f"{disk}.watermark.high": "9000tb",
                    f"{disk}.watermark.flood_stage": "1b",
                    "cluster.info.update.interval": "10s",
                }
            )
            deadline = time.monotonic() + 120
            started = True
            while started:  # it looks at its disk from time to time
                assert time.monotonic() < deadline
                made = admin.indices.create(index="hindsight-probe", timeout="1s")
                started = made["shards_acknowledged"]
                admin.indices.delete(index="hindsight-probe")

        yield filled
        admin.cluster.put_settings(
            persistent={f"{disk}.*": None, "cluster.info.update.interval": None}
        )


@pytest.mark.parametrize("is_new", [True, False])
def test_a_disk_above_its_watermark_is_said_with_its_path_and_leaves_what_was_there(
    graph: GraphServer,
    text: TextServer,
    tmp_path: Path,
    no_room: Callable[[], None],
    is_new: bool,
) -> None:
    root = small_repository(tmp_path / "shop")
    if not is_new:
        ingested(root, graph, text)
        (root / "more.py").write_text("def more():\n    pass\n")
    no_room()
    with pytest.raises(WriteFailed) as caught:
        ingested(root, graph, text)
    one_line(caught.value, text.address, "watermark", "/data")
    assert "make room" in str(caught.value.hint)
    with Elasticsearch(text.address, basic_auth=(str(text.user), str(text.password))) as admin:
        assert len(admin.indices.get(index="hindsight-*")) == (0 if is_new else 1)
    if not is_new:
        assert shown(tmp_path, graph, text) == (29, 27)


def test_rows_too_large_for_a_transaction_are_sent_in_smaller_ones(
    graph: GraphServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neo4j_writer, "BATCH_CHARACTERS", 1 << 40)
    nodes = tuple(
        Node(f"a.py:f{i:04}", NodeKind.FUNCTION, "f", "f", "a.py", doc="word " * 8_000)
        for i in range(1_200)
    )
    store = Neo4jGraph(graph)
    store.write("big", Graph(nodes, ()))
    store.publish()
    assert store.counts("big") == ({"Function": len(nodes)}, {})
    store.forget("big")
    store.close()


# What is there already


def test_a_database_that_a_newer_version_wrote(
    graph: GraphServer, text: TextServer, tmp_path: Path
) -> None:
    root = small_repository(tmp_path / "shop")
    ingested(root, graph, text)
    auth = (str(graph.user), str(graph.password))
    with neo4j.GraphDatabase.driver(graph.address, auth=auth) as driver:
        driver.execute_query("MATCH (v:HindsightSchema) SET v.version = 99")
        with pytest.raises(SchemaMismatch) as caught:
            shown(tmp_path, graph, text)
        one_line(caught.value, "99", "upgrade")
        with pytest.raises(SchemaMismatch):
            ingested(root, graph, text)
        driver.execute_query("MATCH (v:HindsightSchema) DELETE v")


def test_an_index_of_others_under_our_name_is_neither_read_nor_deleted(
    graph: GraphServer, text: TextServer, tmp_path: Path
) -> None:
    root = small_repository(tmp_path / "shop")
    ingested(root, graph, text)
    with Elasticsearch(text.address, basic_auth=(str(text.user), str(text.password))) as admin:
        ((ours, said),) = admin.indices.get_alias(index="hindsight-*").items()
        (alias,) = said["aliases"]
        admin.indices.create(
            index="hindsight-not-ours", mappings={"properties": {"a": {"type": "long"}}}
        )
        admin.indices.update_aliases(
            actions=[
                {"remove": {"index": ours, "alias": alias}},
                {"add": {"index": "hindsight-not-ours", "alias": alias}},
            ]
        )
        with (
            Hindsight.open(tmp_path, graph=graph, text=text) as client,
            pytest.raises(SchemaMismatch),
        ):
            client.ask("who checks a key?")
        ingested(root, graph, text)
        assert shown(tmp_path, graph, text) == (29, 27)
        assert admin.indices.exists(index="hindsight-not-ours")


def test_text_of_a_snapshot_that_is_missing_is_said(
    graph: GraphServer, text: TextServer, tmp_path: Path
) -> None:
    root = small_repository(tmp_path / "shop")
    ingested(root, graph, None)
    with (
        Hindsight.open(tmp_path, graph=graph, text=text) as client,
        pytest.raises(StoreUnavailable) as caught,
    ):
        client.ask("who checks a key?")
    one_line(caught.value, "no chunks of shop", "--text")


JSON_HEADERS = {"Content-Type": "application/json", "X-Elastic-Product": "Elasticsearch"}


def _reading_only(method: str, path: str, body: bytes) -> tuple[int, dict[str, str], bytes] | None:
    """What Elasticsearch answers a user who may only read: the engine of the tests can make no such user."""
    if method == "GET" or "_search" in path or "_count" in path:
        return None
    reason = (
        "action [indices:admin/create] is unauthorized for user [reader] on indices [hindsight-]"
    )
    said = {"error": {"type": "security_exception", "reason": reason}, "status": 403}
    return 403, JSON_HEADERS, json.dumps(said).encode()


def test_a_user_of_elasticsearch_who_may_only_read_asks_and_does_not_ingest(
    graph: GraphServer, text: TextServer, tmp_path: Path
) -> None:
    root = small_repository(tmp_path / "shop")
    ingested(root, graph, text)
    before = shown(tmp_path, graph, text)
    (root / "more.py").write_text("def more():\n    pass\n")
    with speaking_http(_reading_only, text.address) as uri:
        reader = replace(text, address=uri)
        assert shown(tmp_path, graph, reader) == before
        with pytest.raises(WriteFailed) as caught:
            ingested(root, graph, reader)
    one_line(caught.value, "may not do that", "hindsight-*")
    assert shown(tmp_path, graph, text) == before


def test_a_server_that_stays_busy_is_given_up_and_the_next_ingest_goes_on(
    graph: GraphServer, text: TextServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elasticsearch, "BULK_RETRIES", 1)
    busy = {"status": 429, "error": {"type": "es_rejected_execution_exception", "reason": "busy"}}

    def answer(method: str, path: str, body: bytes) -> tuple[int, dict[str, str], bytes] | None:
        if not path.startswith("/_bulk"):
            return None
        items = [{"index": busy} for _ in range(len(body.splitlines()) // 2)]
        return 200, JSON_HEADERS, json.dumps({"errors": True, "items": items}).encode()

    root = small_repository(tmp_path / "shop")
    with (
        speaking_http(answer, text.address) as uri,
        pytest.raises(WriteFailed) as caught,
    ):
        ingested(root, graph, replace(text, address=uri))
    one_line(caught.value, "too busy", "later")
    with (
        Hindsight.open(tmp_path, graph=graph, text=text) as client,
        pytest.raises(StoreUnavailable, match="no snapshot"),
    ):
        client.status()
    ingested(root, graph, text)
    assert shown(tmp_path, graph, text) == (29, 27)


@pytest.mark.parametrize("years", [-30, 30])
def test_a_clock_that_is_wrong_changes_nothing(
    graph: GraphServer,
    text: TextServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    years: int,
) -> None:
    root = small_repository(tmp_path / "shop")
    ingested(root, graph, text)
    true_time = time.time
    with monkeypatch.context() as skewed:
        skewed.setattr(time, "time", lambda: true_time() + years * 365 * 86_400)
        (root / "more.py").write_text("def more():\n    pass\n")
        ingested(root, graph, text)
    assert shown(tmp_path, graph, text) == (31, 28)
    with Hindsight.open(tmp_path, graph=graph, text=text) as client:
        assert abs(datetime.fromisoformat(client.status().created).timestamp() - true_time()) < 600


# What a person's own Cypher may do


@pytest.mark.parametrize(
    "harm",
    [
        "MATCH (n) CALL { WITH n SET n.x=1 } RETURN n",
        "CALL apoc.cypher.doIt('CREATE (n)', {})",
        "CALL custom.writeProc()",
        "LOAD CSV FROM 'file:///etc/passwd' AS r RETURN r",
        "/*x*/ MaTcH (n) DeTaCh /*y*/ DeLeTe n",
    ],
)
def test_harm_is_refused_by_the_check_and_by_the_session(
    graph: GraphServer, text: TextServer, tmp_path: Path, harm: str
) -> None:
    ingested(small_repository(tmp_path / "shop"), graph, text)
    before = shown(tmp_path, graph, text)
    with Hindsight.open(tmp_path, graph=graph, text=text) as client:
        with pytest.raises(TemplateError):
            client.run_cypher(harm)
        allowed = client.run_cypher(
            "MATCH (f:Node) WHERE f.name IN ['check', 'delete', 'set', 'create_user'] RETURN f.id AS id"
        )
        assert [row["id"] for row in allowed] == ["store.py:check"]
        rel_type = "INVOKE]->() DETACH DELETE n //"
        assert (
            client.run_cypher(
                "MATCH (n:Node) WHERE n.kind = $rel_type RETURN n.id", {"rel_type": rel_type}
            )
            == []
        )
        assert client.ask("which code can delete a key?").evidence
    if "LOAD CSV" not in harm:  # reads, and only the check refuses it
        connection = Connection(graph)
        with pytest.raises(Neo4jError):
            connection.fetch(harm, {}, timeout_s=10, row_cap=10)
        connection.close()
    assert shown(tmp_path, graph, text) == before
