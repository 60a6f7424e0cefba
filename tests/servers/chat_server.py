"""A chat server that misbehaves on purpose: a real HTTP server on loopback that speaks the protocol, and its faults.

    with serving(status(429, retry_after=1), says("fine")) as server:
        ...  # server.url is the base URL, server.bodies what was asked

It plays its replies in order and repeats the last one.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]
Play = Callable[[BaseHTTPRequestHandler, Body], None]


@dataclass
class ChatServer:
    """A running server. `bodies` holds each request's JSON, `headers` its headers, in lower case."""

    url: str
    plays: list[Play]
    bodies: list[Body] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next(self, body: Body, headers: dict[str, str]) -> Play:
        """Note a request and return how it is answered."""
        with self.lock:
            play = self.plays[min(len(self.bodies), len(self.plays) - 1)]
            self.bodies.append(body)
            self.headers.append(headers)
        return play


@contextmanager
def serving(*plays: Play) -> Iterator[ChatServer]:
    """Run a server for the length of the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", 0))
            body = json.loads(self.rfile.read(length) or b"{}")
            play = server.next(body, {k.lower(): v for k, v in self.headers.items()})
            with suppress(BrokenPipeError, ConnectionResetError):
                play(self, body)

        def do_GET(self) -> None:
            server.next({"GET": self.path}, dict(self.headers))
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    server = ChatServer(f"http://127.0.0.1:{http.server_address[1]}/v1", list(plays))
    threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()


def send(
    handler: BaseHTTPRequestHandler,
    code: int,
    content: bytes,
    kind: str = "application/json",
    **headers: str,
) -> None:
    """Send one whole response."""
    handler.send_response(code)
    handler.send_header("content-type", kind)
    handler.send_header("content-length", str(len(content)))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(content)


def completion(text: str | None, **more: Any) -> bytes:
    """Return a chat completion as JSON."""
    return json.dumps(
        {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "stub",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "stop",
                    "message": {"role": "assistant", "content": text, **more},
                }
            ],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        }
    ).encode()


def says(text: str | Callable[[Body], str]) -> Play:
    """Answer with `text`, or with what it makes of the request; as a stream where one is asked for."""

    def play(handler: BaseHTTPRequestHandler, body: Body) -> None:
        said = text(body) if callable(text) else text
        if body.get("stream"):
            _stream(handler, [said[:5], said[5:]], whole=True)
        else:
            send(handler, 200, completion(said))

    return play


def status(code: int, message: str = "no", **headers: str) -> Play:
    """Refuse with a status."""
    content = json.dumps({"error": {"message": message, "type": "x", "code": None}}).encode()
    return lambda handler, _: send(handler, code, content, **headers)


def raw(content: bytes, kind: str = "application/json") -> Play:
    """Answer 200 with any bytes."""
    return lambda handler, _: send(handler, 200, content, kind)


def cut(handler: BaseHTTPRequestHandler, body: Body) -> None:
    """Break off in the middle of the reply."""
    if body.get("stream"):
        _stream(handler, ["half of", " a"], whole=False)
    else:
        handler.send_response(200)
        handler.send_header("content-type", "application/json")
        handler.send_header("content-length", "5000")
        handler.end_headers()
        handler.wfile.write(completion("half")[:40])
    handler.close_connection = True


def drips(handler: BaseHTTPRequestHandler, body: Body) -> None:
    """Send a byte at a time, always soon enough that no single wait is long."""
    handler.send_response(200)
    kind = "text/event-stream" if body.get("stream") else "application/json"
    handler.send_header("content-type", kind)
    handler.end_headers()
    for _ in range(600):
        handler.wfile.write(b":" if body.get("stream") else b" ")
        handler.wfile.flush()
        time.sleep(0.05)


def needs(word: str) -> Callable[[Play], Play]:
    """Refuse requests that hold the parameter `word`, as a server does that does not know it."""

    def decorate(play: Play) -> Play:
        def checked(handler: BaseHTTPRequestHandler, body: Body) -> None:
            if word in body:
                status(400, f"{word} is not supported")(handler, body)
            else:
                play(handler, body)

        return checked

    return decorate


def _stream(handler: BaseHTTPRequestHandler, pieces: list[str], *, whole: bool) -> None:
    handler.send_response(200)
    handler.send_header("content-type", "text/event-stream")
    handler.end_headers()
    for piece in pieces:
        _event(handler, {"delta": {"content": piece}, "finish_reason": None})
    if whole:
        _event(handler, {"delta": {}, "finish_reason": "stop"})
        handler.wfile.write(b"data: [DONE]\n\n")


def _event(handler: BaseHTTPRequestHandler, choice: dict[str, Any]) -> None:
    event = {
        "id": "1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "stub",
        "choices": [{"index": 0, **choice}],
    }
    handler.wfile.write(b"data: " + json.dumps(event).encode() + b"\n\n")
    handler.wfile.flush()
