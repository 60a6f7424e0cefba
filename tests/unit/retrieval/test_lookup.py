"""Lookups answer what stands in some relation to a symbol, and say how each answer was found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing

import pytest
from small_graph import edge, node, sources, stored

from hindsight_neo4j.errors import SymbolError
from hindsight_neo4j.model.graph import How, NodeKind, Tier
from hindsight_neo4j.model.lookup import Lookup
from hindsight_neo4j.retrieval import lookup
from hindsight_neo4j.retrieval.state import Sources
from hindsight_neo4j.retrieval.symbol import resolve

NODES = [
    ".",
    "src",
    "src/app",
    "src/app/__init__.py",
    "src/app/db.py",
    "src/app/web.py",
    "src/app/old.py",
    "tests/test_db.py",
    "src/app/db.py:Store",
    "src/app/db.py:Store.put",
    "src/app/db.py:Store.get",
    "src/app/db.py:check",
    "src/app/db.py:check~2",
    "src/app/old.py:Store",
    "src/app/old.py:Store.put",
    "src/app/old.py:unused",
    "src/app/web.py:Fast",
    "src/app/web.py:Fast.put",
    "src/app/web.py:handle",
    "src/app/web.py:main",
    "ext:requests.get",
    "ext:requests",
]
TESTS = ["tests/test_db.py:test_put", "tests/test_db.py:test_story", "tests/test_db.py:ready"]
EDGES = [
    edge("src/app CONTAINS src/app/db.py"),
    edge("src/app/db.py CONTAINS src/app/db.py:Store"),
    edge("src/app/db.py CONTAINS src/app/db.py:check"),
    edge("src/app/db.py:Store CONTAINS src/app/db.py:Store.put"),
    edge("src/app/db.py:Store CONTAINS src/app/db.py:Store.get"),
    edge("src/app/web.py IMPORTS src/app/db.py:Store", 1, how=How.IMPORT),
    edge("src/app/web.py:Fast INHERITS src/app/db.py:Store", 4, how=How.BASE),
    edge("src/app/web.py:Fast.put OVERRIDES src/app/db.py:Store.put", how=How.OVERRIDE),
    edge("src/app/web.py:Fast.put INVOKES src/app/db.py:Store.put", 6, how=How.SUPER),
    edge("src/app/web.py:handle INVOKES src/app/db.py:Store.put", 9, 12, tier=Tier.TYPED),
    edge("src/app/web.py:main INVOKES src/app/web.py:handle", 20),
    edge("src/app/web.py:main INVOKES ext:requests.get", 21),
    edge("src/app/web.py:main INVOKES src/app/old.py:Store.put", 22, tier=Tier.MANY),
    edge("src/app/web.py:main REFERENCES src/app/web.py:handle", 23, how=How.CALLBACK),
    edge("src/app/db.py:Store.put INVOKES src/app/db.py:check", 11),
    edge("tests/test_db.py:test_put TESTS src/app/db.py:Store.put", 3),
    edge("tests/test_db.py:test_put INVOKES src/app/db.py:Store.put", 3),
    edge("tests/test_db.py:test_story TESTS tests/test_db.py:ready", 8, how=How.FIXTURE),
    edge("tests/test_db.py:ready INVOKES src/app/web.py:main", 6),
]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sources]:
    """A store and a subclass of it, what calls them, their tests, and an old copy of the same names."""
    nodes = [node(one) for one in NODES if one != "src/app/web.py:handle"]
    nodes += [node("src/app/web.py:handle", unresolved_names="put reput")]
    nodes += [node(one, is_test=True) for one in TESTS]
    with closing(stored(tmp_path_factory.mktemp("app"), nodes, EDGES)) as graph:
        yield sources(graph)


def ids(found: Lookup) -> list[str]:
    return [item.id for item in found.items]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("src/app/db.py:Store.put", "src/app/db.py:Store.put"),
        ("db.py:Store.put", "src/app/db.py:Store.put"),
        ("app.db.Store.put", "src/app/db.py:Store.put"),
        ("src.app.db.Store.put", "src/app/db.py:Store.put"),
        ("Store.get", "src/app/db.py:Store.get"),
        (" get ", "src/app/db.py:Store.get"),
        ("Fast::put", "src/app/web.py:Fast.put"),
        ("app.handle", "src/app/web.py:handle"),
        ("check", "src/app/db.py:check"),
        ("db.py:check~2", "src/app/db.py:check~2"),
        ("src/app/db.py", "src/app/db.py"),
        ("db.py", "src/app/db.py"),
        ("app/db.py", "src/app/db.py"),
        ("app.db", "src/app/db.py"),
        ("app", "src/app"),
        (".", "."),
        ("requests.get", "ext:requests.get"),
        ("ext:requests.get", "ext:requests.get"),
    ],
)
def test_a_symbol_is_known_by_its_id_its_dotted_name_or_an_end_of_them(
    name: str, meant: str, app: Sources
) -> None:
    assert resolve(app, name).id == meant


def test_a_resolved_symbol_is_the_whole_node(app: Sources) -> None:
    assert resolve(app, "web.handle") == node("src/app/web.py:handle", unresolved_names="put reput")
    assert resolve(app, "Fast").kind is NodeKind.CLASS


def test_a_name_that_fits_several_symbols_lists_them(app: Sources) -> None:
    with pytest.raises(SymbolError, match="can mean 2 symbols") as refusal:
        resolve(app, "Store.put")
    assert refusal.value.candidates == ("src/app/db.py:Store.put", "src/app/old.py:Store.put")


def test_an_end_counts_from_a_separator_on(app: Sources) -> None:
    with pytest.raises(SymbolError, match="no symbol"):
        resolve(app, "ore.put")


def test_an_unknown_name_is_answered_with_near_ones(app: Sources) -> None:
    with pytest.raises(SymbolError, match=r"near it: src/app/web\.py:handle"):
        resolve(app, "hanlde")


@pytest.mark.parametrize(
    "name", ["", "  ", "x" * 60_000, "'\"; DETACH DELETE n //", "\x00", "🙂\n", "..", ":"]
)
def test_a_hostile_name_is_one_line_that_says_what_to_do(name: str, app: Sources) -> None:
    with pytest.raises(SymbolError) as refusal:
        resolve(app, name)
    assert refusal.value.hint
    assert len(str(refusal.value)) < 400


def test_callers_have_the_lines_of_their_calls(app: Sources) -> None:
    found = lookup.callers(app, "db.Store.put")
    assert ids(found) == [
        "src/app/web.py:Fast.put",
        "src/app/web.py:handle",
        "tests/test_db.py:test_put",
    ]
    handle = found.items[1]
    assert (handle.line_path, handle.lines, handle.tier) == ("src/app/web.py", (9, 12), "typed")
    assert found.symbol == "src/app/db.py:Store.put"


def test_callers_of_an_overriding_method_include_those_of_the_base_as_possible(
    app: Sources,
) -> None:
    found = lookup.callers(app, "Fast.put")
    assert ids(found) == ["src/app/web.py:handle", "tests/test_db.py:test_put"]
    assert {(item.tier, item.confidence, item.hops) for item in found.items} == {
        ("override", 0.5, 2)
    }
    assert [hop.kind for hop in found.items[0].via] == ["OVERRIDES", "INVOKES"]


def test_calls_of_the_name_that_could_not_be_decided_are_counted(app: Sources) -> None:
    assert lookup.callers(app, "db.Store.put").unresolved == 1
    assert lookup.callers(app, "check").unresolved == 0
    assert lookup.callees(app, "web.handle").unresolved == 2


def test_guesses_among_many_are_left_out_unless_asked_for(app: Sources) -> None:
    assert ids(lookup.callers(app, "old.Store.put")) == []
    assert ids(lookup.callers(app, "old.Store.put", min_confidence=0)) == ["src/app/web.py:main"]


def test_callees_and_members(app: Sources) -> None:
    assert ids(lookup.callees(app, "app.web.main")) == ["ext:requests.get", "src/app/web.py:handle"]
    assert ids(lookup.members(app, "db.Store")) == [
        "src/app/db.py:Store.get",
        "src/app/db.py:Store.put",
    ]


def test_tests_are_found_by_calls_and_fixtures_with_their_distance(app: Sources) -> None:
    found = lookup.tests(app, "check")
    assert [(item.id, item.hops) for item in found.items] == [("tests/test_db.py:test_put", 2)]
    far = lookup.tests(app, "db.Store.put").items[-1]
    assert (far.id, far.hops, far.how) == ("tests/test_db.py:test_story", 4, "fixture")
    assert [hop.dst for hop in far.via] == [
        "src/app/db.py:Store.put",
        "src/app/web.py:handle",
        "src/app/web.py:main",
        "tests/test_db.py:ready",
    ]


def test_a_class_is_tested_by_what_tests_its_methods(app: Sources) -> None:
    found = lookup.tests(app, "db.Store").items[0]
    assert (found.id, found.hops) == ("tests/test_db.py:test_put", 1)
    assert [hop.kind for hop in found.via] == ["CONTAINS", "TESTS"]


def test_impact_is_all_that_depends_nearest_first(app: Sources) -> None:
    found = lookup.impact(app, "check")
    assert [(item.id, item.hops) for item in found.items] == [
        ("src/app/db.py:Store.put", 1),
        ("src/app/web.py:Fast.put", 2),
        ("src/app/web.py:handle", 2),
        ("tests/test_db.py:test_put", 2),
        ("src/app/web.py:main", 3),
    ]


def test_a_path_is_a_shortest_one_and_each_hop_has_its_place(app: Sources) -> None:
    found = lookup.path(app, "tests.test_db.ready", "check")
    assert ids(found) == [
        "src/app/web.py:main",
        "src/app/web.py:handle",
        "src/app/db.py:Store.put",
        "src/app/db.py:check",
    ]
    assert [(hop.path, hop.line, hop.forward) for hop in found.items[-1].via] == [
        ("tests/test_db.py", 6, True),
        ("src/app/web.py", 20, True),
        ("src/app/web.py", 9, True),
        ("src/app/db.py", 11, True),
    ]
    assert [item.hops for item in found.items] == [1, 2, 3, 4]
    assert found.reason == ""


def test_a_path_that_only_leads_back_says_so(app: Sources) -> None:
    found = lookup.path(app, "check", "db.Store.put")
    assert found.symbol == "src/app/db.py:Store.put"
    assert ids(found) == ["src/app/db.py:check"]
    assert "but back" in found.reason


def test_what_is_empty_says_why(app: Sources) -> None:
    assert lookup.path(app, "check", "check").reason == "both are the same symbol"
    assert "no way" in lookup.path(app, "check", "unused").reason
    for command in ("callers", "callees", "members", "tests", "impact"):
        found = getattr(lookup, command)(app, "unused")
        assert found.items == ()
        assert found.reason


def test_a_lookup_is_plain_data(app: Sources) -> None:
    plain = json.loads(json.dumps(lookup.tests(app, "check").to_dict()))
    assert plain["command"] == "tests"
    assert plain["items"][0]["via"][0]["line"] == 11
