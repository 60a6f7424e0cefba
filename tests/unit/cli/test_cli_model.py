"""`ask` with a model: flags, what is printed, exit codes, and that nothing is sent unless a model is set."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from servers.chat_server import Body, ChatServer, says, serving, status

Cli = Callable[..., Any]
QUESTION = "who refuses empty keys?"


def reply(body: Body) -> str:
    """Plan, step or answer, as is asked for."""
    shape = body.get("response_format", {}).get("json_schema", {}).get("name")
    if shape == "plan":
        return '{"intent": "lagging", "scope": "deep", "sub_questions": ["empty keys"]}'
    if shape == "action":
        return '{"action": "finish", "names": ["shop/store.py:check"], "direction": "out"}'
    return "`check` refuses empty keys [shop/store.py:23-26]. It is \x1b[2J old."


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with serving(says(reply)) as running:
        yield running


@pytest.fixture
def ask(cli: Cli, own_shop: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Ask with the model that the environment names."""
    monkeypatch.setenv("HINDSIGHT_MODEL", "stub")
    monkeypatch.setenv("HINDSIGHT_MODEL_URL", server.url)
    monkeypatch.setenv("HINDSIGHT_MODEL_RETRIES", "0")
    return lambda *more: cli("ask", QUESTION, "--repo", own_shop, *more)


def test_the_answer_comes_first_with_its_places_and_what_is_unsupported(ask: Cli) -> None:
    ran = ask()
    lines = ran.out.splitlines()
    assert ran.code == 0
    assert lines[0] == "`check` refuses empty keys [shop/store.py:23-26]."
    assert lines[1] == r"It is \x1b[2J old.  unsupported"
    assert "by stub, checked against what it was given" in lines[2]
    assert "2 calls, 200 tokens read and 20 written" in ran.out
    assert "as the model says" in ran.out


def test_a_terminal_shows_an_answer_while_it_comes(
    ask: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet = ask()
    monkeypatch.setenv("FORCE_COLOR", "1")
    again = ask()
    assert quiet.err == ""
    assert "`check` refuses empty keys" in again.err
    assert "\x1b[2J" not in again.err
    assert ask("--quiet").err == ""
    assert ask("--json").err == ""


def test_json_holds_the_answer_and_what_it_took(ask: Cli) -> None:
    printed = json.loads(ask("--json").out)
    assert printed["answer"]["found"] is True
    assert printed["answer"]["citations"] == [
        {"path": "shop/store.py", "start_line": 23, "end_line": 26}
    ]
    assert [each["supported"] for each in printed["answer"]["sentences"]] == [True, False]
    assert printed["usage"]["calls"] == 2
    assert (printed["failed"], printed["notes"]) == (False, [])


def test_a_model_that_fails_is_exit_code_5_with_the_evidence(cli: Cli, own_shop: Path) -> None:
    with serving(status(401)) as server:
        flags = ("--repo", own_shop, "--model", "stub", "--model-url", server.url)
        ran = cli("ask", QUESTION, *flags)
        printed = json.loads(cli("ask", QUESTION, *flags, "--json").out)
    assert ran.code == 5
    assert "shop/store.py" in ran.out
    assert "the model gave no answer" in ran.out
    assert "HINDSIGHT_MODEL_API_KEY" in ran.out
    assert printed["answer"] is None
    assert printed["failed"] is True
    assert printed["evidence"]


def test_a_batch_answers_each_question_and_fails_as_a_whole(
    cli: Cli, own_shop: Path, tmp_path: Path
) -> None:
    batch = tmp_path / "questions.jsonl"
    batch.write_text('{"id": 1, "question": "who refuses?"}\n{"id": 2, "question": "who saves?"}\n')
    with serving(says(reply), says(reply), status(401)) as server:
        ran = cli(
            "ask", "--batch", batch, "--repo", own_shop, "--model", "s", "--model-url", server.url
        )
    first, second = map(json.loads, ran.out.splitlines())
    assert ran.code == 5
    assert (first["id"], first["failed"]) == (1, False)
    assert (second["id"], second["failed"]) == (2, True)


def test_without_a_model_or_offline_nothing_is_sent(
    cli: Cli, ask: Cli, own_shop: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ask("--mode", "offline").code == 0
    monkeypatch.delenv("HINDSIGHT_MODEL")
    ran = cli("ask", QUESTION, "--repo", own_shop)
    assert ran.out.splitlines()[-1].endswith("no model is set")
    assert server.bodies == []


def test_a_mode_without_a_model_is_a_usage_error(cli: Cli, own_shop: Path) -> None:
    ran = cli("ask", QUESTION, "--repo", own_shop, "--mode", "agent")
    assert ran.code == 2
    assert "HINDSIGHT_MODEL" in ran.err


def test_an_address_without_a_name_is_a_usage_error(cli: Cli, own_shop: Path) -> None:
    ran = cli("ask", QUESTION, "--repo", own_shop, "--model-url", "http://127.0.0.1:9/v1")
    assert (ran.code, "give --model" in ran.err) == (2, True)


def test_a_dry_run_says_how_much_and_where_to_and_sends_nothing(
    ask: Cli, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = ask("--dry-run")
    assert "at most 2 calls" in ran.out
    assert server.url in ran.out
    monkeypatch.setenv("HINDSIGHT_MODEL_PRICE_IN", "1")
    monkeypatch.setenv("HINDSIGHT_MODEL_PRICE_OUT", "2")
    printed = json.loads(ask("--dry-run", "--json").out)
    assert printed["most"]["cost"] > 0
    assert server.bodies == []


def test_limits_stop_before_the_spend(ask: Cli, server: ChatServer) -> None:
    ran = ask("--max-tokens", "5")
    assert ran.code == 5
    assert "--max-tokens" in ran.out
    unpriced = ask("--max-cost", "1")
    assert unpriced.code == 2
    assert "prices" in unpriced.err
    assert server.bodies == []


def test_status_sums_what_the_models_took(ask: Cli, cli: Cli, own_shop: Path) -> None:
    ask()
    ask()
    shown = cli("status", "--repo", own_shop).out
    assert "stub: 2 calls, 2 from the cache, 200 tokens read and 20 written" in shown
    printed = json.loads(cli("status", "--repo", own_shop, "--json").out)
    assert printed["models"]["stub"]["calls"] == 2


def test_each_step_is_traced_as_a_line_of_json(ask: Cli, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    assert ask("--mode", "agent", "--trace", trace).code == 0
    steps = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    assert [step["action"] for step in steps] == ["plan", "finish", "read"]
    assert set(steps[0]) == {"step", "at_ms", "action", "arguments", "said", "tokens"}


def test_a_trace_that_cannot_be_written_is_said_before_anything_is_sent(
    ask: Cli, server: ChatServer, tmp_path: Path
) -> None:
    assert ask("--trace", tmp_path / "no" / "such" / "folder.jsonl").code == 2
    assert server.bodies == []


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("HINDSIGHT_MODEL_URL", "file:///etc/passwd"),
        ("HINDSIGHT_MODEL_URL", "localhost:8080"),
        ("HINDSIGHT_MODEL_TEMPERATURE", "hot"),
        ("HINDSIGHT_MODEL_TIMEOUT_S", "-1"),
        ("HINDSIGHT_MODEL_TIMEOUT_S", "inf"),
        ("HINDSIGHT_MODEL_RETRIES", "1.5"),
        ("HINDSIGHT_MODEL_SHAPING", "magic"),
        ("HINDSIGHT_MODEL_PRICE_IN", "nan"),
        ("HINDSIGHT_MODEL_API_KEY_FILE", "/no/such/file"),
    ],
)
def test_an_impossible_setting_is_named(
    ask: Cli, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    ran = ask()
    assert ran.code == 2
    assert value in ran.err


def test_the_key_is_sent_to_its_host_and_printed_nowhere(
    ask: Cli, server: ChatServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-for-openai-only")
    (tmp_path / "key").write_text("sk-of-a-file\n")
    monkeypatch.setenv("HINDSIGHT_MODEL_API_KEY_FILE", str(tmp_path / "key"))
    ran = ask("-v", "--json")
    assert {each["authorization"] for each in server.headers} == {"Bearer sk-of-a-file"}
    assert "sk-" not in ran.out + ran.err
    monkeypatch.delenv("HINDSIGHT_MODEL_API_KEY_FILE")
    monkeypatch.setenv("HINDSIGHT_MODEL_SEED", "5")
    ask()
    assert "sk-for-openai-only" not in json.dumps(server.headers)


def test_the_users_file_can_name_the_model_and_settings_show_where_to(
    cli: Cli, own_shop: Path, server: ChatServer, tmp_path: Path
) -> None:
    (tmp_path / "key").write_text("sk-of-a-file")
    config = tmp_path / "config.toml"
    config.write_text(
        f'[model]\nname = "stub"\nurl = "{server.url}"\nretries = 0\napi_key_file = "key"\n'
    )
    assert cli("ask", QUESTION, "--repo", own_shop, "--config", config).code == 0
    assert server.headers[0]["authorization"] == "Bearer sk-of-a-file"
    shown = cli("settings", "--config", config).out
    assert server.url in shown
    assert "sk-of" not in shown
    config.write_text('[model]\napi_key = "sk-in-the-open"\n')
    refused = cli("ask", QUESTION, "--repo", own_shop, "--config", config)
    assert (refused.code, "sk-in" in refused.err) == (2, False)


def test_nothing_of_a_model_is_imported_before_one_is_set(own_shop: Path) -> None:
    script = (
        "import sys; from hindsight_neo4j.cli.app import hindsight;"
        "from hindsight_neo4j.cli.outcome import run;"
        "run(hindsight, sys.argv[1:], name='hindsight');"
        "heavy = {'openai', 'langchain_core', 'pydantic', 'httpx2'};"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    for command in ("locate", "ask"):
        ran = subprocess.run(
            [sys.executable, "-c", script, command, QUESTION, "--repo", own_shop],
            capture_output=True,
            text=True,
            check=True,
        )
        assert ran.stderr.strip() == "[]"
