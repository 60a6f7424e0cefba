"""Fixtures that every room's tests may ask for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from servers.flask_source import SourceMissing, flask_source
from servers.neo4j_server import Server, ServerMissing, running


@pytest.fixture(scope="session")
def neo4j_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A real Neo4j, started once per run. Without Java the tests skip, and on CI they fail."""
    try:
        with running(tmp_path_factory.mktemp("neo4j")) as server:
            yield server
    except ServerMissing as missing:
        lacking(f"no Neo4j here, so nothing about it was tested: {missing}")


@pytest.fixture(scope="session")
def flask() -> Path:
    """The source of flask 3.0.3. Not to be written to. Without a network the tests skip, and on CI they fail."""
    try:
        return flask_source()
    except SourceMissing as missing:
        lacking(f"no flask here, so nothing was tested on it: {missing}")


def lacking(reason: str) -> NoReturn:
    """Skip what this machine cannot test; on CI fail, so that no promise goes untested unseen."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
