"""Limits, cache and usage, by counting the requests that a real server sees."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import msgspec
import pytest
from langchain_core.language_models import FakeListChatModel
from servers.chat_server import Body, ChatServer, completion, raw, says, serving, status

from hindsight_neo4j.errors import BadReply, ModelUnavailable, SettingsError, SpendExceeded
from hindsight_neo4j.model.exchange import (
    Message,
    ModelOptions,
    Request,
    Role,
    SpendLimit,
    Usage,
)
from hindsight_neo4j.models.ledger import Ledger
from hindsight_neo4j.models.talk import Talk


class Plan(msgspec.Struct, forbid_unknown_fields=True):
    intent: str


def hello(text: str = "hello") -> Request:
    return Request((Message(Role.USER, text),))


def count(text: str) -> int:
    return len(text.split())


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with serving(says("hi")) as running:
        yield running


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "models.sqlite") as opened:
        yield opened


def talk(
    server: ChatServer,
    ledger: Ledger | None = None,
    *,
    limit: SpendLimit | None = None,
    version: str = "shop@1",
    **more: object,
) -> Talk:
    options = ModelOptions("stub", server.url, retries=0, max_output_tokens=50, **more)  # type: ignore[arg-type]
    return Talk.to(options, version=version, count=count, ledger=ledger, limit=limit)


def test_a_callers_own_model_is_heard_while_it_writes() -> None:
    heard: list[str] = []
    theirs = FakeListChatModel(responses=["hello"])
    reply = Talk.to(theirs, version="1", count=len).ask(
        Request((Message(Role.USER, "hi"),)), heard.append
    )
    assert reply.text == "hello"
    assert heard == ["h", "he", "hel", "hell", "hello"]


def test_a_question_asked_twice_is_sent_once(server: ChatServer, ledger: Ledger) -> None:
    first, second = talk(server, ledger), talk(server, ledger)
    assert first.ask(hello()) == second.ask(hello())
    assert len(server.bodies) == 1
    assert (first.usage.calls, second.usage.calls, second.usage.cached) == (1, 0, 1)


def test_anything_a_reply_depends_on_makes_another_question(
    server: ChatServer, ledger: Ledger
) -> None:
    talk(server, ledger).ask(hello())
    talk(server, ledger, version="shop@2").ask(hello())
    talk(server, ledger, temperature=0.5).ask(hello())
    talk(server, ledger, seed=7).ask(hello())
    talk(server, ledger).ask(hello("goodbye"))
    assert len(server.bodies) == 5
    talk(server, ledger, api_key="another").ask(hello())
    talk(server, ledger, timeout_s=5.0).ask(hello())
    assert len(server.bodies) == 5


def test_a_failed_call_is_not_kept(ledger: Ledger) -> None:
    with serving(status(500), says("hi")) as server:
        with pytest.raises(ModelUnavailable):
            talk(server, ledger).ask(hello())
        assert talk(server, ledger).ask(hello()).text == "hi"
    assert len(server.bodies) == 2


def test_a_limit_on_tokens_stops_before_the_call(server: ChatServer) -> None:
    speaker = talk(server, limit=SpendLimit(tokens=180))
    speaker.ask(hello())  # the server counts 110
    with pytest.raises(SpendExceeded, match="110 used"):
        speaker.ask(hello("one " * 30))
    assert len(server.bodies) == 1


def test_calls_under_way_count_against_the_limit() -> None:
    refused = threading.Event()

    def play(handler: BaseHTTPRequestHandler, body: Body) -> None:
        assert refused.wait(20)
        says("hi")(handler, body)

    with serving(play) as server, ThreadPoolExecutor(1) as pool:
        one = talk(server, limit=SpendLimit(tokens=100))
        first = pool.submit(one.ask, hello())
        while not server.bodies:
            assert not first.done()
        with pytest.raises(SpendExceeded):
            one.ask(hello("again"))
        refused.set()
        assert first.result().text == "hi"
        assert len(server.bodies) == 1


def test_a_limit_on_cost_stops_before_the_call_and_needs_prices(server: ChatServer) -> None:
    with pytest.raises(SettingsError, match="prices"):
        talk(server, limit=SpendLimit(cost=1.0))
    prices = {"price_in": 1_000.0, "price_out": 10_000.0}
    speaker = talk(server, limit=SpendLimit(cost=0.75), **prices)
    speaker.ask(hello())
    assert speaker.usage.cost == pytest.approx(0.2)
    speaker.ask(hello("again"))
    with pytest.raises(SpendExceeded, match="cost"):
        speaker.ask(hello("once more"))
    assert len(server.bodies) == 2


def test_what_was_taken_is_summed_by_model_over_all_runs(
    server: ChatServer, ledger: Ledger
) -> None:
    for _ in range(3):
        talk(server, ledger, price_in=1.0, price_out=2.0).ask(hello())
    talk(server, ledger, price_in=1.0, price_out=2.0).ask(hello("more"))
    (spent,) = ledger.spent().values()
    assert spent == Usage(2, 2, 200, 20, pytest.approx(0.00024))


def test_a_ledger_that_is_no_database_is_begun_anew(tmp_path: Path, server: ChatServer) -> None:
    file = tmp_path / "models.sqlite"
    file.write_bytes(b"not a database, but long enough to be taken for one" * 100)
    with Ledger(file) as ledger:
        talk(server, ledger).ask(hello())
        assert ledger.spent()["stub"].calls == 1


def test_nothing_spent_makes_no_file(tmp_path: Path) -> None:
    assert Ledger(tmp_path / "models.sqlite").spent() == {}
    assert list(tmp_path.iterdir()) == []


def test_a_reply_of_the_wrong_shape_is_sent_back_once_with_the_reason() -> None:
    with serving(says("who knows"), says('{"intent": "leading"}')) as server:
        assert talk(server).ask_shaped(hello(), Plan).intent == "leading"
    again = server.bodies[1]["messages"]
    assert [each["role"] for each in again] == ["user", "assistant", "user"]
    assert "no JSON object" in again[-1]["content"]


def test_two_replies_of_the_wrong_shape_are_the_end() -> None:
    with serving(says('{"intent": 1}')) as server, pytest.raises(BadReply, match="Expected `str`"):
        talk(server).ask_shaped(hello(), Plan)
    assert len(server.bodies) == 2


def test_a_reply_that_came_to_no_end_is_not_asked_for_again() -> None:
    body = json.loads(completion('{"intent": "and so on'))
    body["choices"][0]["finish_reason"] = "length"
    with (
        serving(raw(json.dumps(body).encode())) as server,
        pytest.raises(BadReply, match="no end within 50 tokens"),
    ):
        talk(server).ask_shaped(hello(), Plan)
    assert len(server.bodies) == 1


def test_any_chat_model_of_langchain_can_be_handed_in(ledger: Ledger) -> None:
    theirs = FakeListChatModel(responses=['Sure: {"intent": "lagging"}', ""])
    speaker = Talk.to(theirs, version="shop@1", count=count, ledger=ledger)
    assert speaker.ask_shaped(hello(), Plan).intent == "lagging"
    assert speaker.usage.prompt_tokens > 0
    with pytest.raises(BadReply):
        speaker.ask(hello("more"))


def test_what_is_no_chat_model_is_refused() -> None:
    with pytest.raises(SettingsError, match="str is no chat model"):
        Talk.to("gpt", version="shop@1", count=count)  # type: ignore[arg-type]
