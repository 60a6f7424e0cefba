"""The small records that linking keeps in great numbers.

They lie in a module of their own because they are `msgspec` structs, and those stay as they are when the rest of this
room is compiled.
"""

from __future__ import annotations

import msgspec

from hindsight_neo4j.link.project import SourceFile
from hindsight_neo4j.link.values import Values
from hindsight_neo4j.model.facts import Expr
from hindsight_neo4j.model.graph import How, Tier


class Cell(msgspec.Struct, frozen=True):
    """A place that others fill: the parameter at `place` of a function, or the attribute `name` of a class."""

    scope: int
    place: int
    name: str = ""
    is_text: bool = False
    """What texts it can be is asked for."""


class Passing(msgspec.Struct, gc=False):
    """An answer that misses something because of what is being answered around it."""

    values: Values
    lowest: int
    is_open: bool


class Put(msgspec.Struct, frozen=True, gc=False):
    """One value that is put somewhere; numbers are those of the expressions of `file`."""

    file: SourceFile
    scope: int
    line: int
    holder: int
    """Whose attribute it is, NONE where `Puts` says so by the table it lies in."""
    value: int
    """What is put, NONE when only a type is declared."""
    type: int
    levels: tuple[str, ...]
    """The containers around the value, outermost first."""
    is_merged: bool
    """The elements of the value are put, not the value."""

    @property
    def is_inside(self) -> bool:
        """Whether it lands in a container that is there already."""
        return self.is_merged or bool(self.levels)


class Entrance(msgspec.Struct, gc=False, eq=False):
    """Calls that enter the same functions in the same way."""

    entered: tuple[tuple[int, int], ...]
    """Functions, each with the number of its parameters that the call itself fills."""
    sites: list[tuple[SourceFile, int]]
    """Calls, by expression."""
    decorated: list[tuple[int, int]]
    """Definitions that are handed over as the only argument, each with the decorator that is called."""
    walked: list[tuple[SourceFile, int]]
    """Calls that hand over the elements of what they are given: `map(f, things)`."""


Entering = tuple[SourceFile, Expr, int]
"""A call, and how many parameters of the function that it enters it fills by itself."""


class Filling(msgspec.Struct, gc=False, eq=False):
    """What a cell holds, and what it still has to look at."""

    values: Values
    taken: dict[int, int]
    """How many calls of each entrance were looked at."""
    count: int
    """How many calls were looked at."""
    open: list[Entering]
    """Calls whose argument rests on cells, so that it can grow."""
    is_wide: bool = False
    """More classes came in than can be meant."""


class Target(msgspec.Struct, frozen=True, gc=False):
    """What one call site can reach."""

    scope: int
    tier: Tier
    how: How
    bound: int | None
    """How many of its parameters the call itself fills; None for what is called from inside, with other arguments."""
    is_open: bool = False
    """A subclass may be meant."""


class Gathered(msgspec.Struct, gc=False):
    """What is known about one edge so far."""

    tier: Tier
    confidence: float
    how: How
    lines: tuple[int, ...] | list[int]
    """A tuple as long as it is one line, as for most edges: the finished edge keeps it."""


class Reach(msgspec.Struct, gc=False, eq=False):
    """What call sites reach that are alike."""

    edges: tuple[tuple[int, Tier, How, float], ...]
    externals: tuple[str, ...]
    is_known: bool
    """Something is known about the callee, be it that it is nothing of the project."""
    is_guessable: bool
    """The callee is an attribute of something that nothing is known about."""
    entrance: Entrance


class Site(msgspec.Struct, gc=False, eq=False):
    """A call site whose callee rests on cells, so that it is resolved again when they grow."""

    file: SourceFile
    index: int
    """The call, or the decorator."""
    caller: int
    how: How
    decorated: int
    """The definition that a decorator is applied to, else NONE."""
    reach: Reach
    first: frozenset[int]
    """What it reached before anything flowed."""
