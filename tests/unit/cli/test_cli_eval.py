"""`hindsight eval`: tasks in, tables or JSON out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    file = tmp_path / "tasks.jsonl"
    rows = [
        {"id": "1", "question": "Store.put forgets", "gold_functions": ["shop/store.py:Store.put"]},
        {"id": "2", "question": "delete a blueprint", "gold_files": ["shop/api.py"]},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def test_a_table_has_a_row_for_each_condition(cli: Cli, shop: Path, tasks: Path) -> None:
    ran = cli("eval", "localize", tasks, "--repo", shop)
    assert ran.code == 0
    assert "**All tasks** (2)" in ran.out
    assert [line.split(" | ")[0] for line in ran.out.splitlines()[4:7]] == [
        "| bm25",
        "| article",
        "| ours",
    ]


def test_json_has_the_predictions_themselves(cli: Cli, shop: Path, tasks: Path) -> None:
    ran = cli("eval", "localize", tasks, "--condition", "ours", "--repo", shop, "--json")
    outcomes = json.loads(ran.out)["outcomes"]
    assert [(one["condition"], one["id"]) for one in outcomes] == [("ours", "1"), ("ours", "2")]
    assert outcomes[0]["scores"]["function@5"] == 1.0
    assert outcomes[0]["prediction"]["functions"]


def test_an_unknown_condition_and_an_empty_file_are_refused(
    cli: Cli, shop: Path, tasks: Path, tmp_path: Path
) -> None:
    ran = cli("eval", "localize", tasks, "--condition", "magic", "--repo", shop)
    assert (ran.code, "no symbol index" in ran.err) == (2, True)
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n")
    assert cli("eval", "localize", empty, "--repo", shop).code == 2


def test_a_repository_without_a_history_makes_no_tasks(
    cli: Cli, shop: Path, tmp_path: Path
) -> None:
    ran = cli("eval", "from-git", tmp_path, "--to", "main", "--repo", shop)
    assert ran.code != 0
    assert "git" in ran.err
