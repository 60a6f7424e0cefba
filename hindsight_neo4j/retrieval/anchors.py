"""Anchors: the words of a question that can name a place in code.

    >>> [anchor.text for anchor in find_anchors("why does Store.put call `flush` in app/db.py?")]
    ['Store.put', 'flush', 'app/db.py']

Every rule here takes time linear in the text: words are split first, then looked at one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class AnchorKind(StrEnum):
    """What an anchor looks like."""

    IDENTIFIER = "identifier"
    PATH = "path"
    QUOTED = "quoted"
    FRAME = "frame"


@dataclass(frozen=True, slots=True)
class Anchor:
    """A part of the question that can name code. `text` lies at `start`.

    `name` is what to look up: an identifier without call brackets, a path, or a frame's function ("" where the frame
    names none). `path` is the file of a path or frame.
    """

    kind: AnchorKind
    text: str
    start: int
    name: str
    path: str = ""


_LONGEST_NAME = 200  # no identifier worth looking up is longer; keeps the checks on one word short
_QUOTED = re.compile(
    r"`{1,3}([^`\n]{1,200})`{1,3}|\"([^\"\n]{1,200})\"|(?<!\w)'([^'\n]{1,200})'(?!\w)"
)
_WORD = re.compile(r"[^\s`\"'()\[\]{}<>,;=|*!?]+(?:\(\))?")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_OBJECT = re.compile(
    r"\b(?:chang(?:e|es|ed|ing)|modify|rename|remove|delete|drop|calls?|uses?|imports?|invokes?|overrides?|references?|"
    r"covers?|covering|exercises?|runs?|hits?|checks?|tests?|of|on|to|from|for)"
    r" (?:the )?(?:function |method |class )?([A-Za-z_]\w+)[\s?!.]*$"
    r"|\b(?:is|are) ([A-Za-z_]\w+) tested\b",
    re.IGNORECASE,
)
_FILE_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,5}")
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}")
_PYTHON_FRAME = re.compile(
    r'File "(?P<path>[^"\n]{1,400})", line \d{1,9}(?:, in (?P<function>[\w.<>]{1,200}))?'
)
_TEST_FRAME = re.compile(
    r"(?P<path>[\w./\\-]{1,400}\.\w{1,6}):\d{1,9}:(?: in (?P<function>[\w.]{1,200}))?"
)
_CALLING_FRAME = re.compile(
    r"at (?P<function>[\w.$<>]{1,200}) ?\((?P<path>[^():\n]{1,400}):\d{1,9}[:\d]*\)"
)
_ENDINGS = """
py pyi pyx js jsx mjs cjs ts tsx java go rs c h cc cpp hpp rb php cs kt scala swift
toml cfg ini yaml yml json md rst txt html
"""
_SOURCE_ENDINGS = frozenset(_ENDINGS.split())
"""Endings that make a dotted word a file even without a folder before it (`conftest.py`, not `os.path`)."""

_PLAIN_DOTS = frozenset({"e.g", "i.e", "a.k.a", "etc."})


def find_anchors(text: str) -> tuple[Anchor, ...]:
    """Return the anchors of `text` in order, each name once per kind."""
    found: dict[tuple[AnchorKind, str, str], Anchor] = {}
    for anchor in sorted(_every_anchor(text), key=lambda each: (each.start, -len(each.text))):
        found.setdefault((anchor.kind, anchor.name, anchor.path), anchor)
    return tuple(found.values())


def object_of(question: str) -> tuple[Anchor, ...]:
    """Return the word that a question ends with as an anchor, where it says what is changed, called or tested.

    >>> [anchor.name for anchor in object_of("what breaks if I change encode?")]
    ['encode']
    >>> object_of("what is affected if the format changes?")
    ()
    """
    match = _OBJECT.search(question)
    if match is None:
        return ()
    at = match.lastindex or 0
    return (Anchor(AnchorKind.IDENTIFIER, match[at], match.start(at), match[at]),)


def is_code_name(word: str) -> bool:
    """Say whether `word` looks like a name from code rather than from prose."""
    if len(word) > _LONGEST_NAME or not _IDENTIFIER.fullmatch(word) or word in _PLAIN_DOTS:
        return False
    dotted = "." in word and not all(len(part) == 1 for part in word.split("."))
    return dotted or "_" in word.strip("_") or word.startswith("__") or bool(_CAMEL.search(word))


def _every_anchor(text: str) -> Iterator[Anchor]:
    yield from _frames(text)
    yield from _quoted(text)
    yield from _words(text)


def _frames(text: str) -> Iterator[Anchor]:
    """Stack frames: `File "x.py", line 3, in f`, `x.py:3: in f`, `at f (x.js:3:1)`; they stand on one line each."""
    start = 0
    for line in text.splitlines(keepends=True):
        yield from _frames_of_line(line, start)
        start += len(line)


def _frames_of_line(line: str, start: int) -> Iterator[Anchor]:
    match = _PYTHON_FRAME.search(line) if 'File "' in line else None
    match = match or _TEST_FRAME.match(line.lstrip("E> \t"))
    if match is None and "at " in line:
        match = _CALLING_FRAME.search(line, 0, 1_000)
    if match is not None:
        function = (match["function"] or "").rsplit(".", 1)[-1].strip("<>")
        path = match["path"].replace("\\", "/")
        at = start + line.find(match.group())
        yield Anchor(AnchorKind.FRAME, match.group(), at, function, path)


def _quoted(text: str) -> Iterator[Anchor]:
    for match in _QUOTED.finditer(text):
        content = next(group for group in match.groups() if group is not None)
        start = match.start() + match.group().index(content)
        name = content.strip().removesuffix("()")
        if _is_path(name):
            yield Anchor(AnchorKind.PATH, content, start, name, name)
        elif len(name) > 1 and _IDENTIFIER.fullmatch(name):
            yield Anchor(AnchorKind.IDENTIFIER, content, start, name)
        elif name:
            yield Anchor(AnchorKind.QUOTED, content, start, name)


def _words(text: str) -> Iterator[Anchor]:
    for match in _WORD.finditer(text):
        if match.end() - match.start() > _LONGEST_NAME:
            continue
        raw = match.group()
        word = raw.rstrip(".:").lstrip(".@:")
        called = word.endswith("()") or text.startswith("(", match.end())
        name = word.removesuffix("()")
        start = match.start() + raw.find(word) if word else match.start()
        if _is_path(name):
            path = name.split("::", 1)[0]
            yield Anchor(AnchorKind.PATH, word, start, path, path)
            if "::" in name:  # pytest's node id: the rest names a class or function of that file
                inner = name.rsplit("::", 1)[-1]
                yield Anchor(AnchorKind.FRAME, word, start, inner, path)
        elif is_code_name(name) or (called and len(name) > 1 and _IDENTIFIER.fullmatch(name)):
            yield Anchor(AnchorKind.IDENTIFIER, name, start, name)


def _is_path(word: str) -> bool:
    """A path has a file ending that is short, and a folder or a name before it that is no attribute access."""
    word = word.split("::", 1)[0]
    if " " in word or "//" in word or len(word) > _LONGEST_NAME:
        return False
    stem, dot, ending = word.rpartition(".")
    if not dot or not stem or not _FILE_ENDING.fullmatch("." + ending):
        return False
    return "/" in stem or ending.lower() in _SOURCE_ENDINGS
