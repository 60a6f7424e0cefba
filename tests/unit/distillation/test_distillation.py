"""Distillation: what is kept and why not, what is taken out, and that the form is that of a chat with tool calls."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_neo4j import Hindsight
from hindsight_neo4j.distillation import Gold, Lesson, Ranks, export, found_at, read_lessons
from hindsight_neo4j.distillation.lesson import TOOLS, Call
from hindsight_neo4j.distillation.sieve import Known, redact
from hindsight_neo4j.errors import SettingsError, SourceError
from hindsight_neo4j.retrieval.budget import count_tokens

Cli = Callable[..., Any]


def lesson(question: str, repository: str = "a/one", result: str = "def f(): ...") -> Lesson:
    call = Call("retrieve_entity", {"names": ["a.py:f"]}, result)
    return Lesson(question[:8], repository, question, (call,), "`f` [a.py:1-2]", "offline")


QUESTIONS = [
    "why is the cache never emptied",
    "add a flag that prints colours",
    "KeyError when the config file is missing",
    "support reading bytes from standard input",
    "the retry loop waits twice as long as told",
]


def exported(
    folder: Path, lessons: list[Lesson], evaluation: list[dict[str, Any]] | None = None, **more: Any
) -> Any:
    files = []
    if evaluation is not None:
        file = folder.parent / "evaluation.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in evaluation))
        files = [file]
    return export(lessons, folder, count=count_tokens, evaluation=files, **more)


@pytest.mark.parametrize(
    ("most", "ranked", "gold", "found"),
    [
        (1, ["a"], ["a"], True),
        (1, ["b", "a"], ["a"], False),
        (1, ["a", "c"], ["a", "b"], True),
        (2, ["a", "c"], ["a", "b"], False),
        (5, ["a"], [], True),
        (5, [], ["a"], False),
    ],
)
def test_the_rule_of_acc_at_k(most: int, ranked: list[str], gold: list[str], found: bool) -> None:
    assert found_at(most, ranked, gold) is found


def test_a_lesson_is_a_chat_with_tool_calls_and_can_be_read_back() -> None:
    made = lesson(QUESTIONS[0])
    row = made.to_dict()
    assert [each["role"] for each in row["messages"]] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    asked, told = row["messages"][2:4]
    assert asked["tool_calls"][0]["id"] == told["tool_call_id"]
    assert json.loads(asked["tool_calls"][0]["function"]["arguments"]) == {"names": ["a.py:f"]}
    assert asked["tool_calls"][0]["function"]["name"] in {t["function"]["name"] for t in TOOLS}
    assert Lesson.from_dict(json.loads(json.dumps(row))) == made


def test_repositories_are_on_one_side_only_and_everything_is_counted(tmp_path: Path) -> None:
    lessons = [
        lesson(question.replace(" ", f"{number} "), f"a/repository{number}")
        for number in range(8)
        for question in QUESTIONS
    ]
    done = exported(tmp_path / "out", lessons, [])
    rows = {
        part: [json.loads(line) for line in (tmp_path / f"out/{part}.jsonl").open()]
        for part in ("train", "validation")
    }
    sides = [{row["repository"] for row in part} for part in rows.values()]
    assert sides[0].isdisjoint(sides[1])
    assert all(sides)
    assert (len(rows["train"]), len(rows["validation"])) == (done.train, done.validation)
    assert done.train + done.validation + sum(done.left_out.values()) == len(lessons)
    assert json.loads((tmp_path / "out/counts.json").read_text()) == done.to_dict()
    assert "lessons for training" in (tmp_path / "out/README.md").read_text()


def test_one_repository_alone_is_for_training(tmp_path: Path) -> None:
    done = exported(tmp_path / "out", [lesson(question) for question in QUESTIONS])
    assert (done.train, done.validation) == (5, 0)


def test_nothing_of_an_evaluation_set_or_like_it_is_kept(tmp_path: Path) -> None:
    lessons = [
        lesson(QUESTIONS[0], "fork-owner/Measured_Project"),
        lesson(QUESTIONS[1] + " please"),
        lesson(QUESTIONS[2]),
    ]
    measured = [
        {"repo": "owner/measured-project", "question": "something else entirely"},
        {"repo": "x/y", "question": QUESTIONS[1].upper()},
    ]
    done = exported(tmp_path / "out", lessons, measured)
    assert done.train == 1
    assert done.left_out == {"like an evaluation question": 1, "of an evaluation repository": 1}


def test_copies_and_long_lessons_are_left_out(tmp_path: Path) -> None:
    lessons = [
        lesson(QUESTIONS[0]),
        lesson(QUESTIONS[0].title() + "?"),
        lesson(QUESTIONS[1], result="word " * 2_000),
    ]
    done = exported(tmp_path / "out", lessons, most_tokens=1_000)
    assert done.train == 1
    assert done.left_out == {"like a lesson before it": 1, "too long": 1}


def test_an_export_of_nothing_says_why(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="1 too long"):
        exported(tmp_path / "out", [lesson(QUESTIONS[0])], most_tokens=1)
    assert not (tmp_path / "out").exists()


def test_a_new_export_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    exported(tmp_path / "out", [lesson(question) for question in QUESTIONS])
    exported(tmp_path / "out", [lesson(QUESTIONS[0])])
    assert len((tmp_path / "out/train.jsonl").read_text().splitlines()) == 1
    assert not list((tmp_path / "out").glob("*.part"))


SECRETS = [
    "AKIA" + "ABCDEFGHIJKLMNOP",
    "ghp_" + "a1B2" * 9,
    "github_pat_" + "a1B2" * 9,
    "glpat-" + "a1B2" * 5,
    "sk-" + "proj-" + "a1B2" * 9,
    "xoxb-" + "1234567890-abcdef",
    "hf_" + "abcdEFGH" * 5,
    "eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxMjM0In0" + ".abcdefghijklmnop",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\nMIIEow and it never ends",
    "jane.doe@example.org",
]


@pytest.mark.parametrize("secret", SECRETS, ids=lambda secret: secret[:12])
def test_secrets_are_taken_out_everywhere(secret: str, tmp_path: Path) -> None:
    made = lesson(f"{QUESTIONS[0]} with {secret}", result=f"TOKEN = {secret!r}\nnext = 1\n{secret}")
    made = replace(made, answer=f"it is {secret}")
    exported(tmp_path / "out", [made])
    written = (tmp_path / "out/train.jsonl").read_text()
    assert secret not in written
    assert secret.split("\n")[0] not in written


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('password = "hunter2hunter2"', 'password = "<password>"'),
        ('{"api_key": "0123456789abcdef"}', '{"api_key": "<password>"}'),
        ("url = postgres://admin:s3cretpw@db/x", "url = postgres://<password>@db/x"),
        ("password = get_password()", "password = get_password()"),
        ('secret = "{from_environment}"', 'secret = "{from_environment}"'),
        ("@property\ndef token(self): ...", "@property\ndef token(self): ..."),
        ("sk-learn and skip-this-one", "sk-learn and skip-this-one"),
    ],
)
def test_what_is_no_secret_stays(text: str, left: str) -> None:
    assert redact(text)[0] == left


@given(st.text(max_size=300))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once, _ = redact(text)
    assert redact(once)[0] == once


@given(
    st.lists(st.text(alphabet="abc ", max_size=20), max_size=12),
    st.text(alphabet="abc ", max_size=20),
)
def test_likeness_is_found_as_by_looking_at_all(known: list[str], question: str) -> None:
    def words(text: str) -> set[str]:
        return {word for word in text.split() if len(word) > 1}

    like = any(
        len(words(question) & words(each)) > 0.6 * len(words(question) | words(each))
        for each in known
        if words(each) | words(question)
    )
    assert Known(known).has_like(question) is like


@pytest.mark.parametrize(
    "line", ["{", "[]", "{}", '{"messages": []}', '{"messages": [1, 2, 3], "id": 1}']
)
def test_a_line_that_is_no_lesson_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "bad.jsonl").write_text(line + "\n")
    with pytest.raises(SettingsError, match=r"bad\.jsonl:1"):
        list(read_lessons([tmp_path / "bad.jsonl"]))


SOURCES = {
    "store.py": "def check(key):\n    if not key:\n        raise KeyError(key)\n",
    "api.py": "from store import check\n\n\ndef save(key):\n    check(key)\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("shop")
    for name, text in SOURCES.items():
        (root / name).write_text(text)
    with Hindsight.of_repository(root) as client:
        client.ingest()
    return root


def test_the_offline_teacher_really_runs_its_steps(shop: Path) -> None:
    gold = Gold(("store.py",), ("store.py:check",), ("store.py:check",))
    with Hindsight.open(shop) as client:
        made, why = client.lesson(
            "who raises KeyError in `check`?", gold, id_="1", repository="a/b"
        )
    assert made is not None, why
    assert [call.tool for call in made.calls] == [
        "search_entity",
        "traverse_graph",
        "retrieve_entity",
    ]
    assert "Function store.py:check" in made.calls[0].result
    assert "raise KeyError(key)" in made.calls[2].result
    assert made.answer.splitlines()[0] == "`check` [store.py:1-3]"


def test_a_run_that_misses_the_places_is_no_lesson(shop: Path) -> None:
    gold = Gold(("other.py",), (), ())
    with Hindsight.open(shop) as client:
        assert client.lesson("who raises KeyError?", gold) == (None, "files not found")
        gold = Gold(("store.py",), (), ("api.py:save",))
        assert client.lesson("check", gold, ranks=Ranks(functions=1)) == (
            None,
            "functions not found",
        )
