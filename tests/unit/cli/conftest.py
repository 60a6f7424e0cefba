"""Runs commands in this process, as the console scripts do, with the streams that a person would see."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from shop_repository import SOURCES, write

from hindsight_neo4j.cli.app import hindsight
from hindsight_neo4j.cli.outcome import run
from hindsight_neo4j.client import Hindsight


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Return a function that runs `hindsight` with arguments."""
    monkeypatch.setenv("COLUMNS", "100")

    def call(*arguments: str | Path) -> Ran:
        capsys.readouterr()
        code = run(hindsight, [str(one) for one in arguments], name="hindsight")
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return call


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small repository with its index. Tests only read it."""
    root = tmp_path_factory.mktemp("shop")
    write(root, SOURCES)
    with Hindsight.of_repository(root) as client:
        client.ingest()
    return root


@pytest.fixture
def own_shop(shop: Path, tmp_path: Path) -> Path:
    """A copy of the shop with its index: what is answered is kept in it."""
    return shutil.copytree(shop, tmp_path / "own")
