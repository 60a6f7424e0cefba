"""Expressions."""

from __future__ import annotations

from collections.abc import Iterator

from hindsight_neo4j.extract.builder import OpenScope
from hindsight_neo4j.extract.python.ops import BINARY
from hindsight_neo4j.extract.python.parameters import bind_parameters, read_parameters
from hindsight_neo4j.extract.python.targets import assign
from hindsight_neo4j.extract.python.types import holds_type
from hindsight_neo4j.extract.python.walk import MAX_TEXT, Walk, decoded, nested
from hindsight_neo4j.languages.grammar import Node
from hindsight_neo4j.model.facts import NONE, Expr, ScopeKind
from hindsight_neo4j.model.numbers import (
    ATTRIBUTE,
    AWAIT,
    CALL,
    CHOICE,
    COMPREHENSION,
    CONSTANT,
    ITERATE,
    KEYWORD,
    LAMBDA,
    LIST,
    MAPPING,
    NAME,
    NUMBER,
    OPERATOR,
    SPREAD,
    SUBSCRIPT,
    TUPLE,
    YIELD,
)


def name(walk: Walk, node: Node) -> int:
    """Visit a name that is read. The parser makes up names without text where one is missing."""
    start = node.start_byte
    text = walk.latin[start : node.end_byte]
    if not text:
        return NONE
    if not text.isascii():
        text = decoded(text)
    line, column = walk.place(start)
    exprs = walk.exprs
    exprs.append(Expr(NAME, text, (), line, column, walk.at))
    return len(exprs) - 1


def chain(walk: Walk, node: Node) -> int:
    """Visit `a.b(c)[d]`, which is a tree of any depth to the left, as a loop."""
    # `leaning` written out: every third expression comes by here.
    kinds = walk.kinds.chain
    links = []
    kind = node.kind_id
    while kind in kinds:
        links.append(node)
        node = node.children[0]
        kind = node.kind_id
    visit = walk.visits[kind]
    return follow(walk, links, NONE if visit is None else visit(walk, node))


def follow(walk: Walk, links: list[Node], index: int) -> int:
    """Visit the links of a chain, outermost first in the list, whose innermost object is known."""
    kinds = walk.kinds
    exprs = walk.exprs
    while links:
        node = links.pop()
        kind = node.kind_id
        if kind == kinds.attribute:
            attribute = node.children[-1]
            start = attribute.start_byte
            text = walk.latin[start : attribute.end_byte]
            if not text:
                continue
            if not text.isascii():
                text = decoded(text)
            line, column = walk.place(start)
            exprs.append(Expr(ATTRIBUTE, text, (index,), line, column, walk.at))
        elif kind == kinds.call:
            args = _arguments(walk, node.children[-1], index)
            if index == NONE:
                walk.add(CALL, "", args, node)
            else:
                callee = exprs[index]
                exprs.append(Expr(CALL, "", args, callee.line, callee.column, walk.at))
        else:
            walk.add(SUBSCRIPT, "", _indices(walk, node, index), node)
        index = len(exprs) - 1
    return index


def leaning(node: Node, kinds: frozenset[int]) -> tuple[list[Node], Node]:
    """Return `node` and those below it on its left edge as long as they are of these kinds, and what comes next."""
    links = []
    while node.kind_id in kinds:
        links.append(node)
        node = node.children[0]
    return links, node


def _arguments(walk: Walk, node: Node, callee: int) -> tuple[int, ...]:
    """Return the callee and the arguments. What is passed within a type is no type."""
    in_type, walk.in_type = walk.in_type, False
    if walk.depth >= walk.max_depth:
        walk.later(node)
        walk.in_type = in_type
        return (callee,)
    walk.depth += 1
    if callee != NONE and walk.exprs[callee].text == "cast":
        args = (callee, *_operands_of_cast(walk, node))
    elif node.kind_id == walk.kinds.argument_list:
        args = (callee, *walk.operands(node)) if len(node.children) > 2 else (callee,)
    else:
        args = (callee, walk.visit(node))
    walk.depth -= 1
    walk.in_type = in_type
    return args


def _operands_of_cast(walk: Walk, node: Node) -> Iterator[int]:
    """Yield the arguments of `cast`, the first of which is a type."""
    for place, argument in enumerate(walk.parts(node)):
        walk.in_type = place == 0
        yield walk.visit(argument)


def _indices(walk: Walk, node: Node, value: int) -> tuple[int, ...]:
    """Return the object and the indices of a subscript."""
    if walk.depth >= walk.max_depth:
        for child in node.children[1:]:
            walk.later(child)
        return (value,)
    in_type = walk.in_type
    walk.depth += 1
    found = [value]
    for child in node.children[1:]:
        if walk.visits[child.kind_id] is not None:
            walk.in_type = in_type and holds_type(walk, value, len(found) - 1)
            found.append(walk.visit(child))
    walk.depth -= 1
    walk.in_type = in_type
    return tuple(found)


@nested
def brackets(walk: Walk, node: Node) -> int:
    """Visit `(value)`."""
    return walk.operand(node)


def number(walk: Walk, node: Node) -> int:
    """Visit an integer or float literal."""
    return walk.add(NUMBER, walk.text(node)[:MAX_TEXT], (), node)


def constant(walk: Walk, node: Node) -> int:
    """Visit None, True, False or `...`."""
    return walk.add(CONSTANT, walk.text(node), (), node)


@nested
def slice_value(walk: Walk, node: Node) -> int:
    """Visit `start:stop:step` of a subscript."""
    return walk.add(CONSTANT, ":", tuple(walk.operands(node)), node)


@nested
def list_value(walk: Walk, node: Node) -> int:
    """Visit a list or set display."""
    return walk.add(LIST, "", tuple(walk.operands(node)), node)


@nested
def tuple_value(walk: Walk, node: Node) -> int:
    """Visit a tuple, with or without brackets."""
    return walk.add(TUPLE, "", tuple(walk.operands(node)), node)


@nested
def mapping(walk: Walk, node: Node) -> int:
    """Visit a dictionary display."""
    args: list[int] = []
    for child in node.children:
        kind = child.type
        if kind == "pair":
            operands = walk.operands(child)
            if len(operands) > 1:
                args += (operands[0], operands[-1])
        elif kind == "dictionary_splat":
            args += (NONE, walk.operand(child))
        else:
            walk.visit(child)
    return walk.add(MAPPING, "", tuple(args), node)


@nested
def keyword(walk: Walk, node: Node) -> int:
    """Visit `name=value` of a call or class header."""
    children = node.children
    value = walk.visit(children[-1])
    return walk.add(KEYWORD, walk.text(children[0]), (value,), node)


@nested
def spread(walk: Walk, node: Node) -> int:
    """Visit `*value` or `**value`."""
    stars = "**" if walk.latin.startswith("**", node.start_byte) else "*"
    return walk.add(SPREAD, stars, (walk.operand(node),), node)


@nested
def conditional(walk: Walk, node: Node) -> int:
    """Visit `a if condition else b`."""
    operands = walk.operands(node)
    choices = (operands[0], operands[-1]) if len(operands) == 3 else tuple(operands)
    return walk.add(CHOICE, "", choices, node)


@nested
def boolean(walk: Walk, node: Node) -> int:
    """Visit `a and b or c`, as one choice of all operands."""
    links, first = leaning(node, walk.kinds.boolean)
    operands = [walk.visit(first)]
    for link in reversed(links):
        operands += _operands_after_first(walk, link)
    return walk.add(CHOICE, "", tuple(operands), node)


@nested
def binary(walk: Walk, node: Node) -> int:
    """Visit `a + b - c`, which is a tree of any depth to the left, as a loop."""
    links, first = leaning(node, walk.kinds.binary)
    index = walk.visit(first)
    for link in reversed(links):
        right = _operands_after_first(walk, link)
        text = BINARY.get(_sign(link), "")
        index = walk.add(OPERATOR, text, (index, *right[:1]), link)
    return index


def _operands_after_first(walk: Walk, node: Node) -> list[int]:
    visits = walk.visits
    found = []
    for child in node.children[1:]:
        visit = visits[child.kind_id]
        if visit is not None:
            found.append(visit(walk, child))
    return found


def _sign(node: Node) -> str:
    return next((child.type for child in node.children if not child.is_named), "")


@nested
def comparison(walk: Walk, node: Node) -> int:
    """Visit `a < b in c`. Each sign is one operator, its receiver first; several are a choice of their results."""
    visits = walk.visits
    results: list[int] = []
    left = NONE
    sign = ""
    for child in node.children:
        visit = visits[child.kind_id]
        if visit is None:
            sign = _COMPARISON.get(child.type, sign)
            continue
        right = visit(walk, child)
        if sign:
            operands = (right, left) if sign == _CONTAINS else (left, right)
            results.append(walk.add(OPERATOR, sign, operands, node))
        left = right
    if len(results) > 1:
        return walk.add(CHOICE, "", tuple(results), node)
    return results[0] if results else left


@nested
def negation(walk: Walk, node: Node) -> int:
    """Visit `not a`."""
    return walk.add(OPERATOR, "__bool__", (walk.operand(node),), node)


@nested
def unary(walk: Walk, node: Node) -> int:
    """Visit `-a`."""
    return walk.add(OPERATOR, _UNARY.get(_sign(node), ""), (walk.operand(node),), node)


@nested
def await_value(walk: Walk, node: Node) -> int:
    """Visit `await a`."""
    return walk.add(AWAIT, "", (walk.operand(node),), node)


@nested
def yield_value(walk: Walk, node: Node) -> int:
    """Visit `yield a` or `yield from a`, which belongs to the function or lambda around it."""
    text = "from" if any(child.type == "from" for child in node.children) else ""
    index = walk.add(YIELD, text, tuple(walk.operands(node)), node)
    walk.facts.scope.outside_comprehensions.yields.append(index)
    return index


@nested
def walrus(walk: Walk, node: Node) -> int:
    """Visit `name := value`, which binds outside of the comprehensions that it stands in."""
    target, *_, last = node.children
    value = walk.visit(last)
    inner = walk.facts.scope
    walk.facts.scope = inner.outside_comprehensions
    walk.bind(target, value)
    walk.facts.scope = inner
    return value


@nested
def lambda_value(walk: Walk, node: Node) -> int:
    """Visit `lambda a: b`."""
    header = node.child_by_field_name("parameters")
    body = node.child_by_field_name("body")
    parameters, patterns = read_parameters(walk, header)
    around = walk.facts.scope
    block = _open_block(walk, node)
    bind_parameters(walk, parameters, patterns)
    value = NONE if body is None else walk.visit(body)
    if value != NONE:
        block.returns.append(value)
    walk.move(around)
    return walk.add(LAMBDA, str(block.index), (value,), node)


@nested
def comprehension(walk: Walk, node: Node) -> int:
    """Visit `[a for b in c if d]` and its kin. The first iterable is evaluated outside."""
    element, *clauses = walk.parts(node)
    first = NONE
    if clauses and clauses[0].type == "for_in_clause":
        right = clauses[0].child_by_field_name("right")
        first = NONE if right is None else walk.visit(right)
    around = walk.facts.scope
    _open_block(walk, node).is_comprehension = True
    for place, clause in enumerate(clauses):
        if clause.type == "for_in_clause":
            _for_in(walk, clause, first if place == 0 else None)
        else:
            walk.visit(clause)
    is_pair = element.type == "pair"
    args = tuple(walk.operands(element)) if is_pair else (walk.visit(element),)
    walk.move(around)
    return walk.add(COMPREHENSION, "mapping" if is_pair else "list", args, node)


def _for_in(walk: Walk, clause: Node, iterable: int | None) -> None:
    left, right = clause.child_by_field_name("left"), clause.child_by_field_name("right")
    if left is None or right is None:
        walk.operands(clause)
        return
    if iterable is None:
        iterable = walk.visit(right)
    text = "async" if clause.children[0].type == "async" else ""
    assign(walk, left, walk.add(ITERATE, text, (iterable,), right))


def _open_block(walk: Walk, node: Node) -> OpenScope:
    row = walk.row(node.start_byte)
    block = walk.facts.open(ScopeKind.BLOCK, "", row, node.end_point[0], row)
    walk.at = block.index
    return block


_UNARY = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}
_CONTAINS = "__contains__"
_COMPARISON = {
    "<": "__lt__",
    "<=": "__le__",
    ">": "__gt__",
    ">=": "__ge__",
    "==": "__eq__",
    "!=": "__ne__",
    "<>": "__ne__",
    "in": _CONTAINS,
    "not in": _CONTAINS,
    "is": "is",
    "is not": "is",
}
"""Methods behind the signs. Identity calls none, and its sign stands for itself."""
