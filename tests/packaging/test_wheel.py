"""The wheel works by itself: outside the checkout, with the network cut, and it says so when a grammar is broken."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SOURCE = Path(__file__).resolve().parents[2] / "hindsight_neo4j"
"""Our own source: real code, and always here."""

SOURCES = {
    "shop/store.py": "def put(key):\n    return check(key)\n\n\ndef check(key):\n    return key\n",
    "shop/api.py": "from shop.store import put\n\n\ndef save(key):\n    return put(key)\n",
    "shop/__init__.py": "",
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name, text in SOURCES.items():
        path = tmp_path / "repository" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "repository"


def call(
    words: list[str | Path], environment: dict[str, str], where: Path
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        env=environment,
        cwd=where,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def test_the_wheel_carries_the_data_rooms_and_its_licence(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "hindsight_neo4j/_cypher/lookup/callers.cypher" in names
    assert "hindsight_neo4j/_ingest/languages/python.toml" in names
    assert "hindsight_neo4j/_prompts/answer.toml" in names
    assert "hindsight_neo4j/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not any(name.startswith(("tests/", "docs/", "benchmarks/")) for name in names)


def test_it_takes_in_and_answers_without_a_network(
    installed: Path, offline: list[str], elsewhere: dict[str, str], repository: Path
) -> None:
    taken = call([*offline, installed / "hindsight-ingest", "."], elsewhere, repository)
    assert taken.returncode == 0, taken.stderr
    assert "3 files" in taken.stdout or "files" in taken.stdout

    callers = call([*offline, installed / "hindsight", "callers", "put"], elsewhere, repository)
    assert callers.returncode == 0, callers.stderr
    assert "shop/api.py:5" in callers.stdout

    asked = call(
        [*offline, installed / "hindsight", "ask", "who checks the key?"], elsewhere, repository
    )
    assert asked.returncode == 0, asked.stderr
    assert "shop/store.py" in asked.stdout

    listed = call([*offline, installed / "hindsight", "templates"], elsewhere, repository)
    assert listed.returncode == 0, listed.stderr
    assert "lookup/callers" in listed.stdout


def test_the_compiled_wheel_makes_the_same_graph(
    installed: Path, compiled: Path, elsewhere: dict[str, str], tmp_path: Path
) -> None:
    exports = []
    for scripts in (installed, compiled):
        index = tmp_path / f"index-{len(exports)}"
        taken = call(
            [scripts / "hindsight-ingest", SOURCE, "--index", index],
            elsewhere,
            tmp_path,
        )
        assert taken.returncode == 0, taken.stderr
        exported = call([scripts / "hindsight", "export", "--index", index], elsewhere, tmp_path)
        assert exported.returncode == 0, exported.stderr
        exports.append(exported.stdout)
    assert exports[0]
    assert exports[0] == exports[1]


def test_a_model_without_its_libraries_is_told_how_to_get_them(
    installed: Path, elsewhere: dict[str, str], repository: Path
) -> None:
    assert call([installed / "hindsight-ingest", "."], elsewhere, repository).returncode == 0
    asked = call(
        [installed / "hindsight", "ask", "who checks the key?", "--model", "m"],
        elsewhere,
        repository,
    )
    assert asked.returncode == 2
    assert "pip install 'hindsight-neo4j[models]'" in asked.stderr


def test_both_commands_tell_their_version(
    installed: Path, elsewhere: dict[str, str], tmp_path: Path
) -> None:
    for name in ("hindsight", "hindsight-ingest"):
        assert call([installed / name, "--version"], elsewhere, tmp_path).returncode == 0


def test_a_grammar_that_does_not_load_is_named_and_is_no_success(
    installed: Path, elsewhere: dict[str, str], repository: Path, tmp_path: Path
) -> None:
    """Bug case 13: an index of zero functions must never be called finished."""
    stub = tmp_path / "stub"
    stub.mkdir()
    (stub / "tree_sitter_python.py").write_text("raise ImportError('no such file')\n")
    broken = {**elsewhere, "PYTHONPATH": str(stub)}
    ended = call([installed / "hindsight-ingest", "."], broken, repository)
    assert ended.returncode == 1
    assert ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    assert "tree_sitter_python" in line
    assert "pip install" in line
