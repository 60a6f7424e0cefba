"""What every graph store promises (`stores.protocols.GraphStore`)."""

from __future__ import annotations

import pytest
from contract.conftest import GraphEngine
from msgspec.structs import replace

from hindsight_neo4j.errors import StoreUnavailable, TemplateError, WriteFailed
from hindsight_neo4j.model.graph import Edge, EdgeKind, Graph, How, Node, NodeKind, Tier
from hindsight_neo4j.model.template import Param, ParamType, Template
from hindsight_neo4j.stores.protocols import GraphStore
from hindsight_neo4j.stores.records import NAME_CHARS

HOSTILE = (
    "",
    "'",
    '"',
    '""',
    "\\",
    "\\n",
    '\\"',
    'x"y, z',
    "quo\\te\"'`",
    "line\nfeed",
    "carriage\rreturn\r\n",
    "{[",
    "[1,2]",
    "{a: 1}",
    "null",
    "NULL",
    " leads and trails ",
    "\t",
    ",",
    "#",
    "$snapshot",
    "'}) DETACH DELETE n //",
    "é😀",
    "\u2028\u0085\x01\x7f",
    "name" * 15_000,
)

BY_ID = (Param("snapshot", ParamType.STRING, ""), Param("id", ParamType.STRING, ""))


def put(store: GraphStore, snapshot: str, graph: Graph) -> None:
    store.write(snapshot, graph)
    store.publish()


def template(text: str, *params: Param, columns: tuple[str, ...] = ()) -> Template:
    return Template("user/query", "", params, columns, "", "", text)


def node(name: str, kind: NodeKind = NodeKind.FUNCTION) -> Node:
    return Node(f"a.py:{name}", kind, name, name, "a.py", 3, 9, "python")


def edge(kind: EdgeKind, src: str, dst: str, *lines: int) -> Edge:
    return Edge(kind, src, dst, lines, Tier.DIRECT, 0.95, How.CALL)


def small() -> Graph:
    nodes = (
        Node("a.py", NodeKind.FILE, "a.py", "", "a.py", 1, 40, "python", is_test=True),
        node("Box", NodeKind.CLASS),
        replace(node("Box.open"), signature="(self)", doc="Open it.", unresolved=2),
    )
    edges = (
        edge(EdgeKind.CONTAINS, "a.py", "a.py:Box", 3),
        edge(EdgeKind.CONTAINS, "a.py:Box", "a.py:Box.open", 4),
        edge(EdgeKind.INVOKES, "a.py:Box.open", "a.py:Box", 5, 7),
        edge(EdgeKind.REFERENCES, "a.py:Box.open", "a.py:Box.open"),
    )
    return Graph(nodes, edges)


EVERY_EDGE = template(
    "MATCH (a:Node)-[r]->(b:Node) WHERE a.snapshot = $snapshot "
    "RETURN a.id AS src, r.kind AS kind, b.id AS dst, r.lines AS lines, r.tier AS tier, "
    "r.confidence AS confidence, r.how AS how ORDER BY kind, src, dst",
    Param("snapshot", ParamType.STRING, ""),
)
EVERY_NAME = template(
    "MATCH (n:Node) WHERE n.snapshot = $snapshot RETURN n.id AS id, n.name AS name ORDER BY n.id",
    Param("snapshot", ParamType.STRING, ""),
)


def test_what_was_written_is_read_back(graph_engine: GraphEngine) -> None:
    store = graph_engine.writer()
    put(store, "demo@1", small())
    store.close()
    store = graph_engine.reader()
    one = template(
        "MATCH (n:Node) WHERE n.key = $snapshot + '|' + $id RETURN n.id AS id, n.kind AS kind, "
        "n.name AS name, n.qualname AS qualname, n.path AS path, n.start_line AS start_line, "
        "n.end_line AS end_line, n.language AS language, n.is_test AS is_test, "
        "n.signature AS signature, n.doc AS doc, n.unresolved AS unresolved, "
        "n.unresolved_names AS unresolved_names",
        *BY_ID,
    )
    for wanted in small().nodes:
        (row,) = store.run(one, {"snapshot": "demo@1", "id": wanted.id})
        assert Node(**row) == wanted  # type: ignore[arg-type]
        assert type(row["is_test"]) is bool
    assert [
        (row["kind"], row["src"], row["dst"], row["lines"])
        for row in store.run(EVERY_EDGE, {"snapshot": "demo@1"})
    ] == [(one.kind, one.src, one.dst, list(one.lines)) for one in small().edges]


def test_counts_are_those_of_the_graph(graph_engine: GraphEngine) -> None:
    store = graph_engine.writer()
    put(store, "demo@1", small())
    nodes, edges = store.counts("demo@1")
    assert nodes == {"Class": 1, "File": 1, "Function": 1}
    assert edges == {"CONTAINS": 2, "INVOKES": 1, "REFERENCES": 1}
    assert store.counts("other") == ({}, {})


def test_writing_again_changes_nothing(graph_engine: GraphEngine) -> None:
    store = graph_engine.writer()
    put(store, "demo@1", small())
    before = store.run(EVERY_EDGE, {"snapshot": "demo@1"})
    put(store, "demo@1", small())
    assert store.run(EVERY_EDGE, {"snapshot": "demo@1"}) == before
    assert store.counts("demo@1")[0] == {"Class": 1, "File": 1, "Function": 1}


def test_a_write_replaces_its_snapshot_and_leaves_the_others(graph_engine: GraphEngine) -> None:
    store = graph_engine.writer()
    put(store, "demo@1", small())
    put(store, "demo@2", small())
    put(store, "demo@1", Graph((node("only"),), ()))
    store.close()
    store = graph_engine.reader()
    assert store.counts("demo@1") == ({"Function": 1}, {})
    assert store.counts("demo@2")[1] == {"CONTAINS": 2, "INVOKES": 1, "REFERENCES": 1}


def test_hostile_strings_survive(graph_engine: GraphEngine) -> None:
    nodes = tuple(replace(node(f"f{i:03}"), name=text, doc=text) for i, text in enumerate(HOSTILE))
    store = graph_engine.writer()
    put(store, "s'\"\\|😀", Graph(nodes, ()))
    store.close()
    store = graph_engine.reader()
    rows = store.run(EVERY_NAME, {"snapshot": "s'\"\\|😀"})
    assert [row["name"] for row in rows] == [text[:NAME_CHARS] for text in HOSTILE]
    documented = template(
        "MATCH (n:Node) WHERE n.doc = $doc RETURN n.doc AS doc",
        Param("doc", ParamType.STRING, ""),
    )
    for text in HOSTILE:
        assert store.run(documented, {"doc": text}) == [{"doc": text}]


def test_ids_may_be_as_hostile_as_names(graph_engine: GraphEngine) -> None:
    texts = [text for text in HOSTILE if len(text) < 5_000]  # an index entry of Neo4j ends at 8 kB
    nodes = tuple(replace(node("f"), id=f"a.py:{text}") for text in texts)
    edges = tuple(edge(EdgeKind.INVOKES, one.id, one.id, 1) for one in nodes)
    store = graph_engine.writer()
    put(store, "demo", Graph(nodes, edges))
    assert store.counts("demo") == ({"Function": len(texts)}, {"INVOKES": len(texts)})


def test_a_value_of_a_megabyte_survives(graph_engine: GraphEngine) -> None:
    store = graph_engine.writer()
    doc = "word é😀 " * 100_000
    put(store, "demo", Graph((replace(node("f"), doc=doc, signature=doc), node("g")), ()))
    text = "MATCH (n:Node) WHERE n.snapshot = $snapshot AND n.id = $id RETURN n.doc AS doc, n.signature AS signature"
    asked = {"snapshot": "demo", "id": "a.py:f"}
    assert store.run(template(text, *BY_ID), asked) == [{"doc": doc, "signature": doc}]


def test_what_no_engine_can_hold_is_taken_out(graph_engine: GraphEngine) -> None:
    store = graph_engine.writer()
    put(store, "demo", Graph((replace(node("f"), name="nul\0 half \ud800 end"),), ()))
    assert store.run(EVERY_NAME, {"snapshot": "demo\0"}) == [
        {"id": "a.py:f", "name": "nul half ? end"}
    ]


def test_an_edge_to_nowhere_is_refused(graph_engine: GraphEngine) -> None:
    store = graph_engine.writer()
    dangling = Graph((node("f"),), (edge(EdgeKind.INVOKES, "a.py:f", "b.py:nowhere", 1),))
    with pytest.raises(WriteFailed, match="not in the graph"):
        put(store, "demo", dangling)


def test_ids_are_ordered_by_code_point(graph_engine: GraphEngine) -> None:
    # Two of these change places where UTF-16 units are compared, as Java does.
    ids = sorted(("Z", "a", "z", "é", "\uff5e", "😀", "_", "~", "a b", "A"))
    store = graph_engine.writer()
    put(store, "demo", Graph(tuple(replace(node("f"), id=one) for one in ids), ()))
    assert [row["id"] for row in store.run(EVERY_NAME, {"snapshot": "demo"})] == ids


def test_an_empty_graph_can_be_written(graph_engine: GraphEngine) -> None:
    store = graph_engine.writer()
    put(store, "demo", Graph((), ()))
    assert store.counts("demo") == ({}, {})


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({}, r"needs parameter \$ids, \$limit"),
        ({"ids": [], "limit": 1, "more": 2}, r"no parameter \$more"),
        ({"ids": "a", "limit": 1}, r"\$ids .* must be a list of strings"),
        ({"ids": [1], "limit": 1}, r"\$ids .* must be a list of strings"),
        ({"ids": [], "limit": "1"}, r"\$limit .* must be a whole number"),
        ({"ids": [], "limit": True}, r"\$limit .* must be a whole number"),
        ({"ids": [], "limit": 1 << 63}, r"\$limit .* must be a whole number"),
        ({"ids": [], "limit": None}, r"\$limit .* must be a whole number"),
    ],
)
def test_a_wrong_parameter_is_named(
    graph_engine: GraphEngine, params: dict[str, object], message: str
) -> None:
    query = template(
        "MATCH (n:Node) WHERE n.id IN $ids RETURN n.id AS id ORDER BY id LIMIT $limit",
        Param("ids", ParamType.STRINGS, ""),
        Param("limit", ParamType.INT, ""),
    )
    store = graph_engine.writer()
    assert store.run(query, {"ids": [], "limit": 1}) == []
    with pytest.raises(TemplateError, match=message):
        store.run(query, params)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "MATCH bad",
        "MATCH (n:Node) SET n.name = 'x' RETURN n.id AS id",
        "MATCH (n:Node) DETACH DELETE n",
        "RETURN 1 AS one; RETURN 2 AS two",
        "MATCH (n:Node) RETURN n",
        "MATCH (n:Node) RETURN n.key AS x, {a: 1} AS y",
        "RETURN $nothing AS x, 1 / 0 AS y",
        "",
    ],
)
def test_a_text_that_is_wrong_or_writes_is_refused_in_one_line(
    graph_engine: GraphEngine, text: str
) -> None:
    store = graph_engine.writer()
    put(store, "demo", small())
    store.close()
    store = graph_engine.reader()
    with pytest.raises(TemplateError) as caught:
        store.run(template(text), {})
    assert "\n" not in str(caught.value)
    assert store.counts("demo")[0] == {"Class": 1, "File": 1, "Function": 1}


def test_a_template_must_return_what_its_header_says(graph_engine: GraphEngine) -> None:
    store = graph_engine.writer()
    with pytest.raises(TemplateError, match="returns one"):
        store.run(template("RETURN 1 AS one", columns=("two",)), {})


def test_rows_are_capped(graph_engine: GraphEngine) -> None:
    store = graph_engine.writer()
    count = template("UNWIND range(1, 5000) AS i RETURN i ORDER BY i")
    assert [row["i"] for row in store.run(count, {}, row_cap=3)] == [1, 2, 3]


def test_values_are_plain(graph_engine: GraphEngine) -> None:
    store = graph_engine.writer()
    text = "UNWIND [1, 2] AS i RETURN sum(i) AS total, avg(i) AS mean, collect(i) AS list_of"
    (row,) = store.run(template(text), {})
    assert row == {"total": 3, "mean": 1.5, "list_of": [1, 2]}
    assert type(row["total"]) is int


def test_a_text_that_takes_too_long_is_stopped(graph_engine: GraphEngine) -> None:
    store = graph_engine.writer()
    slow = template(
        "UNWIND range(1, 30000) AS x UNWIND range(1, 30000) AS y "
        "WITH x, y WHERE (x * y) % 7 = 3 RETURN count(*) AS many"
    )
    with pytest.raises(StoreUnavailable, match=r"did not end within 0\.3 s"):
        store.run(slow, {}, timeout_s=0.3)
    assert store.run(template("RETURN 1 AS one"), {}) == [{"one": 1}]


def test_closing_twice_is_fine(graph_engine: GraphEngine) -> None:
    store = graph_engine.writer()
    store.close()
    store.close()
