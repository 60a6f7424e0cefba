"""The model layer against a real server that misbehaves: what is repeated, what is said, and what never happens."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from servers.chat_server import (
    Body,
    completion,
    cut,
    drips,
    needs,
    raw,
    says,
    send,
    serving,
    status,
)

from hindsight_neo4j.errors import (
    BadReply,
    ContextOverflow,
    ModelError,
    ModelRefused,
    ModelUnavailable,
)
from hindsight_neo4j.model.exchange import OPENAI, Message, ModelOptions, Request, Role, Shaping
from hindsight_neo4j.models.chat import EndpointChat
from hindsight_neo4j.models.endpoint import MOST_CHARACTERS_PER_TOKEN, Endpoint

HELLO = Request((Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "hello")))
SHAPED = Request(HELLO.messages, {"type": "object", "properties": {}}, "plan")


def options(url: str, **more: object) -> ModelOptions:
    return ModelOptions(name="stub", base_url=url, **{"timeout_s": 20.0, "retries": 2, **more})  # type: ignore[arg-type]


def ask(url: str, request: Request = HELLO, **more: object) -> str:
    with Endpoint(options(url, **more)) as endpoint:
        return endpoint.complete(request).text


def test_a_reply_brings_its_words_and_its_tokens() -> None:
    with serving(says("hi")) as server, Endpoint(options(server.url)) as endpoint:
        reply = endpoint.complete(HELLO)
    assert (reply.text, reply.prompt_tokens, reply.completion_tokens) == ("hi", 100, 10)
    assert server.bodies[0]["model"] == "stub"
    assert server.bodies[0]["messages"][0] == {"role": "system", "content": "Be brief."}


def test_429_is_repeated_after_the_time_the_server_asks_for() -> None:
    with serving(
        status(429, retry_after_ms="10"), status(429, retry_after_ms="10"), says("hi")
    ) as server:
        assert ask(server.url) == "hi"
    assert len(server.bodies) == 3


@pytest.mark.parametrize("code", [429, 500, 503])
def test_repeats_end(code: int) -> None:
    with (
        serving(status(code, retry_after_ms="10")) as server,
        pytest.raises(ModelUnavailable, match=str(code)),
    ):
        ask(server.url)
    assert len(server.bodies) == 3


@pytest.mark.parametrize(
    ("play", "error", "says_so"),
    [
        (status(401), ModelRefused, "key"),
        (status(403), ModelRefused, "key"),
        (status(404), ModelRefused, "no model 'stub'"),
        (status(418, "a teapot"), ModelRefused, "a teapot"),
        (status(400, "context_length_exceeded"), ContextOverflow, "so much"),
        (status(400, "the request exceeds the available context size"), ContextOverflow, "so much"),
        (raw(b"<html>Sign in</html>", "text/html"), BadReply, "chat completion"),
        (raw(b"<html>", "application/json"), BadReply, "chat completion"),
        (raw(b'{"cut', "application/json"), BadReply, "chat completion"),
        (raw(b"\xff\xfe\x80", "application/json"), BadReply, "chat completion"),
        (raw(b"[]"), BadReply, "chat completion"),
        (raw(b'"text"'), BadReply, "chat completion"),
        (raw(b"{}"), BadReply, "chat completion"),
        (raw(b'{"choices": []}'), BadReply, "chat completion"),
        (raw(b'{"choices": [1]}'), BadReply, "."),
        (raw(b'{"choices": [{"message": {"content": 7}}]}'), BadReply, "nothing"),
        (raw(completion("")), BadReply, "nothing"),
        (raw(completion(" \n ")), BadReply, "nothing"),
        (raw(completion(None)), BadReply, "nothing"),
    ],
)  # fmt: skip
def test_what_is_no_reply_is_said_in_one_line(
    play: object, error: type[ModelError], says_so: str
) -> None:
    with serving(play) as server, pytest.raises(error, match=says_so) as caught:  # type: ignore[arg-type]
        ask(server.url, retries=0)
    assert "\n" not in caught.value.message
    assert caught.value.exit_code == 5
    assert len(server.bodies) == 1


def test_nobody_listening_is_said_with_the_address() -> None:
    with pytest.raises(ModelUnavailable, match=r"127\.0\.0\.1:9.*cannot be reached"):
        ask("http://127.0.0.1:9/v1", retries=0)


def test_without_a_key_nothing_is_sent_to_openai(monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(*_: object, **__: object) -> None:
        pytest.fail("a connection was made")

    monkeypatch.setattr("socket.getaddrinfo", connect)
    for request in (HELLO, SHAPED):
        with pytest.raises(ModelRefused, match="wants a key"):
            ask(OPENAI, request)


def test_a_reply_that_breaks_off_is_no_reply() -> None:
    with serving(cut) as server, pytest.raises(ModelUnavailable):
        ask(server.url, retries=0)


def test_a_server_that_sends_a_byte_now_and_then_is_left() -> None:
    with serving(drips) as server, pytest.raises(ModelUnavailable, match="within"):
        ask(server.url, retries=0, timeout_s=0.6)


def test_the_way_to_ask_for_json_is_found_once_and_kept() -> None:
    play = needs("response_format")(needs("tools")(says('{"a": 1}')))
    with serving(play) as server, Endpoint(options(server.url)) as endpoint:
        assert endpoint.complete(SHAPED).text == '{"a": 1}'
        assert len(server.bodies) == 3
        endpoint.complete(SHAPED)
        assert len(server.bodies) == 4
    assert "response_format" in server.bodies[0]
    assert server.bodies[1]["tool_choice"]["function"]["name"] == "plan"
    assert not {"response_format", "tools"} & set(server.bodies[3])


def test_a_way_that_was_set_is_the_only_one_tried() -> None:
    with serving(needs("tools")(says("{}"))) as server, pytest.raises(ModelRefused):
        ask(server.url, SHAPED, shaping=Shaping.TOOL)
    assert len(server.bodies) == 1


def test_json_in_a_call_of_the_tool_is_the_reply() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "plan", "arguments": '{"a": 2}'}}
    with serving(raw(completion(None, tool_calls=[call]))) as server:
        assert ask(server.url, SHAPED, shaping=Shaping.TOOL) == '{"a": 2}'


def test_a_redirect_is_not_followed_so_no_other_host_sees_the_question() -> None:
    with serving(says("mine now")) as other:
        moved = lambda handler, _: send(handler, 307, b"", location=other.url + "/chat/completions")  # noqa: E731
        with serving(moved) as server, pytest.raises(ModelRefused, match="not followed"):
            ask(server.url)
        assert other.bodies == []


def test_environment_variables_of_the_library_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with serving(says("hi")) as server:
        assert ask(server.url) == "hi"
    assert "secret" not in json.dumps(server.headers)


def test_a_stream_comes_in_pieces() -> None:
    with serving(says("hello world")) as server, Endpoint(options(server.url)) as endpoint:
        pieces = list(endpoint.stream(HELLO))
    assert len(pieces) == 2
    assert "".join(pieces) == "hello world"


def test_a_stream_that_breaks_off_says_so_after_what_came() -> None:
    got: list[str] = []
    with (
        serving(cut) as server,
        Endpoint(options(server.url)) as endpoint,
        pytest.raises(ModelUnavailable, match="broke off"),
    ):
        got.extend(endpoint.stream(HELLO))
    assert "".join(got) in ("", "half of", "half of a")


def test_a_stream_that_drips_is_left() -> None:
    with (
        serving(drips) as server,
        Endpoint(options(server.url, timeout_s=0.6)) as endpoint,
        pytest.raises(ModelUnavailable, match="within"),
    ):
        list(endpoint.stream(HELLO))


def never_ends(handler: BaseHTTPRequestHandler, _: Body) -> None:
    """Stream one word again and again, and never say that it is the end."""
    choice = {"index": 0, "delta": {"content": "again "}, "finish_reason": None}
    chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "stub"}
    handler.send_response(200)
    handler.send_header("content-type", "text/event-stream")
    handler.end_headers()
    for _again in range(100_000):
        handler.wfile.write(
            b"data: " + json.dumps({**chunk, "choices": [choice]}).encode() + b"\n\n"
        )


def test_a_stream_without_end_is_cut() -> None:
    with (
        serving(never_ends) as server,
        Endpoint(options(server.url, max_output_tokens=8)) as endpoint,
    ):
        got = "".join(endpoint.stream(HELLO))
    assert got.startswith("again")
    assert len(got) <= 8 * MOST_CHARACTERS_PER_TOKEN + len("again ")


def test_a_reply_is_heard_while_it_comes() -> None:
    heard: list[str] = []
    with serving(says("hello world")) as server, Endpoint(options(server.url)) as endpoint:
        reply = endpoint.complete(HELLO, heard.append)
    assert (reply.text, reply.stop) == ("hello world", "stop")
    assert heard[0] == "hello"
    assert heard[-1] == "hello world"


def test_a_server_without_streams_is_heard_at_once() -> None:
    def plain(handler: BaseHTTPRequestHandler, body: Body) -> None:
        says("hello")(handler, {**body, "stream": False})

    heard: list[str] = []
    with serving(plain) as server, Endpoint(options(server.url)) as endpoint:
        assert endpoint.complete(HELLO, heard.append).text == "hello"
    assert heard == ["hello"]


def test_the_chat_model_answers_in_all_four_ways() -> None:
    async def both(chat: EndpointChat) -> tuple[str, str]:
        whole = (await chat.ainvoke("hello")).text
        return str(whole), "".join([str(piece.text) async for piece in chat.astream("hello")])

    with serving(says("hello you")) as server:
        chat = EndpointChat.of(options(server.url))
        assert chat.invoke("hello").text == "hello you"
        assert chat.invoke("hello", stop=[" y"]).text == "hello"
        assert "".join(str(piece.text) for piece in chat.stream("hello")) == "hello you"
        assert asyncio.run(both(chat)) == ("hello you", "hello you")
        chat.close()


def test_in_a_notebook_a_call_runs_beside_the_loop_that_is_there() -> None:
    async def cell(url: str) -> str:
        return ask(url)

    with serving(says("hi")) as server:
        assert asyncio.run(cell(server.url)) == "hi"
    with serving(status(401)) as server, pytest.raises(ModelRefused):
        asyncio.run(cell(server.url))


def test_ctrl_c_ends_a_call_at_once() -> None:
    with serving(drips) as server:
        script = textwrap.dedent(f"""
            from hindsight_neo4j.model.exchange import *
            from hindsight_neo4j.models.endpoint import Endpoint
            print("ready", flush=True)
            try:
                Endpoint(ModelOptions("m", {server.url!r})).complete(
                    Request((Message(Role.USER, "hello"),)))
            except KeyboardInterrupt:
                print("interrupted", flush=True)
        """)
        root = Path(__file__).resolve().parents[3]
        with subprocess.Popen(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=root
        ) as run:
            assert run.stdout is not None
            assert run.stdout.readline() == "ready\n"
            while not server.bodies:
                assert run.poll() is None
            os.kill(run.pid, signal.SIGINT)
            assert run.stdout.readline() == "interrupted\n"


def test_several_threads_ask_at_once() -> None:
    all_there = threading.Barrier(4)

    def play(handler: BaseHTTPRequestHandler, body: Body) -> None:
        all_there.wait(20)
        says("hi")(handler, body)

    with (
        serving(play) as server,
        Endpoint(options(server.url)) as endpoint,
        ThreadPoolExecutor(4) as pool,
    ):
        replies = [each.text for each in pool.map(endpoint.complete, [HELLO] * 4)]
    assert replies == ["hi"] * 4


def test_closing_ends_the_calls_under_way_and_lets_none_begin() -> None:
    with serving(drips) as server, ThreadPoolExecutor(1) as pool:
        endpoint = Endpoint(options(server.url))
        call = pool.submit(endpoint.complete, HELLO)
        while not server.bodies:
            assert not call.done()
        endpoint.close()
        with pytest.raises(ModelUnavailable, match="ended"):
            call.result(5)
        with pytest.raises(ModelUnavailable, match="closed"):
            endpoint.complete(HELLO)


def test_the_key_is_in_no_text_that_we_make() -> None:
    secret = options("http://x/v1", api_key="sk-very-secret")
    assert "very-secret" not in repr(secret)
    assert "very-secret" not in json.dumps(secret.cache_key())
