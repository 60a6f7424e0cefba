"""The Cypher guide lists the templates as they are, and its examples are sound."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hindsight_neo4j.errors import TemplateError
from hindsight_neo4j.templates.guard import check
from hindsight_neo4j.templates.header import parse

DOCS = Path(__file__).resolve().parents[2] / "docs"
GUIDE = (DOCS / "cypher.md").read_text(encoding="utf-8")


def test_the_list_is_what_the_templates_say() -> None:
    run = subprocess.run(
        [sys.executable, DOCS / "make_cypher_page.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_example_of_a_template_is_one() -> None:
    (example,) = re.findall(r"```cypher\n(// .*?)```", GUIDE, re.DOTALL)
    assert parse(example, name="lookup/x", source="docs/cypher.md").columns[0] == "id"


def test_the_picture_query_is_allowed() -> None:
    for example in re.findall(r"```cypher\n(.*?)```", GUIDE, re.DOTALL):
        check(example)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n:Function) RETURN n.id AS id ORDER BY id",
        "MATCH (n:Node) RETURN n.id AS id",
        "MATCH (n:Node)-[:INVOKES*]->(m:Node) RETURN m.id AS id ORDER BY id",
        "MATCH (n:Node) RETURN [x IN n.lines | x] AS id ORDER BY id",
        "MATCH (n:Node) RETURN n.lines[0] AS id ORDER BY id",
        "CALL { MATCH (n:Node) RETURN n.id AS id } RETURN id ORDER BY id",
        "MATCH (n:Node) SET n.x = 1 RETURN n.id AS id ORDER BY id",
    ],
)
def test_what_the_table_forbids_does_not_load(text: str) -> None:
    head = "// A sentence.\n// returns: id\n// bound: none\n// try: nothing to give\n"
    with pytest.raises(TemplateError):
        parse(head + text, name="x", source="x")
