"""What lookups print: the place first, so that it can be clicked and cut."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]


def test_callers_are_places_with_names(cli: Cli, shop: Path) -> None:
    ran = cli("callers", "Store.put", "--repo", shop)
    assert ran.code == 0
    assert ran.out == "shop/api.py:6  save\n"
    assert "callers of shop/store.py:Store.put" in ran.err


def test_quiet_leaves_only_the_answer(cli: Cli, shop: Path) -> None:
    ran = cli("callers", "Store.put", "--repo", shop, "-q")
    assert ran.err == ""
    assert ran.out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("callees", "save"), "Store.put"),
        (("members", "shop/store.py:Store"), "Store.get"),
        (("impact", "Store.put"), "delete_blueprint"),
        (("tests", "save"), "test_save"),
        (("references", "Base"), "shop/store.py"),
    ],
)
def test_each_lookup_finds_what_it_is_for(
    cli: Cli, shop: Path, words: tuple[str, ...], expected: str
) -> None:
    ran = cli(*words, "--repo", shop)
    assert ran.code == 0, ran.err
    assert expected in ran.out


def test_a_path_is_drawn_hop_by_hop(cli: Cli, shop: Path) -> None:
    ran = cli("path", "delete_blueprint", "shop/store.py:check", "--repo", shop)
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "shop/api.py:delete_blueprint",
        "└─ calls save  shop/api.py:11",
        "   └─ calls Store.put  shop/api.py:6",
        "      └─ calls check  shop/store.py:13",
    ]


def test_what_calls_nothing_is_exit_code_1_with_a_reason(cli: Cli, shop: Path) -> None:
    ran = cli("callers", "delete_blueprint", "--repo", shop)
    assert ran.code == 1
    assert ran.out == ""
    assert "nothing is known to call it" in ran.err


def test_calls_that_could_not_be_resolved_are_said(cli: Cli, shop: Path) -> None:
    assert "1 call in it could not be resolved" in cli("callees", "Store.put", "--repo", shop).err


def test_rows_beyond_the_limit_are_counted(cli: Cli, shop: Path) -> None:
    ran = cli("members", "shop/store.py", "--repo", shop, "--limit", "1")
    assert len(ran.out.splitlines()) == 1
    assert "2 more, --limit 3" in ran.err


def test_json_holds_all_rows_whatever_the_limit(cli: Cli, shop: Path) -> None:
    ran = cli("members", "shop/store.py", "--repo", shop, "--limit", "1", "--json")
    said = json.loads(ran.out)
    assert said["command"] == "members"
    assert [item["id"] for item in said["items"]] == [
        "shop/store.py:Base",
        "shop/store.py:Store",
        "shop/store.py:check",
    ]


def test_an_empty_lookup_is_still_one_json_object(cli: Cli, shop: Path) -> None:
    ran = cli("callers", "delete_blueprint", "--repo", shop, "--json")
    assert ran.code == 1
    assert json.loads(ran.out)["items"] == []


def test_a_template_is_shown_with_what_it_needs(cli: Cli) -> None:
    ran = cli("templates", "lookup/callers")
    assert "$snapshot" in ran.out
    assert "MATCH" in ran.out
    assert ran.out.rstrip().splitlines()[-1].startswith(":param ")


def test_templates_as_json_hold_every_field(cli: Cli) -> None:
    said = json.loads(cli("templates", "--json").out)
    assert {"name", "summary", "params", "columns", "bound", "example"} == set(said["templates"][0])
    assert "text" in json.loads(cli("templates", "callers", "--json").out)


def test_a_template_runs_with_its_parameters_read_by_type(cli: Cli, shop: Path) -> None:
    words = ("-p", "id=shop/store.py:Store.put", "-p", "min_confidence=0.5", "-p", "limit=5")
    ran = cli("cypher", "callers", *words, "--repo", shop, "--json")
    assert ran.code == 0, ran.err
    assert [row["id"] for row in json.loads(ran.out)["rows"]] == ["shop/api.py:save"]


def test_no_rows_is_exit_code_1(cli: Cli, shop: Path) -> None:
    words = ("-p", "id=nobody", "-p", "min_confidence=0.5", "-p", "limit=5")
    assert cli("cypher", "callers", *words, "--repo", shop).code == 1


def test_an_audit_says_how_much_is_left_open(cli: Cli, shop: Path) -> None:
    ran = cli("audit", "edges", "--repo", shop)
    assert ran.code == 0, ran.err
    assert "without an edge" in ran.out
    said = json.loads(cli("audit", "edges", "--repo", shop, "--json").out)
    assert said["schema"] == 1
    assert said["resolved"] > 0
