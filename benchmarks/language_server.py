"""A language server as a peer: where does each of our call sites lead, according to it, and what does it cost to ask?

The server is a child process that speaks the Language Server Protocol on its standard streams. All files are opened, and
the definition at every callee's last name is asked for, file by file.
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import psutil  # type: ignore[import-untyped]

from benchmarks.measuring import BenchmarkError

ANSWER_S = 300.0
"""How long a server may take for one file's questions."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a file: line from 1, column from 0 in bytes of UTF-8."""

    path: str
    line: int
    column: int


@dataclass(slots=True)
class LanguageServer:
    """A running server for the files below `root`. Use it as a context manager."""

    command: Sequence[str | Path]
    root: Path
    env: Mapping[str, str]
    cpu_s: float = 0.0
    peak_mb: float = 0.0
    _process: subprocess.Popen[bytes] | None = None
    _answers: dict[int, Any] = field(default_factory=dict)
    _arrived: threading.Condition = field(default_factory=threading.Condition)
    _asked: int = 0

    def __enter__(self) -> LanguageServer:
        self._process = subprocess.Popen(
            self.command,
            cwd=self.root,
            env=self.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        threading.Thread(target=self._listen, daemon=True).start()
        uri = self.root.as_uri()
        self._wait(
            [
                self._ask(
                    "initialize",
                    {
                        "processId": None,
                        "rootUri": uri,
                        "workspaceFolders": [{"uri": uri, "name": self.root.name}],
                        "capabilities": {"workspace": {"configuration": True}},
                    },
                )
            ]
        )
        self._send({"method": "initialized", "params": {}})
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is None:
            return
        self._measure()
        self._process.kill()
        self._process.wait()

    def definitions(self, spots: Iterable[Spot]) -> Mapping[Spot, tuple[tuple[str, int], ...]]:
        """Return the files below the root and the lines (from 1) that each spot leads to."""
        by_path: dict[str, list[Spot]] = {}
        for spot in spots:
            by_path.setdefault(spot.path, []).append(spot)
        for path in by_path:
            self._open(path)
        found: dict[Spot, tuple[tuple[str, int], ...]] = {}
        for path, asked in by_path.items():
            lines = (self.root / path).read_bytes().split(b"\n")
            numbers = [self._ask_definition(spot, lines) for spot in asked]
            for spot, answer in zip(asked, self._wait(numbers), strict=True):
                found[spot] = tuple(self._places(answer))
            self._measure()
        return found

    def _open(self, path: str) -> None:
        text = (self.root / path).read_text(encoding="utf-8", errors="replace")
        document = {
            "uri": (self.root / path).as_uri(),
            "languageId": "python",
            "version": 1,
            "text": text,
        }
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": document}})

    def _ask_definition(self, spot: Spot, lines: Sequence[bytes]) -> int:
        before = lines[spot.line - 1][: spot.column].decode("utf-8", "replace")
        return self._ask(
            "textDocument/definition",
            {
                "textDocument": {"uri": (self.root / spot.path).as_uri()},
                "position": {
                    "line": spot.line - 1,
                    "character": len(before.encode("utf-16-le")) // 2,
                },
            },
        )

    def _places(self, answer: Any) -> Iterable[tuple[str, int]]:
        """Yield the places that a definition answer names: a location, links, or a list of either."""
        for one in answer if isinstance(answer, list) else [answer] if answer else []:
            uri = one.get("targetUri") or one.get("uri")
            place = one.get("targetSelectionRange") or one.get("targetRange") or one.get("range")
            path = Path(unquote(urlsplit(uri).path))
            if path.is_relative_to(self.root):
                yield path.relative_to(self.root).as_posix(), place["start"]["line"] + 1

    # ---------------------------------------------------------------- the protocol

    def _ask(self, method: str, params: Mapping[str, Any]) -> int:
        self._asked += 1
        self._send({"id": self._asked, "method": method, "params": params})
        return self._asked

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def _wait(self, numbers: Sequence[int]) -> list[Any]:
        with self._arrived:
            if not self._arrived.wait_for(
                lambda: all(number in self._answers for number in numbers), ANSWER_S
            ):
                raise BenchmarkError(f"{self.command[0]} did not answer within {ANSWER_S:.0f} s")
            return [self._answers.pop(number) for number in numbers]

    def _listen(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        stream = self._process.stdout
        while header := stream.readline():
            if not header.lower().startswith(b"content-length:"):
                continue
            length = int(header.split(b":")[1])
            while stream.readline().strip():
                pass
            self._hear(json.loads(stream.read(length)))

    def _hear(self, message: Mapping[str, Any]) -> None:
        number = message.get("id")
        if "method" in message:
            if number is not None:  # it wants settings, or to register something
                items = message.get("params", {}).get("items", ())
                self._send({"id": number, "result": [None for _ in items] or None})
            return
        with self._arrived:
            self._answers[int(number or 0)] = message.get("result")
            self._arrived.notify_all()

    def _measure(self) -> None:
        assert self._process is not None
        process = psutil.Process(self._process.pid)
        family = [process, *process.children(recursive=True)]
        times = [one.cpu_times() for one in family]
        self.cpu_s = sum(one.user + one.system for one in times)
        used = sum(one.memory_info().rss for one in family) / 1e6
        self.peak_mb = max(self.peak_mb, used)
