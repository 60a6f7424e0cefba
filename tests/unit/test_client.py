"""The library's door: what it exports, what it opens, and what it returns."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from pathlib import Path
from pkgutil import iter_modules

import pytest

import hindsight_neo4j
import hindsight_neo4j.cli.text
import hindsight_neo4j.cli.words
from hindsight_neo4j import Hindsight, Intent
from hindsight_neo4j.errors import QuestionError, SourceError, StoreUnavailable, SymbolError


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("repository")
    (root / "store.py").write_text(
        "class Store:\n    def put(self, key):\n        return check(key)\n\n\n"
        "def check(key):\n    return key\n"
    )
    (root / "api.py").write_text(
        "from store import Store\n\n\ndef save(key):\n    Store().put(key)\n"
    )
    with Hindsight.of_repository(root) as client:
        client.ingest()
    return root


def test_the_package_exports_these_names_and_no_others() -> None:
    public = {name for name in vars(hindsight_neo4j) if not name.startswith("_")}
    assert hindsight_neo4j.__all__ == sorted(hindsight_neo4j.__all__)
    assert len(hindsight_neo4j.__all__) <= 12
    for name in hindsight_neo4j.__all__:
        assert getattr(hindsight_neo4j, name) is not None
    assert {"Hindsight", "HindsightError", "Intent", "Lookup"} <= set(hindsight_neo4j.__all__)
    modules = {"annotations", "Any", "TYPE_CHECKING", "import_module"}
    packages = {module.name for module in iter_modules(hindsight_neo4j.__path__)}
    assert public - set(hindsight_neo4j.__all__) <= modules | packages


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        _ = hindsight_neo4j.nothing


def test_asking_the_embedded_index_imports_no_server_driver_and_no_grammar(
    repository: Path,
) -> None:
    script = (
        "import sys; from hindsight_neo4j import Hindsight\n"
        f"with Hindsight.open({str(repository)!r}) as client: client.locate('who puts?')\n"
        "print([m for m in ('neo4j', 'tree_sitter', 'rich', 'hindsight_neo4j.link') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_an_index_is_found_from_a_place_inside_the_repository(repository: Path) -> None:
    (repository / "deep" / "er").mkdir(parents=True, exist_ok=True)
    with Hindsight.open(repository / "deep" / "er") as client:
        assert client.index == repository / ".hindsight"


def test_opening_asks_nothing_of_an_index_that_is_not_made(tmp_path: Path) -> None:
    with Hindsight.open(tmp_path) as client, pytest.raises(StoreUnavailable, match="no index"):
        client.status()
    with pytest.raises(SourceError):
        Hindsight.open(tmp_path / "nowhere")


def test_every_result_turns_into_json(repository: Path) -> None:
    with Hindsight.open(repository) as client:
        results = [
            client.locate("who puts?"),
            client.ask("who puts?", intent=Intent.EXPLORATORY),
            client.callers("Store.put"),
            client.callees("save"),
            client.impact("check"),
            client.tests("check"),
            client.members("Store"),
            client.references("Store"),
            client.path("save", "check"),
            client.status(),
        ]
    for result in results:
        assert json.loads(json.dumps(result.to_dict()))["schema"] == 1


def test_lookups_tell_who_and_where(repository: Path) -> None:
    with Hindsight.open(repository) as client:
        (caller,) = client.callers("Store.put").items
        assert (caller.id, caller.lines) == ("api.py:save", (5,))
        assert client.path("save", "check").items[-1].id == "store.py:check"
        with pytest.raises(SymbolError):
            client.callers("nobody")


def test_a_template_runs_by_its_name_with_the_snapshot_filled_in(repository: Path) -> None:
    with Hindsight.open(repository) as client:
        rows = client.run_template("audit/count_nodes")
        assert {row["kind"]: row["nodes"] for row in rows} == client.status().nodes


def test_an_empty_question_is_refused(repository: Path) -> None:
    with Hindsight.open(repository) as client, pytest.raises(QuestionError):
        client.ask(" ")


def test_closing_twice_is_fine_and_a_later_question_opens_again(repository: Path) -> None:
    client = Hindsight.open(repository)
    assert client.callers("check").items
    client.close()
    client.close()
    assert client.callers("check").items
    client.close()


def test_a_dry_run_counts_the_same_and_writes_nothing(repository: Path, tmp_path: Path) -> None:
    root = tmp_path / "fresh"
    root.mkdir()
    for file in repository.glob("*.py"):
        (root / file.name).write_bytes(file.read_bytes())
    client = Hindsight.of_repository(root)
    counted = client.ingest(dry_run=True)
    assert not client.index.exists()
    written = client.ingest()
    assert (counted.nodes, counted.edges, counted.files) == (
        written.nodes,
        written.edges,
        written.files,
    )


def test_force_reads_everything_again(repository: Path) -> None:
    with Hindsight.of_repository(repository) as client:
        assert client.ingest().unchanged
        again = client.ingest(force=True)
        assert not again.unchanged
        assert again.extracted == again.files


def test_forget_removes_the_index_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f(): return 1\n")
    with Hindsight.of_repository(tmp_path) as client:
        client.ingest()
        client.forget()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.py"]


def test_doctor_finds_a_sound_installation_sound(repository: Path, tmp_path: Path) -> None:
    with Hindsight.open(repository) as client:
        assert all(check.ok for check in client.doctor())
    with Hindsight.open(tmp_path) as client:
        checks = {check.name: check for check in client.doctor()}
        assert checks["grammars"].ok
        assert not checks["index"].ok


@pytest.mark.parametrize(
    "module",
    [hindsight_neo4j.cli.text, hindsight_neo4j.cli.words, sys.modules["hindsight_neo4j.client"]],
    ids=lambda module: module.__name__,
)
def test_examples_in_docstrings_hold(module: object, repository: Path) -> None:
    found = doctest.testmod(module, extraglobs={"repository": repository})  # type: ignore[arg-type]
    assert found.attempted
    assert not found.failed
