"""From one file's source and facts to its chunks, by syntax.

A function or method is a chunk, with its decorators and all that is defined inside it. A class is what is left of its
body without methods and nested classes: header, documentation, attributes. A module is what is left without functions
and classes. Every line that is not blank lies in exactly one chunk, and a chunk is one run of lines, so a class whose
attributes stand in two places has two, the second with `#2` in its id. So has a function that is longer than the cap:
it is cut where a statement begins, and functions inside it become chunks of their own.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from hindsight_neo4j.model.chunk import Chunk
from hindsight_neo4j.model.facts import NONE, FileFacts, Scope
from hindsight_neo4j.model.graph import NodeKind
from hindsight_neo4j.model.numbers import CLASS, FUNCTION, MODULE

_OF_FILE: Final = 0
"""The scope that has what no other has."""

_KINDS: Final = {
    MODULE: NodeKind.FILE.value,
    CLASS: NodeKind.CLASS.value,
    FUNCTION: NodeKind.FUNCTION.value,
}

_REPEAT: Final = re.compile(r"~\d+")


@dataclass(frozen=True, slots=True)
class ChunkCap:
    """The most that one chunk holds. A single line may have more bytes."""

    lines: int
    bytes: int


class _Run(NamedTuple):
    """Lines `first` to `last` (1-based, inclusive) that belong to the scope `owner`."""

    owner: int
    first: int
    last: int


def chunk(source: bytes, facts: FileFacts, *, is_test: bool, cap: ChunkCap) -> list[Chunk]:
    """Return the chunks of a file in line order.

    Args:
        source: The UTF-8 source that `facts` were made from.
        facts: What the file says.
        is_test: Whether the file is test code.
        cap: Where long chunks are cut.
    """
    text = _Text(source)
    owners = _owners(facts, text, cap)
    pieces = [
        piece
        for run in _joined(_runs(owners), facts, text)
        for piece in _cut(run, facts.statement_lines, text, cap)
    ]
    seen: Counter[int] = Counter()
    chunks = []
    for piece in pieces:
        seen[piece.owner] += 1
        chunks.append(_chunk(piece, seen[piece.owner], facts, text, is_test))
    return chunks


class _Text:
    """Source by lines, 1-based."""

    def __init__(self, source: bytes) -> None:
        self.lines = source.split(b"\n")
        self._ends = [0]
        end = 0
        for line in self.lines:
            end += len(line) + 1
            self._ends.append(end)

    def size(self, first: int, last: int) -> int:
        """Return the bytes of lines `first` to `last`."""
        return self._ends[last] - self._ends[first - 1]

    def fitting(self, first: int, size: int) -> int:
        """Return the last line so that `first` to it have at most `size` bytes, at least `first` itself."""
        return max(first, bisect_right(self._ends, self._ends[first - 1] + size) - 1)

    def slice(self, first: int, last: int) -> str:
        """Return the text of lines `first` to `last`."""
        return b"\n".join(self.lines[first - 1 : last]).decode("utf-8", "replace")

    def is_blank(self, line: int) -> bool:
        """Whether nothing but white space stands on `line`."""
        raw = self.lines[line - 1].strip()
        return not raw or (not raw.isascii() and not raw.decode("utf-8", "replace").strip())

    def trimmed(self, run: _Run) -> _Run | None:
        """Return `run` without blank lines at its ends, None when nothing is left."""
        first, last = run.first, run.last
        while first <= last and self.is_blank(first):
            first += 1
        while last > first and self.is_blank(last):
            last -= 1
        return _Run(run.owner, first, last) if first <= last else None


def _owners(facts: FileFacts, text: _Text, cap: ChunkCap) -> list[int]:
    """Return for each line (from index 1) the innermost scope that has a chunk of its own."""
    count = len(text.lines)
    owners = [_OF_FILE] * (count + 1)
    whole = [False] * len(facts.scopes)  # whether what is inside the scope stays in its chunk
    for index, scope in enumerate(facts.scopes):
        if scope.parent != NONE and whole[scope.parent]:
            whole[index] = True
            continue
        kind = scope.kind
        if kind != CLASS and kind != FUNCTION:
            continue
        first, last = scope.start_line, min(scope.end_line, count)
        owners[first : last + 1] = [index] * (last + 1 - first)
        if kind == FUNCTION:
            whole[index] = last - first < cap.lines and text.size(first, last) <= cap.bytes
    return owners


def _runs(owners: list[int]) -> Iterator[_Run]:
    first = 1
    for line in range(2, len(owners) + 1):
        if line == len(owners) or owners[line] != owners[first]:
            yield _Run(owners[first], first, line - 1)
            first = line


def _joined(runs: Iterator[_Run], facts: FileFacts, text: _Text) -> list[_Run]:
    """Return runs without the blank ones; where no statement begins, as in a comment, one joins the run after it."""
    joined: list[_Run] = []
    waiting: _Run | None = None
    for run in filter(None, map(text.trimmed, runs)):
        if waiting:
            run = _Run(run.owner, waiting.first, run.last)
        waiting = None
        if _has_statement(run, facts.statement_lines):
            joined.append(run)
        else:
            waiting = run
    if waiting and joined:
        joined[-1] = _Run(joined[-1].owner, joined[-1].first, waiting.last)
    elif waiting:
        joined.append(waiting)
    return joined


def _has_statement(run: _Run, statement_lines: tuple[int, ...]) -> bool:
    index = bisect_left(statement_lines, run.first)
    return index < len(statement_lines) and statement_lines[index] <= run.last


def _cut(run: _Run, statement_lines: tuple[int, ...], text: _Text, cap: ChunkCap) -> Iterator[_Run]:
    """Yield pieces of `run` within the cap, cut before a statement where there is one to cut at."""
    first = run.first
    while first <= run.last:
        last = min(first + cap.lines - 1, text.fitting(first, cap.bytes), run.last)
        if last < run.last:
            border = statement_lines[bisect_right(statement_lines, last + 1) - 1 :][:1]
            if border and first < border[0] <= last + 1:
                last = border[0] - 1
        piece = text.trimmed(_Run(run.owner, first, last))
        if piece:
            yield piece
        first = last + 1


def _chunk(piece: _Run, number: int, facts: FileFacts, text: _Text, is_test: bool) -> Chunk:
    scope = facts.scopes[piece.owner]
    is_first = number == 1
    symbol = f"{facts.path}:{scope.qualname}" if scope.qualname else facts.path
    return Chunk(
        id=symbol if is_first else f"{symbol}#{number}",
        symbol=symbol,
        path=facts.path,
        kind=_KINDS[scope.kind],
        name=_name(scope, facts.path),
        signature=scope.signature if is_first else "",
        doc=scope.doc if is_first else "",
        start_line=piece.first,
        end_line=piece.last,
        is_test=is_test,
        text=text.slice(piece.first, piece.last),
    )


def _name(scope: Scope, path: str) -> str:
    """Return the qualified name, so that a search for a method hits its class's name too; a module's is its file's."""
    if not scope.qualname:
        return path.rpartition("/")[2]
    return _REPEAT.sub("", scope.qualname) if "~" in scope.qualname else scope.qualname
