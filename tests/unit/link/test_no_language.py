"""The engine is one for all languages: no word of a language stands in its code."""

from __future__ import annotations

import ast
from dataclasses import fields
from pathlib import Path

import hindsight_neo4j.link
from hindsight_neo4j.languages.language import LanguageSet

SOURCES = sorted(Path(hindsight_neo4j.link.__file__).parent.glob("*.py"))


def strings(path: Path) -> set[str]:
    """Return the string constants of a source that are no documentation and no name of its own."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__slots__":
            own |= {id(child) for child in ast.walk(node.value)}
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in own
    }


def test_link_spells_out_no_word_of_a_language(languages: LanguageSet) -> None:
    words: set[str] = set()
    for language in languages:
        words |= {language.name, *language.suffixes, *language.package_files}
        for field in fields(language.link):
            words |= set(getattr(language.link, field.name))
    found = {path.name: strings(path) & words for path in SOURCES}
    assert not {name: spoken for name, spoken in found.items() if spoken}
