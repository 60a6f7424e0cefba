"""Strings: their values, what is interpolated into them, and the types that they spell."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hindsight_neo4j.extract.python.walk import MAX_TEXT, Walk, decoded, nested
from hindsight_neo4j.languages.grammar import Node, Range, parser
from hindsight_neo4j.model.facts import NONE
from hindsight_neo4j.model.numbers import FORMAT, STRING


def string(walk: Walk, node: Node) -> int:
    """Visit one string literal."""
    text = _simple(walk, node)
    if text is None:
        text = literal(walk, node, MAX_TEXT)
        if text is None:
            return _interpolated(walk, node)
    if walk.in_type:
        index = _type(walk, node)
        if index != NONE:
            return index
    return walk.add(STRING, text, (), node)


def strings(walk: Walk, node: Node) -> int:
    """Visit literals side by side, which are one string."""
    text = literal(walk, node, MAX_TEXT)
    if text is None:
        return _interpolated(walk, node)
    return walk.add(STRING, text, (), node)


def is_format(node: Node) -> bool:
    """Whether expressions stand in a string."""
    return any(child.type == "interpolation" for child in node.children)


def literal(walk: Walk, node: Node, limit: int) -> str | None:
    """Return the value of a string or of several side by side; None when expressions stand in it."""
    if node.type == "concatenated_string":
        pieces = [literal(walk, part, limit) for part in walk.parts(node)]
        known = [piece for piece in pieces if piece is not None]
        return "".join(known)[:limit] if len(known) == len(pieces) else None
    if node.type != "string":
        return None
    text = walk.latin[node.start_byte : node.end_byte]
    prefix = text[: len(text) - len(text.lstrip(_PREFIXES))].lower()
    if ("f" in prefix or "t" in prefix) and is_format(node):
        return None
    start = len(prefix)
    width = 3 if text.startswith(_TRIPLE, start) and len(text) - start >= 6 else 1
    # Four bytes are the most that one character takes.
    text = text[start + width : min(len(text) - width, start + width + 4 * limit)]
    text = text if text.isascii() else decoded(text)
    return (text if "r" in prefix else unescape(text))[:limit]


def unescape(text: str) -> str:
    r"""Return `text` with its escape sequences replaced; unknown ones stay as they are, as Python has it.

    NUL and lone surrogates, which cannot be stored, become U+FFFD.

    >>> unescape(r"a\x41\d")
    'aA\\d'
    """
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    plain = match["plain"]
    if plain is not None:
        return _PLAIN.get(plain, "")
    octal = match["octal"]
    code = int(octal, 8) if octal else int(match["x"] or match["u"] or match["U"], 16)
    is_storable = 0 < code < 0xD800 or 0xDFFF < code <= 0x10FFFF
    return chr(code) if is_storable else "\ufffd"


def _simple(walk: Walk, node: Node) -> str | None:
    """Return the value of a string that is as simple as most are: what stands between its quotes."""
    text = walk.latin[node.start_byte : node.end_byte]
    quote = text[:1]
    if quote in ("'", '"') and len(text) < MAX_TEXT and "\\" not in text and text.isascii():
        value = text[1:-1]
        if quote not in value:
            return value
    return None


@nested
def _interpolated(walk: Walk, node: Node) -> int:
    literals = [node] if node.type == "string" else walk.parts(node)
    args: list[int] = []
    for part in (part for one in literals for part in one.children):
        if part.type == "string_content":
            text = decoded(walk.latin[part.start_byte : part.end_byte][: 4 * MAX_TEXT])
            args.append(walk.add(STRING, text[:MAX_TEXT], (), part))
        elif part.type == "interpolation":
            args.extend(_between_braces(walk, part))
        else:
            walk.visit(part)
    return walk.add(FORMAT, "", tuple(args), node)


def _between_braces(walk: Walk, node: Node) -> Iterable[int]:
    """Yield the value between braces, then those in its format specifier."""
    for child in node.children:
        if child.type == "format_specifier":
            for inner in child.children:
                yield from walk.operands(inner)
        elif child.type == "named_expression":  # the grammar takes the ":=10" of {a:=10} for it
            yield from walk.operands(child)
        elif walk.visits[child.kind_id] is not None:
            yield walk.visit(child)


@nested
def _type(walk: Walk, node: Node) -> int:
    """Read the type that a string spells, at its place in the file; NONE when it spells none."""
    contents = [child for child in node.children if child.type == "string_content"]
    if len(contents) != 1:
        return NONE
    content = contents[0]
    reader = parser(walk.language)
    reader.included_ranges = [
        Range(content.start_point, content.end_point, content.start_byte, content.end_byte)
    ]
    root = reader.parse(walk.source).root_node
    if root.has_error or root.child_count != 1:
        return NONE
    statement = root.children[0]
    if statement.type != "expression_statement" or statement.child_count != 1:
        return NONE
    value = statement.children[0]
    return NONE if value.type in _NO_TYPES else walk.visit(value)


_PREFIXES = "rRbBuUfFtT"
_TRIPLE = ('"""', "'''")
_NO_TYPES = ("string", "concatenated_string", "integer", "float")
_PLAIN = {
    "\\": "\\",
    "'": "'",
    '"': '"',
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}
_ESCAPE = re.compile(
    r"\\(?:x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})|U(?P<U>[0-9a-fA-F]{8})"
    r"|(?P<octal>[0-7]{1,3})|(?P<plain>\r?\n|[\\'\"abfnrtv]))"
)
