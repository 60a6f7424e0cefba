"""Possible sets of values joined, and what containers, mappings and tuples hold of them.

Apart from the values themselves, which are `msgspec` structs and stay as they are when this room is compiled.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

from hindsight_neo4j.link.values import NOTHING, Container, Mapping, Tuple, Value, Values

MAX_VALUES: Final = 200
"""Most values of one expression; more would be a guess, and cost grows with every further one."""

MAX_ELEMENTS: Final = 64
"""Most values that a container is said to hold."""

MAX_NESTING: Final = 3
"""Containers in containers; what lies deeper is forgotten, so that recursive displays end."""

NUMBERED: Final = "#"
"""How the key of a place begins whose number is spelled out; other keys begin with another character."""

_HOLDERS: Final = (Container, Mapping, Tuple)


def union(groups: Iterable[Values]) -> Values:
    """Return the values of all `groups`, each once, at most `MAX_VALUES`."""
    filled = [group for group in groups if group]
    if len(filled) < 2:
        return filled[0] if filled else NOTHING
    return tuple(dict.fromkeys(chain.from_iterable(filled)))[:MAX_VALUES]


def container(elements: Values) -> Container:
    """Return a container of `elements`."""
    kept, nesting = _held(elements)
    return Container(kept, nesting)


def mapping(elements: Values) -> Mapping:
    """Return a mapping with the values `elements`."""
    kept, nesting = _held(elements)
    return Mapping(kept, nesting)


def keyed(entries: Sequence[tuple[str, Values]], loose: Values) -> Mapping:
    """Return a mapping by its keys, those values apart whose key is unknown."""
    together: dict[str, list[Values]] = {}
    for key, values in entries:
        together.setdefault(key, []).append(values)
    held = {key: _held(union(groups)) for key, groups in together.items()}
    rest, nesting = _held(loose)
    every, _ = _held(union([*(kept for kept, _ in held.values()), rest]))
    deepest = max([nesting, *(level for _, level in held.values())])
    return Mapping(every, deepest, tuple((key, kept) for key, (kept, _) in held.items()), rest)


def at_key(value: Value, key: str) -> Values:
    """Return what `value`, a holder, holds at `key`, which is "" when nobody knows it."""
    if isinstance(value, Tuple):
        place = int(key[1:10]) if key[:1] == NUMBERED and key[1:].isdecimal() else -1
        if place < 0:
            return union(value.items)
        return value.items[place] if place < len(value.items) else NOTHING
    if isinstance(value, Mapping) and key and value.entries:
        found = [values for name, values in value.entries if name == key]
        return union([*found, value.loose])
    return value.elements if isinstance(value, (Mapping, Container)) else NOTHING


def positions(items: Iterable[Values]) -> Tuple:
    """Return a tuple by what stands at each of its positions."""
    held = [_held(item) for item in items]
    nesting = max((level for _, level in held), default=1)
    return Tuple(tuple(kept for kept, _ in held), nesting)


def elements(values: Values) -> Values:
    """Return what the containers and tuples among `values` hold; a mapping gives its keys, which nobody knows."""
    groups: list[Values] = []
    for value in values:
        if isinstance(value, Container):
            groups.append(value.elements)
        elif isinstance(value, Tuple):
            groups.extend(value.items)
    return union(groups)


def is_holder(value: Value) -> bool:
    """Whether `value` is known by what it holds."""
    return isinstance(value, _HOLDERS)


def _held(values: Values) -> tuple[Values, int]:
    nesting = 1
    kept = []
    for value in values[:MAX_ELEMENTS]:
        if isinstance(value, _HOLDERS):
            if value.nesting >= MAX_NESTING:
                value = _flatter(value)
                if value in kept:
                    continue
            nesting = max(nesting, value.nesting + 1)
        kept.append(value)
    return tuple(kept), nesting


def _flatter(holder: Container | Mapping | Tuple) -> Container | Mapping | Tuple:
    """Return a holder of `MAX_NESTING` levels without its deepest."""
    if isinstance(holder, Tuple):
        return Tuple(tuple(map(_upper, holder.items)), MAX_NESTING - 1)
    if isinstance(holder, Container):
        return Container(_upper(holder.elements), MAX_NESTING - 1)
    entries = tuple((key, _upper(held)) for key, held in holder.entries)
    return Mapping(_upper(holder.elements), MAX_NESTING - 1, entries, _upper(holder.loose))


def _upper(values: Values) -> Values:
    """Return `values` without the holders that hold holders."""
    return tuple(
        value
        for value in values
        if not isinstance(value, _HOLDERS) or value.nesting < MAX_NESTING - 1
    )
