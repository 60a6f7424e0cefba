"""`hindsight distill`: tasks in, lessons out, a training set from them."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
TASK = {
    "id": "1",
    "repo": "a/shop",
    "question": "KeyError: who refuses empty keys in `check`?",
    "gold_files": ["shop/store.py"],
    "gold_functions": ["shop/store.py:check"],
}


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    other = {**TASK, "id": "2", "gold_files": ["shop/nowhere.py"]}
    file = tmp_path / "tasks.jsonl"
    file.write_text(json.dumps(TASK) + "\n\n" + json.dumps(other) + "\n")
    return file


def test_from_tasks_to_a_training_set(cli: Cli, shop: Path, tasks: Path, tmp_path: Path) -> None:
    ran = cli("distill", "traces", tasks, "--repo", shop, "--files", "5", "--functions", "10")
    assert ran.code == 0
    assert ran.err.strip() == "2 tasks: 1 files not found, 1 kept"
    (line,) = ran.out.splitlines()
    (tmp_path / "lessons.jsonl").write_text(line + "\n")
    done = cli("distill", "export", tmp_path / "lessons.jsonl", "-o", tmp_path / "set", "--json")
    assert done.code == 0
    assert json.loads(done.out)["train"] == 1
    assert (
        "1 for training"
        in cli("distill", "export", tmp_path / "lessons.jsonl", "-o", tmp_path / "set").out
    )
    (row,) = map(json.loads, (tmp_path / "set" / "train.jsonl").open())
    assert row["repository"] == "a/shop"


@pytest.mark.parametrize(
    "line", ["{", "[]", "{}", '{"question": "x"}', '{"question": 7, "gold_files": ["a"]}']
)
def test_a_line_that_is_no_task_is_named(cli: Cli, shop: Path, tmp_path: Path, line: str) -> None:
    (tmp_path / "bad.jsonl").write_text(json.dumps(TASK) + "\n" + line + "\n")
    ran = cli("distill", "traces", tmp_path / "bad.jsonl", "--repo", shop)
    assert ran.code == 2
    assert "bad.jsonl:2" in ran.err
    assert ran.out == ""


def test_of_an_evaluation_set_nothing_is_exported(
    cli: Cli, shop: Path, tasks: Path, tmp_path: Path
) -> None:
    lessons = cli(
        "distill", "traces", tasks, "--repo", shop, "--files", "5", "--functions", "10"
    ).out
    (tmp_path / "lessons.jsonl").write_text(lessons)
    ran = cli(
        "distill",
        "export",
        tmp_path / "lessons.jsonl",
        "-o",
        tmp_path / "set",
        "--evaluation",
        tasks,
    )
    assert ran.code == 1
    assert "of an evaluation repository" in ran.err


@pytest.mark.skipif(
    find_spec("datasets") is not None, reason="the extra finetune is installed here"
)
def test_training_without_its_libraries_says_how_to_get_them(cli: Cli, tmp_path: Path) -> None:
    ran = cli("distill", "train", tmp_path, "--base", "any/model")
    assert ran.code == 2
    assert "hindsight-neo4j[finetune]" in ran.err
