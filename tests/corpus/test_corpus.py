"""Annotated sources: what the graph must say about a line, written under that line.

    # file: bank/a.py                       the lines below are this file, until the next such line
    def one(): return tariff.levy(1)
    #                        ^ calls: bank/fees.py:levy

The caret points at a character of the nearest line of code above. Claims, each about edges on that line:

    defines: Qual.name               a class or function of this name starts here or has its name here
    calls: ID [from Qual.name]       an INVOKES edge to ID, from that symbol of this file where one is named
    calls-not: ID                    no INVOKES edge to ID
    imports: ID · inherits: ID · references: ID · tests: ID · overrides: ID      an edge of that kind; `-not` for none
    unresolved: name                 the symbol around the line counts an open call site of this name

`gap: ` before a claim marks what is known to be missing: the claim must fail, so that a gap that closes is noticed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from hindsight_neo4j.extract import extract
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.link import link
from hindsight_neo4j.model.graph import EdgeKind, Graph, Node

HERE = Path(__file__).parent
FILE = re.compile(r"#\s*file:\s*(\S+)\s*$")
CLAIM = re.compile(r"\s*#\s*(\^)\s*(gap: )?([a-z-]+):\s*(\S+)(?:\s+from\s+(\S+))?\s*$")

KINDS = {
    "calls": EdgeKind.INVOKES,
    "imports": EdgeKind.IMPORTS,
    "inherits": EdgeKind.INHERITS,
    "references": EdgeKind.REFERENCES,
    "tests": EdgeKind.TESTS,
    "overrides": EdgeKind.OVERRIDES,
}


@dataclass(frozen=True)
class Claim:
    """One annotation: what must hold, and about which line."""

    path: str
    line: int
    word: str
    target: str
    source: str
    is_gap: bool
    at: int
    """Line in the corpus file, for the message."""


def read_corpus(path: Path) -> tuple[dict[str, str], list[Claim]]:
    """Return the pretend files of a corpus file, and its claims."""
    files: dict[str, list[str]] = {}
    claims: list[Claim] = []
    current = path.name
    code_line, code = 0, ""
    for at, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        started = FILE.match(line)
        if started:
            current = started[1]
            files[current] = []
            continue
        lines = files.setdefault(current, [])
        lines.append(line)
        claim = CLAIM.match(line)
        if claim:
            column = claim.start(1)
            assert code[column : column + 1].strip(), f"{path.name}:{at}: the caret hits nothing"
            claims.append(
                Claim(current, code_line, claim[3], claim[4], claim[5] or "", bool(claim[2]), at)
            )
        else:
            assert not re.match(r"\s*#\s*\^", line), f"{path.name}:{at}: no claim: {line.strip()}"
            code_line, code = len(lines), line
    return {name: "\n".join(lines) + "\n" for name, lines in files.items()}, claims


def linked(files: dict[str, str], languages: LanguageSet) -> Graph:
    """Return the graph of the pretend files."""
    facts = []
    for name, text in files.items():
        language = languages.of_path(name)
        assert language is not None, name
        facts.append(extract(text.encode(), name, language, digest=""))
    return link(facts, languages)


def holds(claim: Claim, graph: Graph) -> bool:
    """Whether the graph bears `claim` out."""
    if claim.word == "defines":
        return any(
            node.path == claim.path
            and node.qualname == claim.target
            and node.start_line <= claim.line <= node.end_line
            for node in graph.nodes
        )
    if claim.word == "unresolved":
        return claim.target in around(claim, graph).unresolved_names.split()
    word = claim.word.removesuffix("-not")
    found = any(
        edge.kind is KINDS[word]
        and edge.src.partition(":")[0] == claim.path
        and edge.dst == claim.target
        and claim.line in edge.lines
        and (not claim.source or edge.src == source_id(claim))
        for edge in graph.edges
    )
    return found != claim.word.endswith("-not")


def source_id(claim: Claim) -> str:
    """Return the id of the symbol that `from` names; `module` stands for the file."""
    return claim.path if claim.source == "module" else f"{claim.path}:{claim.source}"


def around(claim: Claim, graph: Graph) -> Node:
    """Return the innermost symbol around the claim's line."""
    nodes = [
        node
        for node in graph.nodes
        if node.path == claim.path and node.start_line <= claim.line <= node.end_line
    ]
    return min(nodes, key=lambda node: (node.end_line - node.start_line, -len(node.id)))


def corpus_files() -> list[Path]:
    """Return the corpus files of every language."""
    folders = sorted(
        path for path in HERE.iterdir() if path.is_dir() and path.name != "__pycache__"
    )
    return [path for folder in folders for path in sorted(folder.glob("*.*"))]


@pytest.mark.parametrize("path", corpus_files(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_graph_says_what_the_source_claims(path: Path) -> None:
    files, claims = read_corpus(path)
    assert claims, "a corpus file without claims proves nothing"
    graph = linked(files, LanguageSet.load())
    wrong = [claim for claim in claims if holds(claim, graph) == claim.is_gap]
    assert not wrong, "\n".join(
        f"{path.name}:{claim.at}: {'gap closed: ' if claim.is_gap else ''}{claim.word}: {claim.target}"
        for claim in wrong
    )
