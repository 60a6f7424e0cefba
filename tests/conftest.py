"""Fixtures that every room's tests may ask for."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from servers import compose, elasticsearch_server, neo4j_server
from servers.flask_source import SourceMissing, flask_source
from servers.model_server import ModelMissing, running_model
from servers.process import START_S, ServerMissing, lacking

for variable in [
    name
    for name in os.environ
    if name.startswith(("HINDSIGHT_GRAPH", "HINDSIGHT_TEXT", "HINDSIGHT_MODEL", "HINDSIGHT_DENSE"))
]:
    del os.environ[variable]  # a developer's own servers are no business of a test
os.environ["HINDSIGHT_CONFIG"] = os.devnull
# Tests that run in a shell's background inherit an ignored Ctrl-C, and so would the commands that they interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

RUNNING = "HINDSIGHT_TEST_"
"""Servers that run already: HINDSIGHT_TEST_NEO4J="bolt://… user password http://…/browser/", and so on."""


@pytest.fixture(scope="session")
def docker_compose_command() -> str:
    return compose.command()


@pytest.fixture(scope="session")
def docker_compose_file() -> str:
    os.environ.update(compose.SETTINGS)
    return str(compose.FILE)


@pytest.fixture(scope="session")
def docker_setup() -> list[str]:
    return ["up -d"]


@pytest.fixture(scope="session", name="neo4j_server")
def start_neo4j(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[neo4j_server.Server]:
    """A real Neo4j, started once per run: one that runs already, that of docker/compose.yaml, or from jars.

    Without any of them the tests skip, and on CI they fail.
    """
    if said := os.environ.get(f"{RUNNING}NEO4J"):
        uri, user, password, browser = said.split()
        yield neo4j_server.Server(uri, (user, password), browser)
    elif compose.has_images():
        host, services = (request.getfixturevalue(f"docker_{one}") for one in ("ip", "services"))
        bolt, http = (services.port_for("neo4j", port) for port in (7687, 7474))
        server = compose.neo4j_server(host, bolt, http)
        services.wait_until_responsive(lambda: neo4j_server.is_ready(server), START_S, 1)
        yield server
    else:
        try:
            # Little memory, so that a transaction can be too large in a test.
            home = tmp_path_factory.mktemp("neo4j")
            with neo4j_server.running(home, "db.memory.transaction.max=32m") as server:
                yield server
        except ServerMissing as missing:
            lacking(f"no Neo4j here, so nothing about it was tested: {missing}")


@pytest.fixture(scope="session", name="elasticsearch_server")
def start_elasticsearch(
    request: pytest.FixtureRequest,
) -> Iterator[elasticsearch_server.Server]:
    """A real Elasticsearch, started once per run, as `neo4j_server` is."""
    if said := os.environ.get(f"{RUNNING}ELASTICSEARCH"):
        uri, user, password = said.split()
        yield elasticsearch_server.Server(uri, (user, password))
    elif compose.has_images():
        host, services = (request.getfixturevalue(f"docker_{one}") for one in ("ip", "services"))
        server = compose.elasticsearch_server(host, services.port_for("elasticsearch", 9200))
        services.wait_until_responsive(lambda: elasticsearch_server.is_ready(server), START_S, 1)
        yield server
    else:
        try:
            with elasticsearch_server.running() as server:
                yield server
        except ServerMissing as missing:
            lacking(f"no Elasticsearch here, so nothing about it was tested: {missing}")


@pytest.fixture(scope="session")
def flask() -> Path:
    """The source of flask 3.0.3. Not to be written to. Without a network the tests skip, and on CI they fail."""
    try:
        return flask_source()
    except SourceMissing as missing:
        lacking(f"no flask here, so nothing was tested on it: {missing}")


@pytest.fixture(scope="session")
def model_url() -> Iterator[str]:
    """The address of a real small language model, started once per run."""
    try:
        with running_model() as url:
            yield url
    except ModelMissing as missing:
        lacking(f"no language model here, so none was asked: {missing}")
