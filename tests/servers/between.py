"""What can stand between a client and a server, and go wrong there: a gate that shuts, a page of a proxy, a busy server, TLS."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from servers.process import need

PIECE = 65_536


class Gate:
    """A port that leads to a server, until it is shut: then all connections end, and new ones are refused."""

    def __init__(self, target: str) -> None:
        split = urlsplit(target)
        self._target = (split.hostname or "", split.port or 0)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.uri = f"{split.scheme}://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open = True
        self._passed = 0
        self._shut_after = 0
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def shut(self) -> None:
        """End all connections, and refuse new ones."""
        self._open = False
        for pair in self._pairs:
            for end in pair:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
        self._pairs.clear()

    def shut_after(self, sent: int) -> None:
        """Shut once so many more bytes have gone to the server."""
        self._shut_after = self._passed + sent

    def open(self) -> None:
        """Lead to the server again."""
        self._shut_after = 0
        self._open = True

    def _listen(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if not self._open:
                near.close()
                continue
            far = socket.create_connection(self._target)
            self._pairs.append((near, far))
            threading.Thread(target=self._pass, args=(near, far, True), daemon=True).start()
            threading.Thread(target=self._pass, args=(far, near, False), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, to_server: bool) -> None:
        with suppress(OSError):
            while data := source.recv(PIECE):
                if to_server:
                    self._passed += len(data)
                    if self._shut_after and self._passed > self._shut_after:
                        self.shut()
                        return
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.close()

    def close(self) -> None:
        """Listen no more."""
        self.shut()
        self._listener.close()


Answer = Callable[[str, str, bytes], "tuple[int, dict[str, str], bytes] | None"]
"""From method, path and body of a request to status, headers and body; None: what the server itself says."""


@contextmanager
def speaking_http(answer: Answer, target: str = "") -> Iterator[str]:
    """Answer HTTP as `answer` says, else as the server at `target` does; yield the address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            said = answer(self.command, self.path, body)
            status, headers, data = said or _passed_on(target, self, body)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _serve

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def _passed_on(
    target: str, asked: BaseHTTPRequestHandler, body: bytes
) -> tuple[int, dict[str, str], bytes]:
    headers = {
        name: value
        for name, value in asked.headers.items()
        if name.lower() in ("authorization", "content-type", "accept")
    }
    request = urllib.request.Request(
        target + asked.path, data=body or None, headers=headers, method=asked.command
    )
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, _kept(response.headers), response.read()
    except urllib.error.HTTPError as error:
        return error.code, _kept(error.headers), error.read()


def _kept(headers: object) -> dict[str, str]:
    return {
        name: value
        for name, value in headers.items()  # type: ignore[attr-defined]
        if name.lower() in ("content-type", "x-elastic-product")
    }


def half_refused(target: str, auth: str) -> Answer:
    """Return answers of a server that is too busy for every second document of the first bulk."""
    refused = []

    def answer(method: str, path: str, body: bytes) -> tuple[int, dict[str, str], bytes] | None:
        if not path.startswith("/_bulk") or refused:
            return None
        lines = body.splitlines()
        pairs = list(zip(lines[::2], lines[1::2], strict=True))
        taken = b"".join(b"\n".join(pair) + b"\n" for pair in pairs[::2])
        request = urllib.request.Request(f"{target}{path}", data=taken, method="PUT")
        request.add_header("Content-Type", "application/x-ndjson")
        request.add_header("Authorization", auth)
        with urllib.request.urlopen(request) as response:
            done = json.load(response)
        items = iter(done["items"])
        busy = {
            "status": 429,
            "error": {"type": "es_rejected_execution_exception", "reason": "busy"},
        }
        refused.extend(pairs[1::2])
        done["items"] = [
            next(items) if number % 2 == 0 else {"index": busy} for number in range(len(pairs))
        ]
        done["errors"] = True
        headers = {"Content-Type": "application/json", "X-Elastic-Product": "Elasticsearch"}
        return 200, headers, json.dumps(done).encode()

    return answer


def certificate(folder: Path) -> Path:
    """Make a key and a certificate for this machine that nobody else trusts, and return the file that holds both."""
    need("openssl")
    key, file = folder / "key.pem", folder / "certificate.pem"
    asked = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(
        ["openssl", *asked.split(), *names, "-keyout", key, "-out", file],
        check=True,
        capture_output=True,
    )
    file.write_text(file.read_text() + key.read_text())
    return file


@contextmanager
def encrypted(target: str, certificate: Path) -> Iterator[str]:
    """Put TLS before a server that has none, as proxies do; yield the host and the port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    split = urlsplit(target)

    async def passed(source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(PIECE):
                to.write(data)
                await to.drain()
        to.close()

    async def connected(near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        far, to_far = await asyncio.open_connection(split.hostname, split.port)
        await asyncio.gather(passed(near, to_far), passed(far, to_near))

    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda *_: None)  # a handshake that fails is what is tested
    server = loop.run_until_complete(asyncio.start_server(connected, "127.0.0.1", 0, ssl=context))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        server.close()
        loop.close()
