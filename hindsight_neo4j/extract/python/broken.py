"""Broken places: what the parser could not make sense of, read again in parts so that definitions survive.

One bracket that is never closed can make the parser swallow everything to the end of the file. So where a line looks
like the head of a definition, and the tree has none there, the lines around are cut at such heads (indentation says
where a definition ends) and each piece is parsed by itself, at its own place in the file. If a piece's first line is
the broken one, the definition is taken from the line alone and its body is read as a piece again.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import partial
from keyword import iskeyword

from hindsight_neo4j.extract.python.definitions import MAX_SIGNATURE, open_definition
from hindsight_neo4j.extract.python.walk import Walk, decoded, nested
from hindsight_neo4j.languages.grammar import Node, Point, Range, parser
from hindsight_neo4j.model.facts import NONE, ScopeKind

_HEAD = re.compile(
    r"^(?P<indent>[ \t]*)(?:async[ \t]+)?(?P<word>def|class)[ \t]+"
    r"(?P<name>[a-zA-Z_\x80-\xff][\w\x80-\xff]*)(?P<rest>.*)$",
    re.MULTILINE,
)


@nested
def error(walk: Walk, node: Node) -> int:
    """Visit what an ERROR node is made of."""
    for child in node.children:
        kind = child.kind_id
        if kind == walk.kinds.identifier and iskeyword(walk.text(child)):
            continue
        if kind in walk.kinds.statements:
            walk.facts.statement_rows.append(child.start_point[0])
        walk.visit(child)
    return NONE


def broken_block(walk: Walk, node: Node) -> None:
    """Visit the statements of a block in which something is broken."""
    statements = [child for child in node.children if walk.visits[child.kind_id] is not None]
    done = node.start_byte
    for place, statement in enumerate(statements):
        if statement.start_byte < done:
            continue  # part of a piece that was read again
        if not _is_whole(walk, statement):
            end = _end_of_damage(walk, node, statements[place:])
            if _read_again(walk, statement.start_byte - statement.start_point[1], end):
                done = end
                continue
        walk.facts.statement_rows.append(statement.start_point[0])
        walk.visit(statement)


def _end_of_damage(walk: Walk, block: Node, statements: list[Node]) -> int:
    """Return where the next whole statement begins that stands no deeper than the block."""
    first, *others = statements
    row, column = first.start_point[0], block.start_point[1]
    for other in others:
        if other.start_point[0] > row and other.start_point[1] <= column and _is_whole(walk, other):
            return other.start_byte - other.start_point[1]
    return len(walk.latin) if block.parent is None else _line_end(walk, block.end_byte)


def _is_whole(walk: Walk, node: Node) -> bool:
    """Whether the heads in the lines of `node` are definitions in the tree, inside of what they are indented below.

    Heads that are indented as a block is are left to the block: it asks the same of its statements.
    """
    if not node.has_error or node.end_byte - node.start_byte > walk.reparsable:
        return True
    walk.reparsable -= node.end_byte - node.start_byte
    kinds = walk.kinds
    known: set[int] = set()
    blocks: list[tuple[int, int, int]] = []
    strings: list[tuple[int, int]] = []
    pending = [(node, -1)]
    while pending:
        inner, column = pending.pop()
        kind = inner.kind_id
        if kind in kinds.definitions:
            if inner.start_point[1] > column:
                names = (c for c in inner.children if c.kind_id == kinds.identifier)
                known.update(name.start_byte for name in names)
            column = inner.start_point[1]
        elif kind in kinds.blocks:
            blocks.append((inner.start_byte, inner.end_byte, inner.start_point[1]))
        elif kind == kinds.string and not inner.has_error:
            strings.append((inner.start_byte, inner.end_byte))
        pending.extend((child, column) for child in inner.children)
    strings.sort()
    for head in _HEAD.finditer(walk.latin, _first_line(walk, node), node.end_byte):
        name, indent = head.start("name"), len(head["indent"])
        string = bisect_right(strings, (name,))
        if (
            name not in known
            and not (string and name < strings[string - 1][1])
            and not any(start <= name < end and column <= indent for start, end, column in blocks)
        ):
            return False
    return True


def _first_line(walk: Walk, node: Node) -> int:
    """Return where the first line starts on which `node` has only blanks before it."""
    start = node.start_byte - node.start_point[1]
    is_first = not walk.latin[start : node.start_byte].strip()
    return start if is_first else _line_end(walk, node.start_byte)


def _read_again(walk: Walk, start: int, end: int) -> bool:
    """Read the lines from `start` to `end` piece by piece; False when there are no heads, or too little is left to spend."""
    heads = list(_HEAD.finditer(walk.latin, start, end))
    if not heads or end - start > walk.reparsable:
        return False
    if walk.depth >= walk.max_depth:
        walk.do_later(walk.row(start), partial(_read_lines, walk, start, end))
        return True
    walk.depth += 1
    outer = min(len(head["indent"]) for head in heads)
    heads = [head for head in heads if len(head["indent"]) == outer]
    starts = [_with_decorators(walk, start, head) for head in heads]
    _read_lines(walk, start, starts[0])
    for head, first, last in zip(heads, starts, [*starts[1:], end], strict=True):
        _read_definition(walk, head, first, last)
    walk.depth -= 1
    return True


def _read_lines(walk: Walk, start: int, end: int) -> None:
    """Read lines that begin with no head, though there may be heads among them."""
    if start < end and not _read_again(walk, start, end):
        walk.visit(_parsed(walk, start, end))


def _read_definition(walk: Walk, head: re.Match[str], start: int, end: int) -> None:
    """Read one definition, and when its head is broken, at least its name and its body."""
    root = _parsed(walk, start, end)
    if _is_whole(walk, root):
        walk.visit(root)
        return
    if start < head.start():
        walk.visit(_parsed(walk, start, head.start()))
    body = _line_end(walk, head.end())
    last = start + len(walk.latin[start:end].rstrip()) - 1
    walk.facts.statement_rows.append(walk.row(head.start("word")))
    around = walk.facts.scope
    scope = open_definition(
        walk,
        ScopeKind.CLASS if head["word"] == "class" else ScopeKind.FUNCTION,
        decoded(head["name"]),
        walk.row(start),
        walk.row(max(last, head.start("name"))),
        walk.row(head.start("name")),
    )
    scope.signature = " ".join(decoded(head["rest"]).split()).rstrip(":")[:MAX_SIGNATURE]
    _read_lines(walk, body, end)
    walk.move(around)


def _with_decorators(walk: Walk, start: int, head: re.Match[str]) -> int:
    """Return where the definition begins, the decorators in the lines above included."""
    first = head.start()
    while first > start:
        above = walk.latin.rfind("\n", start, first - 1) + 1 or start
        if not walk.latin.startswith("@", above + len(head["indent"]), first):
            break
        first = above
    return first


def _parsed(walk: Walk, start: int, end: int) -> Node:
    """Parse the lines from `start` to `end` as if they stood at the margin."""
    walk.reparsable -= end - start
    margin: int | None = None
    ranges = []
    row = walk.row(start)
    while start < end:
        stop = min(_line_end(walk, start), end)
        line = walk.latin[start:stop]
        indent = len(line) - len(line.lstrip(" \t"))
        if margin is None and line.strip():
            margin = indent
        skipped = min(indent, margin or 0)
        first, last = Point(row, skipped), Point(row + 1, 0)
        ranges.append(Range(first, last, start + skipped, stop))
        start = stop
        row += 1
    reader = parser(walk.language)
    reader.included_ranges = ranges
    return reader.parse(walk.source).root_node


def _line_end(walk: Walk, byte: int) -> int:
    end = walk.latin.find("\n", byte)
    return len(walk.latin) if end < 0 else end + 1
