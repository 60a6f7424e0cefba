"""Grammars are loaded when they are needed, and a missing one is said in one line."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hindsight_neo4j.errors import LanguageError
from hindsight_neo4j.extract import extract
from hindsight_neo4j.extract.python.table import VISITS
from hindsight_neo4j.languages import grammar
from hindsight_neo4j.languages.language import LanguageSet

PYTHON = LanguageSet.load()["python"]


def test_a_missing_grammar_is_one_line_with_the_fix():
    language = replace(PYTHON, grammar="tree_sitter_of_nothing")
    with pytest.raises(LanguageError) as caught:
        grammar.parser(language)
    assert "tree_sitter_of_nothing" in caught.value.message
    assert "pip install" in caught.value.hint
    assert "tree-sitter-of-nothing" in caught.value.hint
    assert "\n" not in str(caught.value)


def test_a_grammar_that_raises_is_a_language_error(tmp_path: Path):
    """Known fault 13: a stub in front of the grammar that raises."""
    (tmp_path / "tree_sitter_python.py").write_text("raise ImportError('no wheel\\nhere')\n")
    code = (
        "from hindsight_neo4j.errors import LanguageError\n"
        "from hindsight_neo4j.extract import extract\n"
        "from hindsight_neo4j.languages.language import LanguageSet\n"
        "language = LanguageSet.load()['python']\n"
        "try:\n"
        "    extract(b'x = 1', 'a.py', language, digest='')\n"
        "except LanguageError as error:\n"
        "    print(error)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    (line,) = run.stdout.splitlines()
    assert "tree_sitter_python does not load (no wheel here)" in line
    assert "pip install" in line


def test_an_unknown_extractor_is_a_language_error():
    with pytest.raises(LanguageError, match="nothing"):
        extract(b"", "a.py", replace(PYTHON, extractor="nothing"), digest="")


def test_sources_larger_than_a_chunk_are_parsed_as_if_at_once():
    source = ("é = 'ü'  # äöü\n" * 20_000).encode()
    whole = grammar.parse(grammar.parser(PYTHON), source, seconds=0)
    chunks = grammar.parse(grammar.parser(PYTHON), source, seconds=60)
    assert whole is not None
    assert chunks is not None
    assert str(whole.root_node) == str(chunks.root_node)


def test_every_kind_that_the_table_names_exists_in_the_grammar():
    assert set(VISITS) - set(grammar.kinds(PYTHON).values()) == set()
