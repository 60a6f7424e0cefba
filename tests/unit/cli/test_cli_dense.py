"""`--dense`: vectors by one flag or one setting, and one line where there are none."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]


def test_a_flag_at_ingest_and_one_at_the_question(cli: Cli, own_shop: Path) -> None:
    assert cli("ingest", own_shop, "--dense").code == 0
    assert "chunks, with vectors of minilm@" in cli("doctor", "--repo", own_shop).out
    ran = cli("locate", "refuse blank input", "--dense", "--repo", own_shop, "--json")
    assert json.loads(ran.out)["functions"][0]["id"] == "shop/store.py:check"
    ran = cli("ask", "refuse blank input", "--dense", "--repo", own_shop, "--explain")
    assert (ran.code, "near" in ran.out) == (0, True)


def test_a_setting_is_as_good_as_a_flag(
    cli: Cli, own_shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config.toml"
    config.write_text("[dense]\nuse = true\n")
    assert cli("ingest", own_shop, "--config", config).code == 0
    ran = cli("locate", "refuse blank input", "--repo", own_shop, "--config", config, "--explain")
    assert (ran.code, "near" in ran.out) == (0, True)
    monkeypatch.setenv("HINDSIGHT_DENSE", "true")
    ran = cli("locate", "refuse blank input", "--repo", own_shop, "--explain")
    assert (ran.code, "near" in ran.out) == (0, True)


def test_an_index_without_vectors_says_what_to_do(cli: Cli, shop: Path) -> None:
    ran = cli("locate", "refuse blank input", "--dense", "--repo", shop)
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert "has no vectors: run hindsight-ingest PATH --dense" in ran.err


def test_without_the_extra_an_ingest_says_what_to_install(
    cli: Cli, own_shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "hindsight_neo4j.embedding.encoder", None)
    monkeypatch.delattr("hindsight_neo4j.embedding.encoder", raising=False)
    ran = cli("ingest", own_shop, "--dense")
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert "pip install 'hindsight-neo4j[dense]'" in ran.err


def test_a_model_that_is_nowhere_is_refused(
    cli: Cli, own_shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HINDSIGHT_DENSE_MODEL", "nobody/nothing")
    ran = cli("ingest", own_shop, "--dense")
    assert (ran.code, "no model 'nobody/nothing'" in ran.err) == (2, True)


def test_every_condition_is_run_where_there_are_vectors(cli: Cli, own_shop: Path) -> None:
    tasks = own_shop / "tasks.jsonl"
    tasks.write_text('{"question": "refuse blank input", "gold_files": ["shop/store.py"]}\n')
    without = cli("eval", "localize", tasks, "--all", "--repo", own_shop)
    assert "| locagent-like |" in without.out
    assert "| dense |" not in without.out
    cli("ingest", own_shop, "--dense")
    assert "| dense |" in cli("eval", "localize", tasks, "--all", "--repo", own_shop).out
    ran = cli("eval", "localize", tasks, "--condition", "ours + dense", "--repo", own_shop)
    assert ran.code == 0
