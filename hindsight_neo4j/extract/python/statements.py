"""Statements: what they bind, and what of them is a value."""

from __future__ import annotations

from hindsight_neo4j.extract.python.broken import broken_block
from hindsight_neo4j.extract.python.ops import IN_PLACE
from hindsight_neo4j.extract.python.strings import is_format
from hindsight_neo4j.extract.python.targets import assign, store
from hindsight_neo4j.extract.python.types import type_parameters
from hindsight_neo4j.extract.python.values import follow, leaning
from hindsight_neo4j.extract.python.walk import Walk, nested
from hindsight_neo4j.languages.grammar import Node
from hindsight_neo4j.model.facts import NONE, Diagnostic, ScopeKind
from hindsight_neo4j.model.numbers import (
    ATTRIBUTE,
    CALL,
    CAUGHT,
    ENTER,
    ITERATE,
    NAME,
    OPERATOR,
    RAISE,
)

NO_KINDS: frozenset[int] = frozenset()


def block(walk: Walk, node: Node) -> int:
    """Visit the statements of a block, or of the whole file."""
    if walk.depth >= walk.max_depth:
        return walk.later(node)
    walk.depth += 1
    scope = walk.facts.scope
    is_body, scope.has_body = not scope.has_body, True
    if walk.has_errors and node.has_error:
        if is_body:
            scope.branches += (node.start_point[0] + 1, node.end_point[0] + 1)
        broken_block(walk, node)
    else:
        visits = walk.visits
        rows = walk.facts.statement_rows
        branching = walk.kinds.branching if is_body else NO_KINDS
        for child in node.children:
            kind = child.kind_id
            visit = visits[kind]
            if visit is not None:
                row = walk.row(child.start_byte)
                rows.append(row)
                if kind in branching:
                    scope.branches += (row + 1, child.end_point[0] + 1)
                visit(walk, child)
    walk.depth -= 1
    return NONE


@nested
def parts(walk: Walk, node: Node) -> int:
    """Visit whatever stands in a statement or clause that gives no value and binds nothing."""
    walk.operands(node)
    return NONE


@nested
def raised(walk: Walk, node: Node) -> int:
    """Visit `raise value from cause`; a class that is raised by its name is called, though nothing shows it."""
    operands = walk.operands(node)
    if operands and walk.exprs[operands[0]].op in (NAME, ATTRIBUTE):
        walk.add(RAISE, "", (operands[0],), node)
    return NONE


def nothing(walk: Walk, node: Node) -> int:
    """Visit a statement that holds nothing."""
    return NONE


@nested
def python2(walk: Walk, node: Node) -> int:
    """Visit a statement that no Python of today reads."""
    word = node.type.partition("_")[0]
    message = f"syntax error: {word} statement of Python 2"
    walk.facts.diagnostics.append(Diagnostic(node.start_point[0] + 1, message))
    walk.operands(node)
    return NONE


def expression_statement(walk: Walk, node: Node) -> int:
    """Visit an expression whose value nobody takes. Strings here are comments."""
    visits = walk.visits
    string = walk.kinds.string
    for child in node.children:
        kind = child.kind_id
        visit = visits[kind]
        if visit is not None and (kind != string or is_format(child)):
            visit(walk, child)
    return NONE


def assignment(walk: Walk, node: Node) -> int:
    """Visit `a = b = value` and `a: type = value`."""
    kinds = walk.kinds
    visits = walk.visits
    targets = []
    annotation = NONE
    while True:
        children = node.children
        targets.append(children[0])
        value = None
        for child in children[1:]:
            kind = child.kind_id
            if kind == kinds.type:
                annotation = walk.visit(child)
            elif visits[kind] is not None:
                value = child
        if value is None or value.kind_id != kinds.assignment:
            break
        node = value
    index = NONE if value is None else walk.visit(value)
    for target in targets:
        assign(walk, target, index, annotation)
    return index


def augmented_assignment(walk: Walk, node: Node) -> int:
    """Visit `a += value`, which reads and binds `a`."""
    target = node.children[0]
    left = walk.visit(target)
    right = NONE
    sign = ""
    for child in node.children[1:]:
        if not child.is_named:
            sign = sign or child.type
        elif right == NONE:
            right = walk.visit(child)
    value = walk.add(OPERATOR, IN_PLACE.get(sign, ""), (left, right), target)
    if target.kind_id == walk.kinds.identifier:
        walk.bind(target, value)
    else:
        store(walk, left, value)
    return value


def type_alias(walk: Walk, node: Node) -> int:
    """Visit `type Name[T] = Type`, or what the grammar takes for it: `type(a).b = c`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    target = None if left is None else walk.first(left)
    if target is None or right is None:
        return NONE
    links, base = leaning(target, walk.kinds.chain)
    if base.kind_id in walk.kinds.brackets:
        name = walk.add(NAME, "type", (), node)
        callee = walk.add(CALL, "", (name, *walk.operands(base)), node)
        place = follow(walk, links, callee)
        store(walk, place, walk.operand(right))
        return NONE
    for part in target.children:
        type_parameters(walk, part)
    while target is not None and target.kind_id != walk.kinds.identifier:
        target = walk.first(target)
    value = walk.visit(right)
    if target is not None:
        walk.bind(target, value)
    return NONE


def delete(walk: Walk, node: Node) -> int:
    """Visit what is looked up on the way to a deleted thing. A deleted name, attribute or element is not read."""
    kinds = walk.kinds
    pending = list(reversed(node.children))
    while pending:
        child = pending.pop()
        if child.kind_id in kinds.sequences or child.kind_id in kinds.wrappers:
            pending.extend(reversed(child.children))
        elif child.kind_id in kinds.chain:
            holder, *parts = child.children
            walk.visit(holder)
            if child.kind_id != kinds.attribute:
                for part in parts:
                    walk.visit(part)
        elif child.kind_id != kinds.identifier:
            walk.visit(child)
    return NONE


def return_statement(walk: Walk, node: Node) -> int:
    """Visit `return value`."""
    value = walk.operand(node)
    if value != NONE and walk.facts.scope.kind is ScopeKind.FUNCTION:
        walk.facts.scope.returns.append(value)
    return NONE


@nested
def for_statement(walk: Walk, node: Node) -> int:
    """Visit `for target in iterable:`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is not None and right is not None:
        text = "async" if node.children[0].type == "async" else ""
        assign(walk, left, walk.add(ITERATE, text, (walk.visit(right),), right))
    for child in node.children:
        if child not in (left, right):
            walk.visit(child)
    return NONE


@nested
def with_statement(walk: Walk, node: Node) -> int:
    """Visit `with manager as target:`; a manager without a target is entered as well."""
    text = "async" if node.children[0].type == "async" else ""
    for child in node.children:
        if child.type != "with_clause":
            walk.visit(child)
            continue
        for item in child.children:
            if item.type == "with_item":
                _enter(walk, item, text)
            else:
                walk.visit(item)
    return NONE


def _enter(walk: Walk, item: Node, text: str) -> None:
    managers = walk.parts(item)
    while len(managers) == 1 and managers[0].kind_id in walk.kinds.brackets:
        managers = walk.parts(managers[0])
    for manager in managers:
        value, target = _value_and_alias(walk, manager)
        entered = walk.add(ENTER, text, (walk.visit(value),), value)
        if target is not None:
            assign(walk, target, entered)


@nested
def except_clause(walk: Walk, node: Node) -> int:
    """Visit `except Class as target:`."""
    for child in node.children:
        value, target = _value_and_alias(walk, child)
        index = walk.visit(value)
        if target is not None:
            assign(walk, target, walk.add(CAUGHT, "", (index,), value))
    return NONE


@nested
def as_pattern(walk: Walk, node: Node) -> int:
    """Visit `value as target` where no clause took it apart."""
    value, target = _value_and_alias(walk, node)
    index = walk.visit(value)
    if target is not None:
        assign(walk, target, index)
    return index


def _value_and_alias(walk: Walk, node: Node) -> tuple[Node, Node | None]:
    """Take `value as target` apart; the target is None when there is none."""
    if node.type != "as_pattern":
        return node, None
    children = walk.parts(node)
    if len(children) < 2:
        return children[0], None
    target = children[-1]
    return children[0], walk.first(target) if target.type == "as_pattern_target" else target


def global_statement(walk: Walk, node: Node) -> int:
    """Send the names to the module's scope."""
    return _elsewhere(walk, node, of_module=True)


def nonlocal_statement(walk: Walk, node: Node) -> int:
    """Send the names to the function around that has them."""
    return _elsewhere(walk, node, of_module=False)


def _elsewhere(walk: Walk, node: Node, *, of_module: bool) -> int:
    scope = walk.facts.scope
    for child in node.children:
        if child.kind_id == walk.kinds.identifier:
            scope.elsewhere[walk.text(child)] = walk.facts.scopes[0] if of_module else None
    return NONE
