"""Left sides: names to bind, attributes and elements to store into, and lists of these to unpack into."""

from __future__ import annotations

from collections.abc import Sequence

from hindsight_neo4j.extract.python.walk import Walk
from hindsight_neo4j.languages.grammar import Node
from hindsight_neo4j.model.facts import NONE, Store
from hindsight_neo4j.model.numbers import ATTRIBUTE, SUBSCRIPT, UNPACK


def assign(walk: Walk, target: Node, value: int, annotation: int = NONE) -> None:
    """Bind the names of `target` to `value` or its parts, and record what goes into attributes and elements."""
    kinds = walk.kinds
    if target.kind_id == kinds.identifier:
        walk.bind(target, value, annotation)
        return
    pending = [(target, value)]
    while pending:
        target, value = pending.pop()
        kind = target.kind_id
        if kind == kinds.identifier:
            walk.bind(target, value, annotation)
        elif kind in kinds.chain:
            store(walk, walk.visit(target), value, annotation)
        elif kind in kinds.wrappers or is_group(walk, target):
            pending.extend((child, value) for child in walk.parts(target))
        elif kind in kinds.sequences:
            pending.extend(reversed(_unpacked(walk, target, value)))
        else:
            walk.visit(target)


def store(walk: Walk, place: int, value: int, annotation: int = NONE) -> None:
    """Record what goes into the attribute or element `place`, if it is one."""
    if place != NONE and walk.exprs[place].op in (ATTRIBUTE, SUBSCRIPT):
        walk.facts.scope.stores.append(Store(place, value, annotation))


def is_group(walk: Walk, node: Node) -> bool:
    """Whether `(a)`, which is `a` in brackets, looks like a sequence of one, which is written `(a,)`."""
    return node.child_count == 3 and walk.latin.startswith("(", node.start_byte)


def positions(is_starred: Sequence[bool]) -> list[str]:
    """Return the `Op.UNPACK` texts of the elements of a target list.

    >>> positions([False, True, False])
    ['0', '*1', '-1']
    """
    count = len(is_starred)
    starred = is_starred.index(True) if True in is_starred else count
    return [
        f"*{place}" if place == starred else str(place if place < starred else place - count)
        for place in range(count)
    ]


def _unpacked(walk: Walk, target: Node, value: int) -> list[tuple[Node, int]]:
    """Return the elements of a target list, each with the part of `value` that it gets."""
    elements = walk.parts(target)
    texts = positions([element.kind_id in walk.kinds.starred for element in elements])
    return [
        (element, walk.add(UNPACK, text, (value,), element))
        for element, text in zip(elements, texts, strict=True)
    ]
