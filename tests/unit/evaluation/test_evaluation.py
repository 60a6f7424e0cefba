"""Evaluation on a real repository with a real history: tasks, metrics, conditions, tables."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hindsight_neo4j import Hindsight
from hindsight_neo4j.errors import SettingsError, SourceError
from hindsight_neo4j.evaluation import CONDITIONS, Task, read_tasks, report, write_charts
from hindsight_neo4j.evaluation.metric import difference, score
from hindsight_neo4j.evaluation.task import task_of

BASE = {
    "shop/db.py": """class Store:
    def put(self, key, value):
        self.records[key] = value

    def get(self, key):
        def find():
            return self.records[key]

        return find()
""",
    "shop/main.py": """from shop.db import Store


def run(argument):
    Store().put("last", argument)
""",
    "tests/test_db.py": """from shop.db import Store


def test_put():
    Store().put("a", 1)
""",
}


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@t", "-C", folder, *arguments],
        check=True,
        capture_output=True,
    )


def commit(folder: Path, message: str, **replaced: tuple[str, str, str]) -> None:
    for path, old, new in replaced.values():
        file = folder / path
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))
    git(folder, "commit", "-qam", message)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hindsight]:
    """A repository indexed at its first commit, with five more after it."""
    root = tmp_path_factory.mktemp("shop")
    for path, text in BASE.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-qm", "start")
    git(root, "tag", "base")
    with Hindsight.of_repository(root, index=tmp_path_factory.mktemp("index")) as client:
        client.ingest(root)
        commit(
            root,
            "Refuse an empty key\n\nSigned-off-by: A <a@b>",
            one=("shop/db.py", "self.records[key] = value", "self.records[str(key)] = value"),
        )
        commit(root, "Find more", one=("shop/db.py", "return find()", "return find() or None"))
        commit(root, "Run twice", one=("shop/main.py", '"last"', '"first"'))
        commit(root, "Test more", one=("tests/test_db.py", "1", "2"))
        yield client


@pytest.fixture
def root(shop: Hindsight) -> Path:
    return shop._start


def test_commits_whose_files_are_as_indexed_become_tasks(shop: Hindsight, root: Path) -> None:
    tasks = list(shop.tasks_from_git(root, base="base", to="main"))
    assert [(task.question, sorted(task.gold["function"])) for task in tasks] == [
        ("Run twice", ["shop/main.py:run"]),
        ("Refuse an empty key", ["shop/db.py:Store.put"]),
    ]
    assert tasks[1].gold["module"] == {"shop/db.py:Store"}


@pytest.mark.parametrize("name", ["--all", "nothing", "; true", "-n1"])
def test_a_commit_that_is_none_is_refused(shop: Hindsight, root: Path, name: str) -> None:
    with pytest.raises(SourceError):
        list(shop.tasks_from_git(root, base="base", to=name))


def test_a_folder_without_a_history_is_refused(shop: Hindsight, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="git"):
        list(shop.tasks_from_git(tmp_path, base="base", to="main"))


def test_a_task_says_itself_again(tmp_path: Path) -> None:
    row = {
        "id": "7",
        "question": "why?",
        "gold_files": ["a.py"],
        "gold_modules": ["a.py:f"],
        "gold_functions": ["a.py:f"],
        "intent": "lagging",
    }
    assert task_of(row).to_dict() == row
    short = task_of({"question": "why?", "gold_functions": ["a.py:C.f"]})
    assert short.gold == {"file": {"a.py"}, "module": {"a.py:C"}, "function": {"a.py:C.f"}}


@pytest.mark.parametrize(
    "line",
    ["nonsense", "[]", "{}", '{"question": "x"}', '{"question": 1, "gold_files": ["a"]}',
     '{"question": "x", "gold_files": "a.py"}', '{"question": "x", "gold_files": [7]}'],
)  # fmt: skip
def test_a_line_that_is_no_task_is_named_by_its_number(tmp_path: Path, line: str) -> None:
    file = tmp_path / "tasks.jsonl"
    file.write_text(f'{{"question": "x", "gold_files": ["a"]}}\n\n{line}\n')
    with pytest.raises(SettingsError, match=r"tasks\.jsonl:3"):
        read_tasks(file)


def located(**ranked: list[str]) -> Any:
    grains = ("files", "modules", "functions")
    return SimpleNamespace(
        **{grain: [SimpleNamespace(id=node) for node in ranked.get(grain, [])] for grain in grains}
    )


def test_all_gold_places_must_be_found_and_nested_ones_count_for_the_outer() -> None:
    task = task_of({"question": "x", "gold_functions": ["a.py:f", "b.py:C.g"]})
    found = score(
        task,
        located(
            files=["b.py", "c.py", "d.py", "a.py"],
            modules=["b.py:C.g", "b.py:C", "a.py:f"],
            functions=["a.py:f.inner", "a.py:f~2", "x.py:y", "b.py:C.g"],
        ),
    )
    assert (found["file@1"], found["file any@1"], found["file@3"], found["file@5"]) == (0, 1, 0, 1)
    assert (found["module@5"], found["function@5"]) == (1, 1)
    assert found["function mrr"] == 1.0


def test_a_difference_has_an_interval_around_it_and_is_the_same_every_time() -> None:
    ours, theirs = [1.0] * 30 + [0.0] * 10, [1.0] * 20 + [0.0] * 20
    found = difference(ours, theirs)
    assert (found.mean, found.won, found.lost) == (0.25, 10, 0)
    assert 0.1 < found.low < 0.25 < found.high < 0.5
    assert difference(ours, theirs) == found


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    return [
        task_of({"id": "1", "question": "Store.put loses records", "intent": "lagging",
                 "gold_functions": ["shop/db.py:Store.put"]}),
        task_of({"id": "2", "question": "give run a second argument", "intent": "leading",
                 "gold_functions": ["shop/main.py:run"]}),
    ]  # fmt: skip


def test_every_condition_answers_and_the_tables_hold_them(
    shop: Hindsight, tasks: list[Task]
) -> None:
    conditions = [each for each in CONDITIONS.values() if not each.needs_vectors]
    outcomes = shop.evaluate(tasks, conditions)
    assert len(outcomes) == len(tasks) * len(conditions)
    text = report(outcomes)
    for condition in conditions:
        assert f"| {condition.name} |" in text
    assert "**intent: leading** (1)" in text
    assert "minus bm25" in text
    ours = [each for each in outcomes if each.condition == "ours"]
    assert all(each.scores["function@5"] == 1.0 for each in ours)


def test_a_part_left_out_is_really_left_out(shop: Hindsight, tasks: list[Task]) -> None:
    def stages(name: str) -> set[str]:
        (outcome,) = shop.evaluate(tasks[:1], [CONDITIONS[name]])
        return {step.what for step in outcome.located.steps}

    assert "step/out" in stages("ours")
    assert "step/out" not in stages("no graph")
    assert "lookup/symbols_named" in stages("ours")
    assert "lookup/symbols_named" not in stages("no symbol index")


def test_charts_are_drawn(shop: Hindsight, tasks: list[Task], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    outcomes = shop.evaluate(tasks, [CONDITIONS["bm25"], CONDITIONS["ours"]])
    files = write_charts(outcomes, tmp_path / "charts")
    assert len(files) == 4
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in files)


NAMESAKES = {
    "caller.py": "from near import start\n\n\ndef main(thing):\n    start()\n    thing.put()\n",
    "near.py": "def start():\n    return 1\n\n\nclass Near:\n    def put(self):\n        return 2\n",
    "far.py": "class Far:\n    def put(self):\n        return 3\n",
}


def ways(root: Path, files: dict[str, str], question: str) -> dict[str, list[tuple[str, bool]]]:
    """Return how each function was reached that LocAgent's walk reaches: kind and direction of each edge."""
    for name, text in files.items():
        (root / name).write_text(text)
    with Hindsight.of_repository(root) as client:
        client.ingest()
        task = task_of({"question": question, "gold_files": ["any"]})
        (outcome,) = client.evaluate([task], [CONDITIONS["locagent-like"]])
    return {
        each.id: [(str(hop.kind), hop.forward) for hop in each.hops]
        for each in outcome.located.functions
        if each.hops
    }


def test_locagents_graph_leads_to_all_namesakes_that_are_imported(tmp_path: Path) -> None:
    reached = ways(tmp_path, NAMESAKES, "`main` fails")
    assert reached["near.py:Near.put"] == [("INVOKES", True)]
    assert "far.py:Far.put" not in reached


def test_locagents_graph_is_walked_against_calls_and_two_rounds_far(tmp_path: Path) -> None:
    files = {
        "a.py": "def one():\n    pass\n",
        "b.py": "import a\n\n\ndef two():\n    a.one()\n",
        "c.py": "import b\n\n\ndef three():\n    b.two()\n",
        "d.py": "import c\n\n\ndef four():\n    c.three()\n",
    }
    reached = ways(tmp_path, files, "`one` fails")
    assert reached["b.py:two"] == [("INVOKES", False)]
    assert reached["c.py:three"] == [("INVOKES", False)] * 2
    assert "d.py:four" not in reached
