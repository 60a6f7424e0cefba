"""From the bytes of a file to UTF-8 source, or to the reason why there is none."""

from __future__ import annotations

import codecs
import os
import re
import stat
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from hindsight_neo4j.ingest.rules import Rules
from hindsight_neo4j.ingest.skip import SkipReason
from hindsight_neo4j.settings import IngestOptions

_COOKIE: Final = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.ASCII)
"""The declaration of PEP 263, as written there."""

_WIDE_BOMS: Final = (
    codecs.BOM_UTF16_LE,
    codecs.BOM_UTF16_BE,
    codecs.BOM_UTF32_LE,
    codecs.BOM_UTF32_BE,
)

_COMMENT_STARTS: Final = tuple(b"#/*;-%<\"'")

_ASCII: Final = bytes(range(128))

_NO_ENCODINGS: Final = {"idna", "unicode_escape", "raw_unicode_escape"}
"""Codecs that read ASCII as ASCII but are escapes of other text. No source is written in them."""


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a file in UTF-8. `replaced_line` is the first line with bytes of no known encoding, 0 for none."""

    text: bytes
    replaced_line: int = 0


def read_bytes(path: str | Path, *, max_bytes: int) -> bytes | SkipReason:
    """Return the content of a regular file, or why it cannot be had. Links and pipes are not opened.

    Args:
        path: The file.
        max_bytes: A longer file is not read; 0 lifts the cap.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        with os.fdopen(os.open(path, flags | getattr(os, "O_BINARY", 0)), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                return SkipReason.SPECIAL
            data = file.read(max_bytes + 1 if max_bytes else -1)
    except OSError:
        return SkipReason.UNREADABLE
    return SkipReason.SIZE if max_bytes and len(data) > max_bytes else data


def to_source(
    data: bytes, suffix: str, rules: Rules, options: IngestOptions
) -> Source | SkipReason:
    """Return the content of a file with `suffix` as UTF-8 without BOM, lines ended by LF or CRLF."""
    reason = _unwanted(data, suffix, rules, options)
    if reason:
        return reason
    decoded = _decoded(data)
    if isinstance(decoded, SkipReason) or b"\r" not in decoded.text or b"\n" in decoded.text:
        return decoded
    return Source(decoded.text.replace(b"\r", b"\n"), decoded.replaced_line)


def _unwanted(data: bytes, suffix: str, rules: Rules, options: IngestOptions) -> SkipReason | None:
    if data.startswith(_WIDE_BOMS):
        return SkipReason.ENCODING
    if b"\0" in data:
        return SkipReason.BINARY
    if options.max_line_bytes and _has_longer_line(data, options.max_line_bytes):
        return SkipReason.LINE_LENGTH
    long_lines = len(data) > rules.minified_line_bytes * (data.count(b"\n") + 1)
    if long_lines and suffix in rules.minified_suffixes and not options.include_minified:
        return SkipReason.MINIFIED
    if not options.include_generated and _is_generated(data, rules):
        return SkipReason.GENERATED
    return None


def _has_longer_line(data: bytes, most: int) -> bool:
    """Whether a line has more than `most` bytes: one does if no line ends in so many."""
    start = 0
    while len(data) - start > most:
        end = data.rfind(b"\n", start, start + most + 1)
        if end < 0:
            return True
        start = end + 1
    return False


def _is_generated(data: bytes, rules: Rules) -> bool:
    """Whether one comment line near the start has all the words."""
    for line in data.split(b"\n", rules.generated_lines)[: rules.generated_lines]:
        start = line.strip()[:1]
        if start and start[0] in _COMMENT_STARTS:
            lowered = line.lower()
            if all(word in lowered for word in rules.generated_words):
                return True
    return False


def _decoded(data: bytes) -> Source | SkipReason:
    if data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8) :]
    if data.isascii():
        return Source(data)
    cookie = _cookie(data)
    codec = _codec(cookie) if cookie else "utf_8"
    if codec is None:
        return SkipReason.ENCODING
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Source(data.decode("utf-8", "replace").encode("utf-8"), line)
    if "\0" in text:
        return SkipReason.BINARY
    return Source(data if codec == "utf_8" else text.encode("utf-8", "replace"))


def _cookie(data: bytes) -> str | None:
    """Return the encoding that one of the first two lines declares."""
    for line in data.split(b"\n", 2)[:2]:
        match = _COOKIE.match(line)
        if match:
            return match[1].decode("ascii")
        if line.strip() and not line.lstrip().startswith(b"#"):
            return None
    return None


@lru_cache(maxsize=64)
def _codec(name: str) -> str | None:
    """Return the codec called `name` if it reads ASCII as ASCII, as source encodings do; others can be slow."""
    try:
        codec = codecs.lookup(name).name.replace("-", "_")
        same = codec not in _NO_ENCODINGS and _ASCII.decode(codec) == _ASCII.decode("ascii")
    except (LookupError, UnicodeError):
        return None
    return codec if same else None
