"""A template file says what it does, and does what it says; a file that does not is refused with its line."""

from __future__ import annotations

import pytest

from hindsight_neo4j.errors import TemplateError
from hindsight_neo4j.model.template import Param, ParamType
from hindsight_neo4j.templates.header import parse

HEAD = """\
// Who calls a function,
// nearest first.
// params:  snapshot string whose nodes · ids list<string> functions
//          · limit int most rows
// returns: id, start_line (1-based)
// bound:   $limit rows
// try:     :param snapshot => "demo"
//          :param ids => ["a.py:f"]
//          :param limit => 20
"""
BODY = """\
MATCH (n:Node) WHERE n.snapshot = $snapshot AND n.id IN $ids
RETURN n.id AS id, n.start_line AS start_line
ORDER BY id LIMIT $limit;
"""


def refused(text: str) -> str:
    with pytest.raises(TemplateError) as refusal:
        parse(text, name="lookup/x", source="lookup/x.cypher")
    assert str(refusal.value).startswith("lookup/x.cypher")
    return str(refusal.value)


def test_a_head_becomes_a_template() -> None:
    template = parse(HEAD + BODY, name="lookup/x", source="lookup/x.cypher")
    assert template.summary == "Who calls a function, nearest first."
    assert template.params == (
        Param("snapshot", ParamType.STRING, "whose nodes"),
        Param("ids", ParamType.STRINGS, "functions"),
        Param("limit", ParamType.INT, "most rows"),
    )
    assert template.columns == ("id", "start_line")
    assert template.bound == "$limit rows"
    assert template.example.splitlines() == [
        ':param snapshot => "demo"',
        ':param ids => ["a.py:f"]',
        ":param limit => 20",
    ]
    assert template.text == BODY.strip().removesuffix(";")


@pytest.mark.parametrize("section", ["returns", "bound", "try"])
def test_a_head_without_a_section_is_refused(section: str) -> None:
    lines = [line for line in HEAD.splitlines() if not line.startswith(f"// {section}:")]
    message = refused("\n".join(lines) + "\n" + BODY)
    assert section in message


def test_a_file_without_a_sentence_is_refused() -> None:
    assert "summary" in refused(BODY)


def test_a_section_twice_is_refused_with_its_line() -> None:
    assert "line 10" in refused(HEAD + "// bound: 3 rows\n" + BODY)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("$limit;", "$most;", "line 12: $most is not in params"),
        (" LIMIT $limit;", ";", "line 3, params: the Cypher does not use $limit"),
        (
            "ids list<string>",
            "ids list<int>",
            "line 3, params: 'ids list<int> functions' has no type",
        ),
        ("AS start_line", "AS line", "line 11: returns id, line"),
        ("n.start_line AS start_line", "n.start_line", "line 11: a column without a name"),
        ("ORDER BY id ", "", "line 11: RETURN without ORDER BY"),
        (":param limit", ":param most", "line 7, try: it must give"),
        (
            "n.snapshot = $snapshot",
            "n:Function AND n.snapshot = $snapshot",
            "line 10: the only label",
        ),
        ("n.id IN $ids", "labels(n) IN $ids", "line 10: LABELS"),
        ("n.id IN $ids", "n.ids[0] IN $ids", "line 10: a list index"),
        ("n.id IN $ids", "n.id IN [x IN $ids | x]", "line 10: a list comprehension"),
        ("MATCH (n:Node)", "MATCH (n:Node)-[:INVOKES*]->(:Node)", "line 10: the hops"),
        ("MATCH (n:Node)", "MATCH (n:Node)-[:INVOKES*1..]->(:Node)", "line 10: the hops"),
        ("MATCH (n:Node)", "MATCH (n:Node)-[:INVOKES*1..$limit]->(:Node)", "line 10: the hops"),
        ("MATCH (n:Node)", "CALL { RETURN 1 AS x } MATCH (n:Node)", "line 10: CALL"),
        ("RETURN n.id", "SET n.x = 1 RETURN n.id", "line 11: SET writes"),
        ("RETURN n.id", "WITH n {.id} AS n RETURN n.id", "line 11: a map projection"),
        ("MATCH (n:Node)", "RETURN 1 AS id; MATCH (n:Node)", "line 10: one statement"),
        ("MATCH (n:Node)", "MATCH (n:Node {id: 'open})", "line 10: a string that does not end"),
    ],
)
def test_a_body_that_is_not_what_the_head_says_is_refused_with_its_line(
    old: str, new: str, said: str
) -> None:
    text = HEAD + BODY
    assert old in text
    assert said in refused(text.replace(old, new))


def test_a_head_without_cypher_is_refused() -> None:
    assert "no Cypher" in refused(HEAD)


def test_every_branch_of_a_union_is_held_to_the_head() -> None:
    union = BODY.replace(";", "") + "UNION ALL\n" + BODY
    parse(HEAD + union, name="x", source="x")
    assert "line 15" in refused(HEAD + union[::-1].replace("di SA", "yek SA", 1)[::-1])


def test_a_lone_count_needs_no_order() -> None:
    text = (
        "// How many.\n// params: snapshot string whose\n// returns: nodes\n// bound: 1 row\n"
        '// try: :param snapshot => "demo"\n'
        "MATCH (n:Node) WHERE n.snapshot = $snapshot RETURN count(*) AS nodes\n"
    )
    assert parse(text, name="x", source="x").columns == ("nodes",)


def test_words_in_strings_names_and_types_are_no_business_of_the_check() -> None:
    body = BODY.replace(
        "n.id IN $ids", "n.id IN $ids AND n.name <> 'CALL [0] labels(' AND n.set = 1"
    )
    body = body.replace("MATCH (n:Node)", "MATCH (n:Node)-[:SET|REMOVE*1..2]->(:Node {call: 1})")
    parse(HEAD + body, name="x", source="x")
