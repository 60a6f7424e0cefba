"""What `ask` and `locate` print, for people and for programs."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shop_repository import SOURCES, on_terminal, write

from hindsight_neo4j import Hindsight
from hindsight_neo4j.model.question import IN_FITTING_FILE, Intent

Cli = Callable[..., Any]
QUESTION = "what breaks if I change Store.put?"


def test_an_answer_shows_what_was_understood_where_and_the_way_there(cli: Cli, shop: Path) -> None:
    ran = cli("ask", QUESTION, "--repo", shop)
    assert ran.code == 0
    assert ran.out.startswith("leading")
    assert "shop/store.py" in ran.out
    assert "Store.put" in ran.out
    assert "is called by delete_blueprint  shop/api.py:11" in ran.out
    assert "Not resolved: 1 call" in ran.out
    assert "mystery" in ran.out


def test_a_question_how_shows_what_is_called_and_not_what_only_lies_beside(
    cli: Cli, shop: Path
) -> None:
    called = cli("ask", "how does deletion of a blueprint work?", "--repo", shop)
    assert "└─ calls save" in called.out
    beside = cli("ask", "what is refused when empty?", "--repo", shop)
    assert "check" in beside.out
    assert "Base" not in beside.out


def test_what_lies_in_a_fitting_file_and_nothing_else_speaks_for_is_ranked_and_not_shown(
    cli: Cli, tmp_path: Path
) -> None:
    far = "\n\ndef far():\n    return 1\n\n\ndef near(key):\n    delete_blueprint(key)\n"
    last = "# of no value\n"  # what comes last has a score of 0, and is not shown
    api = SOURCES["shop/api.py"] + far
    write(tmp_path, {**SOURCES, "shop/api.py": api, "shop/last.py": last})
    question = "Raise an error for a value that is empty"
    with Hindsight.of_repository(tmp_path) as opened:
        opened.ingest()
        ranked = opened.locate(question, intent=Intent.LAGGING).functions
    unspoken = [one.name for one in ranked if one.reason == IN_FITTING_FILE and one.score > 0]
    assert "delete_blueprint" in unspoken
    answer = cli("ask", question, "--intent", "lagging", "--repo", tmp_path)
    assert "shop/api.py\n      save " in answer.out
    assert "delete_blueprint" not in answer.out


def test_without_a_model_one_line_says_so_and_the_exit_code_is_0(cli: Cli, shop: Path) -> None:
    ran = cli("ask", QUESTION, "--repo", shop)
    assert ran.code == 0
    assert ran.out.splitlines()[-1].startswith("an answer in prose needs a model")


def test_a_pipe_gets_plain_text_and_nothing_on_stderr(cli: Cli, shop: Path) -> None:
    ran = cli("ask", QUESTION, "--repo", shop)
    assert "\x1b" not in ran.out
    assert ran.err == ""


def test_a_limit_says_how_many_more_there_are(cli: Cli, shop: Path) -> None:
    ran = cli("ask", QUESTION, "--repo", shop, "--limit", "1")
    assert " 1  " in ran.out
    assert " 2  " not in ran.out
    assert "more, --limit " in ran.out


def test_flags_override_the_guess_and_say_so(cli: Cli, shop: Path) -> None:
    ran = cli("ask", QUESTION, "--repo", shop, "--intent", "exploratory", "--scope", "deep")
    assert ran.out.startswith("exploratory · deep  as you said")


def test_parts_of_a_question_are_shown(cli: Cli, shop: Path) -> None:
    question = "Who calls Store.put? And where does check refuse empty keys?"
    assert "part 2" in cli("ask", question, "--repo", shop).out


def test_explain_prints_templates_with_parameters_ready_to_paste(cli: Cli, shop: Path) -> None:
    out = cli("ask", QUESTION, "--repo", shop, "--explain").out
    assert "step/in" in out
    assert ":param snapshot => " in out


def test_the_graph_is_not_walked_when_keywords_alone_are_asked_for(cli: Cli, shop: Path) -> None:
    out = cli("locate", QUESTION, "--repo", shop, "--policy", "bm25", "--explain").out
    assert "step/in" not in out


def test_nothing_found_is_exit_code_1_with_a_reason(cli: Cli, shop: Path) -> None:
    ran = cli("ask", "zzzzqqqq xyzzyx", "--repo", shop)
    assert ran.code == 1
    assert "evidence" in ran.out


LOCATED = {"schema", "question", "snapshot", "policy", "intent", "subquestions", "reason"}
RANKED = {"files", "modules", "classes", "functions"}
ASKED = {"evidence", "budget", "unresolved", "answer", "answer_reason"} | {
    "failed",
    "notes",
    "usage",
}


@pytest.mark.parametrize(
    ("command", "fields"), [("locate", LOCATED | RANKED), ("ask", LOCATED | RANKED | ASKED)]
)
def test_json_is_one_object_with_the_documented_fields(
    cli: Cli, shop: Path, command: str, fields: set[str]
) -> None:
    ran = cli(command, QUESTION, "--repo", shop, "--json")
    said = json.loads(ran.out)
    assert set(said) == fields
    assert said["schema"] == 1
    assert {"label", "scope", "confidence", "probabilities"} <= set(said["intent"])
    assert set(said["functions"][0]) == {"id", "score", "start_line", "end_line"}
    scores = [one["score"] for one in said["functions"]]
    assert scores == sorted(scores, reverse=True)


def test_the_budget_of_evidence_is_kept(cli: Cli, shop: Path) -> None:
    said = json.loads(cli("ask", QUESTION, "--repo", shop, "--json", "--budget", "60").out)
    assert said["budget"]["limit"] == 60
    assert said["budget"]["used"] <= 60
    assert sum(piece["tokens"] for piece in said["evidence"]) <= 60


def test_a_batch_answers_each_line_with_its_id(cli: Cli, shop: Path, tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    rows = [
        {"id": "a", "question": QUESTION, "gold": ["ignored"]},
        {"id": 7, "question": "odd\u2028line 'quoted' \\ \x00 🦊"},
        {"question": "who checks?"},
    ]
    batch.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n\n")
    ran = cli("locate", "--batch", batch, "--repo", shop)
    assert ran.code == 0, ran.err
    said = [json.loads(line) for line in ran.out.rstrip("\n").split("\n")]
    assert [one.get("id") for one in said] == ["a", 7, None]
    single = json.loads(cli("locate", QUESTION, "--repo", shop, "--json").out)
    assert said[0]["files"] == single["files"]


def test_a_batch_can_come_through_a_pipe(
    cli: Cli, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO('{"id": 1, "question": "who\u2028saves?"}\n'))
    ran = cli("ask", "--batch", "-", "--repo", shop)
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["id"] == 1


def test_a_terminal_gets_colours_and_lines_that_fit(shop: Path) -> None:
    script = (
        "import sys; from hindsight_neo4j.cli import main;"
        f"sys.argv = ['hindsight', 'ask', {QUESTION!r}, '--repo', {str(shop)!r}]; main()"
    )
    out = on_terminal([sys.executable, "-c", script], COLUMNS="50", TERM="xterm-256color")
    assert "\x1b[" in out
    lines = re.sub(r"\x1b\[[0-9;]*m", "", out).splitlines()
    assert max(len(line) for line in lines) <= 50
    assert any(line.endswith("…") for line in lines)
