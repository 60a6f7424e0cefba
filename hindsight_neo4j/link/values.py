"""What an expression can be: the values that inference hands around.

Values are `msgspec` structs: made, compared and hashed at C speed, and two of different types are never equal. A
possible set of them is a tuple without repeats, in the order in which they were found, so that equal input gives equal
output (`holders` joins them). Numbers are scope and file numbers of the `Project`.
"""

from __future__ import annotations

import msgspec


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


class Text(Value, frozen=True, gc=False):
    """A text that is spelled out somewhere; only the name of an attribute that is read by name is asked for as one."""

    text: str


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


class Partial(Value, frozen=True, gc=False, cache_hash=True):
    """A callable whose first arguments are given already."""

    callee: Value
    places: int
    """How many parameters they fill. Negative: so many arguments of the call to come are none of the callable's."""
    is_method: bool
    """A receiver comes before them, once it is read from something."""


class Property(Value, frozen=True, gc=False, cache_hash=True):
    """What makes an attribute of a class run functions: those that read it and those that set it."""

    reading: tuple[Value, ...]
    setting: tuple[Value, ...]


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
