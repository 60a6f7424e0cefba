"""Annotations, where the grammar has nodes of their own for types. Strings within them spell types."""

from __future__ import annotations

from hindsight_neo4j.extract.python.walk import Walk, nested
from hindsight_neo4j.languages.grammar import Node
from hindsight_neo4j.model.facts import NONE
from hindsight_neo4j.model.numbers import ATTRIBUTE, OPERATOR, SUBSCRIPT


@nested
def annotation(walk: Walk, node: Node) -> int:
    """Visit a type."""
    in_type, walk.in_type = walk.in_type, True
    index = walk.operand(node)
    walk.in_type = in_type
    return index


@nested
def generic(walk: Walk, node: Node) -> int:
    """Visit `Name[Type, Type]`."""
    form, *rest = walk.parts(node)
    found = [walk.visit(form)]
    for child in (child for part in rest for child in walk.parts(part)):
        if holds_type(walk, found[0], len(found) - 1):
            found.append(walk.visit(child))
        else:
            in_type, walk.in_type = walk.in_type, False
            found.append(walk.operand(child))
            walk.in_type = in_type
    return walk.add(SUBSCRIPT, "", tuple(found), node)


@nested
def union(walk: Walk, node: Node) -> int:
    """Visit `Type | Type`."""
    return walk.add(OPERATOR, "__or__", tuple(walk.operands(node)), node)


@nested
def member(walk: Walk, node: Node) -> int:
    """Visit `Type.Name` where the grammar does not take it for an attribute."""
    owner, *_, name = walk.parts(node)
    return walk.add(ATTRIBUTE, walk.text(name), (walk.visit(owner),), name)


def holds_type(walk: Walk, form: int, position: int) -> bool:
    """Whether the subscript of the type `form` has a type at `position`: `Literal["a"]` has none."""
    text = "" if form == NONE else walk.exprs[form].text
    return text != "Literal" and (text != "Annotated" or position == 0)


def type_parameters(walk: Walk, node: Node | None) -> list[tuple[Node, int]]:
    """Return the names that `[T: Bound, *Ts]` declares, each with its bound."""
    found = []
    for child in [] if node is None else node.children:
        name: Node | None = child if child.kind_id == walk.kinds.type else None
        bound = NONE
        while name is not None and name.kind_id != walk.kinds.identifier:
            if name.type == "constrained_type":
                bound = walk.visit(name.children[-1])
            name = walk.first(name)
        if name is not None:
            found.append((name, bound))
    return found
