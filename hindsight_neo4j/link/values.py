"""What an expression can be: the values that inference hands around.

Values are `msgspec` structs: made, compared and hashed at C speed, and two of different types are never equal. A
possible set of them is a tuple without repeats, in the order in which they were found, so that equal input gives equal
output. Numbers are scope and file numbers of the `Project`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import msgspec

MAX_VALUES = 200
"""Most values of one expression; more would be a guess, and cost grows with every further one."""

MAX_ELEMENTS = 64
"""Most values that a container is said to hold."""

MAX_NESTING = 3
"""Containers in containers; what lies deeper is forgotten, so that recursive displays end."""


class Value(msgspec.Struct, frozen=True, gc=False):
    """The root of all values."""


class Module(Value, frozen=True, gc=False):
    """A file that was imported."""

    file: int


class Namespace(Value, frozen=True, gc=False):
    """A directory that can be imported although no file speaks for it."""

    directory: str


class Class(Value, frozen=True, gc=False):
    """A class. `open`: or one of its subclasses, since only a declaration says so."""

    scope: int
    open: bool


class Instance(Value, frozen=True, gc=False):
    """An instance of a class, or, when `open`, of one of its subclasses."""

    scope: int
    open: bool


class Function(Value, frozen=True, gc=False):
    """A function without a receiver."""

    scope: int


class BoundMethod(Value, frozen=True, gc=False):
    """A function read from `owner`, a class; `instance` tells whether from an instance of it.

    `is_like`: one of those whose names fit what is known of the name that is asked for.
    """

    scope: int
    owner: int
    open: bool
    instance: bool
    is_like: bool = False


class Super(Value, frozen=True, gc=False):
    """What stands behind `start` in the order in which `receiver` looks for attributes."""

    start: int
    receiver: int


class External(Value, frozen=True, gc=False):
    """Something outside the project that its dotted name was spelled out for: `os.path.join`."""

    name: str


class Builtin(Value, frozen=True, gc=False):
    """Something that the language itself brings."""

    name: str


class Foreign(Value, frozen=True, gc=False):
    """An object that is surely nothing of the project: a literal, an instance of an external class."""


class Container(Value, frozen=True, gc=False, cache_hash=True):
    """A list, a set, an iterator: something whose elements are all alike."""

    elements: tuple[Value, ...]
    nesting: int


class Mapping(Value, frozen=True, gc=False, cache_hash=True):
    """A mapping by its values; `entries` are those whose keys are spelled out, `loose` those of which nobody knows."""

    elements: tuple[Value, ...]
    nesting: int
    entries: tuple[tuple[str, tuple[Value, ...]], ...] = ()
    loose: tuple[Value, ...] = ()


class Tuple(Value, frozen=True, gc=False, cache_hash=True):
    """Values by position."""

    items: tuple[tuple[Value, ...], ...]
    nesting: int


class Returning(Value, frozen=True, gc=False, cache_hash=True):
    """A callable of which only the result is declared."""

    values: tuple[Value, ...]


class Lambda(Value, frozen=True, gc=False):
    """A function without a name, by its expression."""

    file: int
    expr: int


class TypeForm(Value, frozen=True, gc=False):
    """An expression that is a type rather than a value: `Optional[Box]` bound to a name."""

    file: int
    expr: int


class TypeVariable(Value, frozen=True, gc=False, cache_hash=True):
    """A type variable by the instances that its bound allows."""

    values: tuple[Value, ...]


Values = tuple[Value, ...]

NOTHING: Values = ()
FOREIGN: Values = (Foreign(),)

NUMBERED = "#"
"""How the key of a place begins whose number is spelled out; other keys begin with another character."""

_HOLDERS = (Container, Mapping, Tuple)


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
            nesting = max(nesting, value.nesting + 1)
        kept.append(value)
    return tuple(dict.fromkeys(kept)), nesting


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
