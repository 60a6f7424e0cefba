"""A user's Cypher only ever reads: what is refused is named, what is allowed runs, and nothing is written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_neo4j.errors import TemplateError
from hindsight_neo4j.model.graph import Graph, Node, NodeKind
from hindsight_neo4j.stores.embedded_graph import EmbeddedGraph
from hindsight_neo4j.templates.guard import REFUSED, STARTS, check, user_template
from hindsight_neo4j.templates.tokens import tokenize

WRITES = [
    ("MATCH (n) CALL { WITH n SET n.x=1 } RETURN n", "CALL"),
    ("CALL apoc.cypher.doIt('CREATE (n)', {})", "CALL"),
    ("CALL custom.writeProc()", "CALL"),
    ("LOAD CSV FROM 'file:///etc/passwd' AS r RETURN r", "LOAD"),
    ("/*x*/ MaTcH (n) DeTaCh /*y*/ DeLeTe n", "DETACH"),
    ("MATCH (n) WITH n LIMIT 1 DETACH DELETE n", "DETACH"),
    ("MATCH (n:Node) SET n.name = 'x' RETURN n.id", "SET"),
    ("MATCH (n) WITH * SET n.x = 1", "SET"),
    ("MATCH (n) RETURN * CREATE (m)", "CREATE"),
    ("MATCH (n) RETURN CASE WHEN true THEN 1 END SET n.x = 1", "SET"),
    ("MATCH (n) FOREACH (x IN [1] | CREATE (m))", "FOREACH"),
    ("MATCH (n) WHERE EXISTS { CREATE (m) } RETURN n", "CREATE"),
    ("MERGE (n:Node {key: 'x'})", "MERGE"),
    ("MATCH (n) REMOVE n.name", "REMOVE"),
    ("MATCH (n) RETURN n.id UNION CALL db.labels() YIELD label RETURN label", "CALL"),
    ("COPY (MATCH (n:Node) RETURN n.id) TO '{folder}/out.csv'", "COPY"),
    ("COPY Node FROM '/etc/passwd'", "COPY"),
    ("LOAD FROM '/etc/passwd' (HEADER=false) RETURN *", "LOAD"),
    ("EXPORT DATABASE '{folder}/dump'", "EXPORT"),
    ("IMPORT DATABASE '{folder}/dump'", "IMPORT"),
    ("ATTACH '{folder}/other.db' AS other (dbtype sqlite)", "ATTACH"),
    ("INSTALL httpfs", "INSTALL"),
    ("USE neo4j MATCH (n) RETURN n", "USE"),
    ("EXPLAIN MATCH (n) RETURN n", "EXPLAIN"),
    ("PROFILE MATCH (n) RETURN n", "PROFILE"),
    ("CYPHER 25 MATCH (n) RETURN n", "CYPHER"),
    ("DROP TABLE Node", "DROP"),
    ("CHECKPOINT", "CHECKPOINT"),
    ("CREATE MACRO f(x) AS x + 1", "CREATE"),
    ("BEGIN TRANSACTION", "BEGIN"),
    ("MATCH (n) RETURN n.id; MATCH (n) DELETE n", "second statement"),
    ("MATCH (n) RETURN nextval('sequence')", "NEXTVAL"),
    ("MATCH (n) RETURN apoc.text.join(['a'], 'b')", "JOIN"),
    ("MATCH (n) RETURN `apoc`.`x`(n)", "x is refused"),
    ("MATCH (n) FROBNICATE n RETURN n", "FROBNICATE"),
    ("MATCH (frob) WITH frob FROB frob", "FROB"),
    ("MATCH (n) RETURN n.id UNION FROB (x)", "FROB"),
    ("MATCH (n) RETURN n.id\nLIMIT 1\nDETACH DELETE n", "line 3: DETACH"),
]
DISGUISES = [
    (r"\u0043REATE (n)", "more than one way"),
    (r"MATCH (n) \U00000053ET n.x = 1", "more than one way"),
    (r"MATCH (n) WHERE n.id = 'a\u0027 DETACH DELETE n //' RETURN n", "more than one way"),
    ("MATCH (n) // one line\r DETACH DELETE n", "more than one way"),
    ("MATCH (n) RETURN n.id \x00 DELETE", "more than one way"),
    ("MATCH (n) DE/**/LETE n", "DE is refused"),
    ("MATCH (n)\u2028DELETE n", "no place outside a string"),
    ("MATCH (n) \uff24ELETE n", "no place outside a string"),
    ("RETURN 'never ends", "does not end"),
    ("RETURN 1 /* never ends", "does not end"),
    ("RETURN `never ends", "does not end"),
    ("MATCH (n {name: 'it''s'}) DELETE n", "is refused"),
    ("", "nothing to run"),
    (" ; // only this\n ;", "nothing to run"),
    ("RETURN '" + "x" * 100_000 + "'", "longer than"),
]
READS = [
    "MATCH (f:Node) WHERE f.name IN ['delete','set','create_user'] RETURN f.id AS id",
    "MATCH (n:Node {name: 'DETACH DELETE n'}) RETURN n.id AS `create`, n.name AS `set`",
    "MATCH (n:Node) WHERE n.name = 'a;b // c /* d' RETURN n.id AS id // DELETE\n;",
    "OPTIONAL MATCH (n:Node) /* CREATE */ WHERE n.is_test = false RETURN n.name AS name LIMIT 1",
    "MATCH (n:Node) WHERE EXISTS { MATCH (n)-[:CONTAINS]->(:Node) } RETURN count(*) AS nodes",
    "MATCH p = (a:Node)-[:CONTAINS|INVOKES*1..2]->(b:Node) RETURN b.id AS id, min(length(p)) AS hops",
    'UNWIND ["CALL", "x\\\\"] AS word WITH DISTINCT word RETURN word ORDER BY word DESC SKIP 0 LIMIT 5',
    "MATCH (n:Node) RETURN CASE n.kind WHEN 'File' THEN 1 ELSE NULL END AS x UNION ALL RETURN 2 AS x",
    "MATCH (n:Node) WHERE NOT n.name STARTS WITH 'x' XOR n.doc IS NULL RETURN toLower(n.id) AS id",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the database, which is all that a refused text could reach."""
    return tmp_path_factory.mktemp("guard")


@pytest.fixture(scope="module")
def graph(folder: Path) -> Iterator[EmbeddedGraph]:
    """One function in one file, in a real database that is open for writing: only the guard protects it."""
    nodes = (
        Node("a.py", NodeKind.FILE, "a.py", "", "a.py"),
        Node("a.py:delete", NodeKind.FUNCTION, "delete", "delete", "a.py", 1, 2),
    )
    with closing(EmbeddedGraph.create(folder / "graph.lbug")) as graph:
        graph.write("s", Graph(nodes, ()))
        yield graph


@pytest.mark.parametrize(("text", "named"), WRITES + DISGUISES)
def test_what_may_do_more_than_read_is_refused_by_name(text: str, named: str) -> None:
    with pytest.raises(TemplateError) as refusal:
        check(text)
    assert named in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("text", READS)
def test_what_only_reads_runs(text: str, graph: EmbeddedGraph) -> None:
    graph.run(user_template(text, {}), {})


@pytest.mark.parametrize(("text", "named"), WRITES)
def test_nothing_is_written_whatever_is_asked(
    text: str, named: str, graph: EmbeddedGraph, folder: Path
) -> None:
    before = graph.counts("s"), sorted(folder.rglob("*"))
    with pytest.raises(TemplateError):
        graph.run(user_template(text.replace("{folder}", str(folder)), {}), {})
    assert (graph.counts("s"), sorted(folder.rglob("*"))) == before


def test_the_guard_and_the_engine_read_strings_and_comments_alike(graph: EmbeddedGraph) -> None:
    text = r"""RETURN 'a\'b' AS x, "c\"d;" AS `y z` /* ' /* */ , 'e\\' AS v // ' "
    , 'f
g' AS w"""
    (row,) = graph.run(user_template(text, {}), {})
    assert row == {"x": "a'b", "y z": 'c"d;', "v": "e\\", "w": "f\ng"}


def test_names_that_are_keywords_are_free_where_they_can_only_be_names() -> None:
    check(
        "MATCH (n:`Create`)-[r:SET|DELETE]->({set: 1, call: 2}) RETURN n.delete, n.`drop`, r.call"
    )
    with pytest.raises(TemplateError, match="backticks"):
        check("MATCH (set) RETURN set")


def test_a_parameter_is_a_value_and_never_text(graph: EmbeddedGraph) -> None:
    hostile = "INVOKE]->() DETACH DELETE n //"
    text = "MATCH (a:Node) WHERE a.name = $rel_type RETURN a.id AS id"
    assert graph.run(user_template(text, {"rel_type": hostile}), {"rel_type": hostile}) == []
    assert graph.counts("s")[0] == {"File": 1, "Function": 1}


def test_parameters_must_be_those_the_text_uses() -> None:
    with pytest.raises(TemplateError, match=r"line 1: \$name has no value"):
        user_template("MATCH (n:Node) WHERE n.name = $name RETURN n.id AS id", {})
    with pytest.raises(TemplateError, match=r"no parameter \$other"):
        user_template("MATCH (n:Node) RETURN n.id AS id", {"other": 1})
    with pytest.raises(TemplateError, match=r"\$x cannot be used"):
        user_template("RETURN $x AS x", {"x": None})


def test_a_users_text_takes_parameters_of_the_types_given() -> None:
    values = {"a": "x", "b": 1, "c": 0.5, "d": ["x"]}
    template = user_template("RETURN $a AS a, $b AS b, $c AS c, $d AS d;", values)
    assert [str(param.type) for param in template.params] == [
        "string",
        "int",
        "float",
        "list<string>",
    ]
    assert not template.text.endswith(";")


PIECES = st.one_of(
    st.sampled_from([*"'\"`/*\\()[]{}.:|;,$\n\r\x00", "//", "/*", "*/", "\\u0027"]),
    st.sampled_from(
        [
            "MATCH",
            "RETURN",
            "WITH",
            "(n)",
            "n.id",
            "AS",
            "x",
            "SET",
            "CREATE",
            "DELETE",
            "CALL",
            "COPY",
            "UNION",
            "1",
            "'a'",
        ]
    ),
    st.text(max_size=4),
)


@given(st.lists(PIECES, max_size=30))
def test_any_text_is_allowed_or_refused_and_what_is_allowed_has_no_writing_word(
    pieces: list[str],
) -> None:
    text = " ".join(pieces)
    try:
        check(text)
    except TemplateError:
        return
    tokens = tokenize(text)
    assert tokens[0].word in STARTS
    for previous, token in pairwise(tokens):
        if token.word in REFUSED:
            assert previous.is_symbol(".", ":", "|", "{", ",")
