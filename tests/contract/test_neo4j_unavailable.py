"""What a Neo4j that cannot be used says: one line, with a hint, and never the password."""

from __future__ import annotations

import pytest
from servers.neo4j_server import Server
from servers.process import free_port

from hindsight_neo4j.errors import SettingsError, StoreUnavailable
from hindsight_neo4j.model.server import GraphServer
from hindsight_neo4j.model.template import Template
from hindsight_neo4j.stores.neo4j import Neo4jGraph

ONE = Template("user/one", "", (), (), "", "", "RETURN 1 AS one")


def refusal(uri: str, auth: tuple[str, str] | None = None, database: str | None = None) -> str:
    with pytest.raises(StoreUnavailable) as caught:
        Neo4jGraph(GraphServer(uri, *(auth or (None, None)), database)).run(ONE, {})
    assert "\n" not in str(caught.value)
    assert caught.value.hint
    return str(caught.value)


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_nobody_answers(scheme: str) -> None:
    uri = f"{scheme}://127.0.0.1:{free_port()}"
    said = refusal(uri, ("neo4j", "secret-word"))
    assert f"no graph at {uri}" in said
    assert "refused" in said


def test_an_address_without_a_port_that_can_be() -> None:
    assert "no graph at" in refusal("bolt://x:y")


@pytest.mark.parametrize(
    "uri", ["http://127.0.0.1:7474", "nonsense", "", "bolt", "bolt://", "BOLT//x"]
)
def test_an_address_that_is_none(uri: str) -> None:
    with pytest.raises(SettingsError, match="bolt://localhost:7687"):
        Neo4jGraph(GraphServer(uri))


def test_a_password_in_the_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(SettingsError) as caught:
        Neo4jGraph(GraphServer("bolt://neo4j:secret-word@127.0.0.1"))
    assert "secret-word" not in str(caught.value)


@pytest.mark.server
def test_a_wrong_password_is_not_repeated(neo4j_server: Server) -> None:
    message = refusal(neo4j_server.uri, ("neo4j", "secret-word"))
    assert "password" in message
    assert "secret-word" not in message


@pytest.mark.server
def test_no_password_where_one_is_asked_for(neo4j_server: Server) -> None:
    assert "password" in refusal(neo4j_server.uri)


@pytest.mark.server
def test_a_database_that_is_not_there(neo4j_server: Server) -> None:
    assert "nosuch" in refusal(neo4j_server.uri, neo4j_server.auth, "nosuch")
