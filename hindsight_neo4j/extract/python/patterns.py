"""`match` statements: what their patterns capture, and the classes and values that they name."""

from __future__ import annotations

from functools import partial

from hindsight_neo4j.extract.python.targets import is_group, positions
from hindsight_neo4j.extract.python.walk import Walk, nested
from hindsight_neo4j.languages.grammar import Node
from hindsight_neo4j.model.facts import NONE
from hindsight_neo4j.model.numbers import ATTRIBUTE, CAUGHT, NAME, SUBSCRIPT, TUPLE, UNPACK


@nested
def match_statement(walk: Walk, node: Node) -> int:
    """Visit a whole `match`."""
    subjects = [walk.visit(child) for child in node.children_by_field_name("subject")]
    is_tuple = len(subjects) != 1
    subject = walk.add(TUPLE, "", tuple(subjects), node) if is_tuple else subjects[0]
    body = node.child_by_field_name("body")
    for case in [] if body is None else body.children:
        if case.type == "case_clause":
            _case(walk, case, subject)
        else:
            walk.visit(case)
    return NONE


def _case(walk: Walk, node: Node, subject: int) -> None:
    patterns = [child for child in node.children if child.type == "case_pattern"]
    if len(patterns) == 1:
        _pattern(walk, patterns[0], subject)
    else:
        _sequence(walk, patterns, subject)
    for child in node.children:
        if child.type != "case_pattern":
            walk.visit(child)


def _pattern(walk: Walk, node: Node, subject: int) -> int:
    """Bind what a pattern captures of `subject`; return what stands for the matched value."""
    if walk.depth >= walk.max_depth:
        walk.do_later(node.start_point[0], partial(_pattern, walk, node, subject))
        return NONE
    walk.depth += 1
    node = _unwrapped(node)
    read = _PATTERNS.get(node.type)
    if read is None:
        walk.operands(node)
        matched = subject
    else:
        matched = read(walk, node, subject)
    walk.depth -= 1
    return matched


def _unwrapped(node: Node) -> Node:
    while node.type == "case_pattern" and node.named_child_count == 1:
        node = node.named_children[0]
    return node


def _capture(walk: Walk, node: Node, subject: int) -> int:
    """`name` captures; `package.name` is a value to compare with."""
    names = walk.parts(node) or [node]
    if len(names) == 1:
        walk.bind(names[0], subject)
    else:
        _dotted(walk, names)
    return subject


def _alias(walk: Walk, node: Node, subject: int) -> int:
    first, *_, name = walk.parts(node)
    matched = _pattern(walk, first, subject)
    walk.bind(name, matched)
    return matched


def _class(walk: Walk, node: Node, subject: int) -> int:
    """`Class(a, b=c)` matches an instance of the class; `c` captures its attribute `b`."""
    cls, *elements = walk.parts(node)
    asked = () if subject == NONE else (subject,)
    matched = walk.add(CAUGHT, "", (_dotted(walk, walk.parts(cls)), *asked), node)
    for element in map(_unwrapped, elements):
        if element.type == "keyword_pattern":
            name, *_, value = walk.parts(element)
            part = walk.add(ATTRIBUTE, walk.text(name), (matched,), name)
            _pattern(walk, value, part)
        else:
            _pattern(walk, element, NONE)
    return matched


def _mapping(walk: Walk, node: Node, subject: int) -> int:
    key = NONE
    for child in walk.parts(node):
        if child.type == "case_pattern":
            _pattern(walk, child, walk.add(SUBSCRIPT, "", (subject, key), child))
        elif child.type == "splat_pattern":
            _pattern(walk, child, subject)
        else:
            key = walk.visit(child)
    return subject


def _brackets(walk: Walk, node: Node, subject: int) -> int:
    """`(a)` is `a`, but `(a,)` and `[a]` take a sequence apart."""
    elements = walk.parts(node)
    if len(elements) == 1 and is_group(walk, node):
        return _pattern(walk, elements[0], subject)
    return _sequence(walk, elements, subject)


def _sequence(walk: Walk, patterns: list[Node], subject: int) -> int:
    texts = positions([_unwrapped(pattern).type == "splat_pattern" for pattern in patterns])
    for pattern, text in zip(patterns, texts, strict=True):
        _pattern(walk, pattern, walk.add(UNPACK, text, (subject,), pattern))
    return subject


def _each(walk: Walk, node: Node, subject: int) -> int:
    for child in walk.parts(node):
        _pattern(walk, child, subject)
    return subject


def dotted_name(walk: Walk, node: Node) -> int:
    """Visit `package.name` where the grammar does not take it for an attribute."""
    return _dotted(walk, walk.parts(node))


def _dotted(walk: Walk, names: list[Node]) -> int:
    index = NONE
    for name in names:
        text = walk.text(name)
        if name.kind_id != walk.kinds.identifier:
            walk.visit(name)
        elif index == NONE:
            index = walk.add(NAME, text, (), name)
        else:
            index = walk.add(ATTRIBUTE, text, (index,), name)
    return index


_PATTERNS = {
    "dotted_name": _capture,
    "identifier": _capture,
    "as_pattern": _alias,
    "class_pattern": _class,
    "dict_pattern": _mapping,
    "list_pattern": _brackets,
    "tuple_pattern": _brackets,
    "union_pattern": _each,
    "splat_pattern": _each,
}
