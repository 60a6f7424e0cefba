"""Language files: what they must say, and what is asked of them."""

from pathlib import Path

import pytest

from hindsight_neo4j.errors import LanguageError
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.resources import room

PYTHON_FILE = room("ingest") / "languages" / "python.toml"
PYTHON = LanguageSet.load()["python"]


@pytest.mark.parametrize(
    ("path", "is_test"),
    [
        ("tests/test_a.py", True),
        ("test_a.py", True),
        ("src/pkg/a_test.py", True),
        ("conftest.py", True),
        ("pkg/tests/factories.py", True),
        ("test/a.py", True),
        ("test/data/a.py", True),
        ("framework/test/client.py", False),
        ("framework/test/test_client.py", True),
        ("src/testing/a.py", False),
        ("src/contest.py", False),
        ("src/latest_a.py", False),
        ("src/tests.py", False),
        ("testsuite/a.py", False),
    ],
)
def test_test_code_is_told_by_its_path(path, is_test):
    assert PYTHON.is_test_path(path) is is_test


def test_test_directories_functions_and_classes():
    assert PYTHON.is_test_directory("pkg/tests/data")
    assert not PYTHON.is_test_directory("pkg/testing")
    assert PYTHON.is_test_name("test_a")
    assert not PYTHON.is_test_name("contest")
    assert PYTHON.is_test_class("TestA")
    assert not PYTHON.is_test_class("A")


def test_languages_are_found_by_suffix():
    languages = LanguageSet.load()
    assert languages.of_path("a/b.py") is languages["python"]
    assert languages.of_path("a/b.pyi") is languages["python"]
    assert languages.of_path("a/b.pyc") is None
    assert languages.of_path("py") is None
    assert {".py", ".pyi"} <= languages.suffixes
    assert languages["python"] in list(languages)


def test_stubs_are_told_by_their_suffix():
    assert PYTHON.is_stub("a.pyi")
    assert not PYTHON.is_stub("a.py")


def test_an_unknown_language_is_an_error():
    with pytest.raises(LanguageError, match="klingon"):
        LanguageSet.load()["klingon"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "python"', "name = ", "broken.toml: no valid TOML"),
        ('grammar = "tree_sitter_python"', "", "broken.toml: grammar is missing"),
        (
            'grammar = "tree_sitter_python"',
            "grammar = 1",
            "broken.toml: grammar must be a string",
        ),
        (
            'grammar = "tree_sitter_python"',
            'grammar = ""',
            "broken.toml: grammar must be a string",
        ),
        ('suffixes = [".py", ".pyi"]', 'suffixes = ".py"', "broken.toml: suffixes must be a list"),
        ('directories = ["tests"]', "directories = [1]", "broken.toml: tests.directories"),
        ("[tests]", "speed = 1\n[tests]", "broken.toml: speed is no key"),
        ("[tests]", "[tests]\nspeed = 1", "broken.toml: tests.speed is no key"),
    ],
)
def test_a_wrong_file_is_an_error_with_file_and_key(tmp_path: Path, old, new, message):
    text = PYTHON_FILE.read_text()
    assert old in text
    (tmp_path / "broken.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(LanguageError) as caught:
        LanguageSet.load(tmp_path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bytes_that_are_no_text_are_an_error(tmp_path: Path):
    (tmp_path / "broken.toml").write_bytes(b"\xff\xfe\0")
    with pytest.raises(LanguageError, match=r"broken\.toml"):
        LanguageSet.load(tmp_path)


def test_two_languages_cannot_share_a_suffix(tmp_path: Path):
    text = PYTHON_FILE.read_text()
    (tmp_path / "a.toml").write_text(text)
    (tmp_path / "b.toml").write_text(text.replace('name = "python"', 'name = "other"'))
    with pytest.raises(LanguageError, match=r"\.py belongs to python and to other"):
        LanguageSet.load(tmp_path)
