"""`hindsight audit RULE`: what CI needs, an exit code that says whether a rule is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shop_repository import write

from hindsight_neo4j.client import Hindsight

CIRCLE = {
    "web/page.py": "from store.db import get\n\n\ndef page():\n    return get()\n",
    "store/db.py": "from store.cache import cached\n\n\ndef get():\n    return cached()\n",
    "store/cache.py": "import web.page\n\n\ndef cached():\n    return web.page\n\n\ndef left():\n    pass\n",
    "web/__init__.py": "",
    "store/__init__.py": "",
}


@pytest.fixture(scope="module")
def circle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("circle")
    write(root, CIRCLE)
    with Hindsight.of_repository(root) as client:
        client.ingest()
    return root


def test_a_circle_of_three_files_is_found_and_breaks_the_rule(
    cli: Callable[..., Any], circle: Path
) -> None:
    ran = cli("audit", "import_cycles", "--repo", circle, "--json")
    said = json.loads(ran.out)
    assert ran.code == 1
    assert said["ok"] is False
    circle_ = ["store/cache.py", "web/page.py", "store/db.py"]
    assert said["findings"] == [{"files": 3, "circle": circle_}]
    assert cli("audit", "import_cycles", "--repo", circle, "--at-most", "1").code == 0


def test_a_layer_that_imports_upwards_is_said_with_its_lines(
    cli: Callable[..., Any], circle: Path
) -> None:
    words = ("--param", "importers=store/", "--param", "imported=web/,ext:flask")
    ran = cli("audit", "forbidden_imports", *words, "--repo", circle)
    assert ran.code == 1
    assert "store/cache.py" in ran.out
    assert "2 findings, 0 allowed" in ran.err.replace("\n", " ")
    words = ("--param", "importers=web/", "--param", "imported=ext:flask")
    assert cli("audit", "forbidden_imports", *words, "--repo", circle).code == 0


def test_what_nothing_uses_is_a_candidate(cli: Callable[..., Any], circle: Path) -> None:
    found = json.loads(cli("audit", "unused", "--repo", circle, "--json").out)["findings"]
    assert [(row["id"], row["unknown"]) for row in found] == [
        ("store/cache.py:left", 0),
        ("web/page.py:page", 0),
    ]


def test_a_rule_of_ones_own_is_a_file(
    cli: Callable[..., Any], circle: Path, tmp_path: Path
) -> None:
    rule = tmp_path / "rule.cypher"
    rule.write_text("MATCH (n:Node) WHERE n.snapshot = $snapshot AND n.name = $name RETURN n.id")
    ran = cli("audit", "--file", rule, "--param", "name=left", "--repo", circle)
    assert ran.code == 1
    assert cli("audit", "--file", rule, "--param", "name=none", "--repo", circle).code == 0
    rule.write_text("MATCH (n:Node) DETACH DELETE n")
    assert cli("audit", "--file", rule, "--repo", circle).code == 2


def test_only_some_findings_are_printed_and_the_rest_counted(
    cli: Callable[..., Any], circle: Path
) -> None:
    ran = cli("audit", "hubs", "--param", "more_than=0", "--limit", "1", "--repo", circle)
    assert ran.code == 1
    assert len(ran.out.splitlines()) == 2
    assert "not shown" in ran.err


def test_without_a_rule_they_are_listed(cli: Callable[..., Any]) -> None:
    listed = json.loads(cli("audit", "--json").out)["rules"]
    assert {"rule", "summary", "params"} == set(listed[0])
    assert "import_cycles" in [one["rule"] for one in listed]
    assert ["importers", "imported"] in [one["params"] for one in listed]


@pytest.mark.parametrize(
    "words",
    [
        ("no_such_rule",),
        ("forbidden_imports",),
        ("import_cycles", "--param", "limit=1"),
        ("hubs", "--param", "more_than=many"),
        ("hubs", "--at-most", "-1"),
        ("hubs", "--file", "x"),
    ],
)
def test_a_wrong_rule_or_parameter_is_exit_code_2(
    cli: Callable[..., Any], circle: Path, words: tuple[str, ...]
) -> None:
    ran = cli("audit", *words, "--repo", circle)
    assert ran.code == 2
    assert ran.out == ""
