"""`hindsight settings`: each value that a run would use, who said so, and no secret."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from hindsight_neo4j.connections import SECRETS, Connections, variable
from hindsight_neo4j.model.exchange import ModelOptions
from hindsight_neo4j.model.server import GraphServer, TextServer
from hindsight_neo4j.settings import IngestOptions

Cli = Callable[..., Any]
SECRET = "never-to-be-seen"


def shown(cli: Cli, *arguments: str | Path) -> dict[str, tuple[str, str]]:
    ran = cli("settings", "--json", *arguments)
    assert ran.code == 0, ran.err
    return {one["name"]: (one["value"], one["origin"]) for one in json.loads(ran.out)["settings"]}


def test_without_any_setting_each_has_its_default(
    cli: Cli, own_shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(own_shop)
    found = shown(cli)
    assert {origin for name, (_, origin) in found.items() if name != "config"} == {"default"}
    assert Path(found["index"][0]).resolve() == own_shop / ".hindsight"
    assert found["graph.address"][0] == found["text.address"][0] == "local"
    assert found["text.verify"][0] == "True"


def test_what_is_shown_is_what_is_used(cli: Cli) -> None:
    found = shown(cli)
    used = Connections.load({"model.name": "some"}).model
    assert used is not None
    assert found["model.url"][0] == used.base_url
    for name in ("temperature", "seed", "timeout_s", "retries", "max_output_tokens", "shaping"):
        assert found[f"model.{name}"][0] == str(getattr(used, name)), name
    options = IngestOptions.load()
    for section, of in {"graph": GraphServer, "text": TextServer, "model": ModelOptions}.items():
        for field in fields(of):
            assert f"{section}.{field.name}".replace("base_url", "url") in found
    for name in IngestOptions.__slots__:
        assert found[f"ingest.{name}"] == (str(getattr(options, name)), "default")


def test_a_flag_wins_over_a_variable_and_a_variable_over_the_file(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config.toml"
    config.write_text(
        '[graph]\naddress = "bolt://file"\nuser = "ada"\ndatabase = "shop"\n'
        '[text]\naddress = "http://file"\nverify = false\n[model]\nretries = 7\n'
    )
    monkeypatch.setenv("HINDSIGHT_CONFIG", str(config))
    monkeypatch.setenv("HINDSIGHT_GRAPH_USER", "grace")
    monkeypatch.setenv("HINDSIGHT_GRAPH", "bolt://variable")
    found = shown(cli, "--graph", "bolt://flag", "--index", tmp_path / "there", "--snapshot", "s")
    assert found["config"] == (str(config), "HINDSIGHT_CONFIG")
    assert found["index"] == (str(tmp_path / "there"), "--index")
    assert found["snapshot"] == ("s", "--snapshot")
    assert found["graph.address"] == ("bolt://flag", "--graph")
    assert found["graph.user"] == ("grace", "HINDSIGHT_GRAPH_USER")
    assert found["graph.database"] == ("shop", str(config))
    assert found["text.address"] == ("http://file", str(config))
    assert found["text.verify"] == ("False", str(config))
    assert found["model.retries"] == ("7", str(config))
    assert shown(cli, "--config", config)["config"] == (str(config), "--config")
    assert shown(cli, "--graph", "local")["graph.address"] == ("local", "--graph")


@pytest.mark.parametrize("name", sorted(SECRETS))
@pytest.mark.parametrize("place", ["variable", "variable of a file", "file of the user's file"])
def test_a_secret_is_named_and_never_shown(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, place: str
) -> None:
    holder = tmp_path / "secret"
    holder.write_text(f"{SECRET}\n")
    config = tmp_path / "config.toml"
    section, _, key = name.partition(".")
    config.write_text(f'[{section}]\n{key}_file = "secret"\n' if "user" in place else "")
    origin = {
        "variable": variable(name),
        "variable of a file": f"{variable(name)}_FILE",
        "file of the user's file": str(config),
    }[place]
    if "variable" in place:
        monkeypatch.setenv(origin, str(holder) if "file" in place else SECRET)
    assert shown(cli, "--config", config)[name] == ("(set)", origin)
    for flags in ((), ("--json",), ("-v",)):
        ran = cli("settings", "--config", config, *flags)
        assert SECRET not in ran.out + ran.err


def test_who_asks_where_only_a_password_is_given(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HINDSIGHT_GRAPH_PASSWORD", SECRET)
    monkeypatch.setenv("HINDSIGHT_TEXT_PASSWORD", SECRET)
    found = shown(cli)
    assert found["graph.user"] == ("neo4j", "default")
    assert found["text.user"] == ("elastic", "default")


def test_a_password_that_is_asked_for_is_not_asked_for_by_settings(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HINDSIGHT_GRAPH_USER", "ada")
    monkeypatch.setenv("HINDSIGHT_TEXT_USER", "ada")
    monkeypatch.setenv("HINDSIGHT_TEXT_API_KEY", SECRET)
    found = shown(cli, "--graph", "bolt://somewhere", "--text", "http://somewhere")
    assert found["graph.password"] == ("(asked for on a terminal)", "prompt")
    assert found["text.password"] == ("", "default")


def test_the_key_of_openai_is_a_setting_where_the_model_is_there(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    assert shown(cli)["model.api_key"] == ("(set)", "OPENAI_API_KEY")
    monkeypatch.setenv("HINDSIGHT_MODEL_URL", "http://127.0.0.1:8080/v1")
    assert shown(cli)["model.api_key"] == ("", "default")


@pytest.mark.parametrize("command", ["ingest", "ask", "settings"])
def test_no_command_takes_a_secret(cli: Cli, command: str) -> None:
    flags = re.findall(r"--[a-z-]+", cli(command, "--help").out)
    assert "--graph" in flags
    assert [flag for flag in flags if "password" in flag or "key" in flag] == []
