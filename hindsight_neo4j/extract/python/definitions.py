"""Functions and classes."""

from __future__ import annotations

from inspect import cleandoc

from hindsight_neo4j.extract.builder import OpenScope
from hindsight_neo4j.extract.python.parameters import bind_parameters, read_parameters
from hindsight_neo4j.extract.python.strings import literal
from hindsight_neo4j.extract.python.types import type_parameters
from hindsight_neo4j.extract.python.walk import Walk, decoded, nested
from hindsight_neo4j.languages.grammar import Node
from hindsight_neo4j.model.facts import NONE, ScopeKind
from hindsight_neo4j.model.numbers import DEFINITION

MAX_SIGNATURE = 300
MAX_DOC = 4_000


@nested
def decorated(walk: Walk, node: Node) -> int:
    """Visit a definition with its decorators, which count into its lines."""
    kinds = walk.kinds
    decorators: list[int] = []
    for child in node.children:
        kind = child.kind_id
        if kind == kinds.decorator:
            decorators.append(walk.operand(child))
        elif kind in kinds.definitions:
            _definition(walk, child, tuple(decorators), node)
        else:
            walk.visit(child)
    return NONE


def definition(walk: Walk, node: Node) -> int:
    """Visit a function or class without decorators."""
    _definition(walk, node, (), node)
    return NONE


def _definition(walk: Walk, node: Node, decorators: tuple[int, ...], whole: Node) -> None:
    """Visit a definition. Its head is evaluated where it stands, its body inside of it."""
    kinds = walk.kinds
    name = header = returns = generics = body = None
    is_class = is_async = False
    for child in node.children:
        kind = child.kind_id
        if kind == kinds.identifier:
            name = child
        elif kind == kinds.parameters or kind == kinds.argument_list:
            header = child
        elif kind in kinds.blocks:
            body = child
        elif kind == kinds.class_word:
            is_class = True
        elif kind == kinds.async_word:
            is_async = True
        elif kind == kinds.type:
            returns = child
        elif kind == kinds.type_parameters:
            generics = child
        else:
            walk.visit(child)

    parameters, patterns = ([], []) if is_class else read_parameters(walk, header)
    bases = tuple(walk.operands(header)) if is_class and header is not None else ()
    returns_type = NONE if returns is None else walk.visit(returns)
    bounds = type_parameters(walk, generics)
    around = walk.facts.scope
    text = "" if name is None else walk.text(name)
    if name is not None and text:
        name_row = name.start_point[0]
        scope_kind = ScopeKind.CLASS if is_class else ScopeKind.FUNCTION
        first_row = whole.start_point[0]
        scope = open_definition(walk, scope_kind, text, first_row, _last_row(node), name_row)
        scope.is_async = is_async
        scope.decorators = decorators
        scope.bases = bases
        scope.returns_type = returns_type
        scope.signature = _signature(walk, header, returns)
        scope.doc = "" if body is None else documentation(walk, body)
        bind_parameters(walk, parameters, patterns)
        for parameter, bound in bounds:
            walk.bind(parameter, NONE, bound)
    if body is not None:
        walk.visit(body)
    walk.move(around)


def open_definition(
    walk: Walk, kind: ScopeKind, text: str, first_row: int, last_row: int, name_row: int
) -> OpenScope:
    """Bind the name of a definition, and go into its scope."""
    facts = walk.facts
    facts.bind(text, DEFINITION, len(facts.scopes), name_row)
    scope = facts.open(kind, text, first_row, last_row, name_row)
    walk.at = scope.index
    return scope


def documentation(walk: Walk, body: Node) -> str:
    """Return the string that a block or a module begins with, dedented, or ""."""
    kinds = walk.kinds
    statement = body.named_child(0) if body.named_child_count else None
    while statement is not None and statement.kind_id == kinds.comment:
        statement = statement.next_named_sibling
    if (
        statement is None
        or statement.kind_id != kinds.expression_statement
        or statement.child_count != 1
    ):
        return ""
    text = literal(walk, statement.children[0], MAX_DOC)
    if text is None:
        return ""
    return (cleandoc(text) if "\n" in text else text.strip())[:MAX_DOC]


def _last_row(node: Node) -> int:
    """Return the row of the last character of `node`, which is not the row after its line break."""
    row, column = node.end_point
    return row - 1 if column == 0 and row > node.start_point[0] else row


def _signature(walk: Walk, header: Node | None, returns: Node | None) -> str:
    text = "" if header is None else _without_comments(walk, header)
    if returns is not None:
        text = f"{text} -> {_without_comments(walk, returns)}"
    return " ".join(text.split())[:MAX_SIGNATURE]


def _without_comments(walk: Walk, node: Node) -> str:
    text = walk.text(node)
    if "#" not in text:
        return text
    pieces = []
    start = node.start_byte
    pending = [node]
    while pending:
        inner = pending.pop()
        if inner.kind_id == walk.kinds.comment:
            pieces.append(walk.latin[start : inner.start_byte])
            start = inner.end_byte
        pending.extend(reversed(inner.children))
    pieces.append(walk.latin[start : node.end_byte])
    return decoded("".join(pieces))
