"""What others know about a repository: runs of it, and compilers. `evidence/` reads it, `link/` joins it to the facts.

Paths are from the repository root with "/" between parts, lines are 1-based, columns 0-based. A function is named as in
the graph, `path:Qual.name`, and a file by its path.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hindsight_neo4j.model.graph import How


@dataclass(frozen=True, slots=True)
class SeenCall:
    """A call that a run took."""

    caller: str
    callee: str
    line: int
    how: How


@dataclass(frozen=True, slots=True)
class RanFile:
    """Lines of one file that ran, each with the names of the tests that ran it.

    A test's name is pytest's (`path::Class::test[case]|run`) or a dotted one (`package.module.Class.test`).
    """

    path: str
    tests_by_line: Mapping[int, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Mention:
    """A symbol at a place: its definition, or a use of it."""

    symbol: str
    line: int
    column: int
    is_definition: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one file says. `source` is its path as the user gave it, for messages."""

    source: str
    calls: Sequence[SeenCall] = ()
    ran: Iterable[RanFile] = ()
    """Read once, file by file: all at once would be larger than the graph."""
    ran_functions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Test -> the functions it ran."""
    mentions: Mapping[str, Sequence[Mention]] = field(default_factory=dict)
    """By path."""
    implements: Sequence[tuple[str, str]] = ()
    """Pairs of symbols: the first is a form of the second."""
