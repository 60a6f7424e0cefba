"""Templates: checked Cypher files, their parameters and their rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

ROW_CAP: Final = 10_000
"""Most rows of an answer, where nobody asks for more: what a person can read, and far below what costs memory."""

READ_TIMEOUT_S: Final = 60.0
"""Longest wait for an answer, where nobody asks for another: the longest template took 25 s on 290,000 edges."""

Value: TypeAlias = str | int | float | bool | list[str] | list[int] | list[float] | None
"""What a parameter or a column can hold."""

Params: TypeAlias = Mapping[str, Value]
Row: TypeAlias = dict[str, Value]


def number(value: Value) -> float:
    """Return the number that a column holds, 0 where it holds none."""
    return value if isinstance(value, int | float) else 0


def whole(value: Value) -> int:
    """Return the whole number that a column holds, 0 where it holds none."""
    return int(number(value))


class ParamType(StrEnum):
    """Types of template parameters."""

    STRING = "string"
    INT = "int"
    FLOAT = "float"
    STRINGS = "list<string>"


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a template: its type, and its unit or meaning in a few words."""

    name: str
    type: ParamType
    meaning: str


@dataclass(frozen=True, slots=True)
class Template:
    """A parameterized Cypher text.

    `name` is its path without suffix, such as "lookup/callers". `columns` are the names its rows hold, in order; empty
    for a user's own text, whose columns are not known before it runs. `bound` says the most rows and hops in words.
    `example` is a ready `:param` line for Neo4j Browser.
    """

    name: str
    summary: str
    params: tuple[Param, ...]
    columns: tuple[str, ...]
    bound: str
    example: str
    text: str
