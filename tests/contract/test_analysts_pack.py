"""The analysts' pack, pasted: each block of cypher/README.md and each template runs in Neo4j's own cypher-shell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from contract.conftest import empty
from servers import cypher_shell
from servers.neo4j_server import Server
from servers.process import ServerMissing, lacking

from hindsight_neo4j import Hindsight
from hindsight_neo4j.resources import room

pytestmark = pytest.mark.server

PAGE = (room("cypher") / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```cypher\n(.*?)```", PAGE, re.DOTALL)
MARK = "hindsight-block-"


@pytest.fixture(scope="module")
def flask_there(
    flask: Path, neo4j_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Server:
    """A database that holds flask, as the pack's examples have it."""
    empty(neo4j_server)
    index = tmp_path_factory.mktemp("index")
    with Hindsight.of_repository(flask, index=index, graph=neo4j_server.access) as client:
        client.ingest(snapshot="flask")
    return neo4j_server


def shell(server: Server, texts: list[str]) -> list[list[str]]:
    """Paste texts into one session, and return the lines that each prints."""
    marked = [f'RETURN "{MARK}{at}";\n{text}' for at, text in enumerate(texts)]
    try:
        printed = cypher_shell.run(server, "\n".join(marked) + "\n")
    except ServerMissing as missing:
        lacking(f"no cypher-shell here, so nothing was pasted into it: {missing}")
    answers = re.split(rf'"{MARK}\d+"\n"{MARK}\d+"\n', printed)
    assert len(answers) == len(texts) + 1
    return [answer.splitlines() for answer in answers[1:]]


def test_every_family_has_its_page() -> None:
    listed = re.findall(r"\[[^]]+\]\(#([a-z-]+)\)", PAGE)
    headings = [
        line[3:].lower().replace(" ", "-") for line in PAGE.splitlines() if line[:3] == "## "
    ]
    assert listed == headings
    assert len(listed) >= 8


def test_every_block_of_the_pack_has_an_answer(flask_there: Server) -> None:
    answers = shell(flask_there, BLOCKS)
    for block, lines in zip(BLOCKS[1:], answers[1:], strict=True):
        assert len(lines) > 1, f"a heading and no row from\n{block}"


def test_every_template_can_be_pasted_with_the_parameters_it_is_tried_with(
    flask_there: Server,
) -> None:
    texts = []
    for template in Hindsight.templates():
        params = template.example.replace('"demo"', '"flask"')
        texts.append(f"{params}\n{template.text};")
    for template, lines in zip(Hindsight.templates(), shell(flask_there, texts), strict=True):
        assert lines[:1] in ([], [", ".join(template.columns)])


@pytest.mark.parametrize(
    "named", sorted(set(re.findall(r"`((?:lookup|audit|intents)/\w+)`", PAGE)))
)
def test_the_pack_names_templates_that_are_there(named: str) -> None:
    assert Hindsight.template(named).name == named
