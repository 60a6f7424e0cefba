"""Values on their way into an engine and back: parameters checked against their template, columns made plain, errors one line."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from hindsight_neo4j.errors import TemplateError
from hindsight_neo4j.model.template import Params, ParamType, Row, Template, Value
from hindsight_neo4j.stores.records import storable

_INT_BITS = 63
"""Integers of both engines are signed 64-bit."""


def bound(template: Template, params: Params) -> dict[str, Value]:
    """Return `params` as the engines take them.

    Raises:
        TemplateError: A parameter is missing, unknown or of the wrong type.
    """
    declared = {param.name: param.type for param in template.params}
    if missing := [name for name in declared if name not in params]:
        raise TemplateError(
            f"template {template.name} needs {_listed(missing)}",
            hint=f"give a value: --param {missing[0]}=...",
        )
    if unknown := [name for name in params if name not in declared]:
        raise TemplateError(
            f"template {template.name} has no {_listed(unknown)}",
            hint=f"its parameters are {', '.join(declared)}" if declared else "it takes none",
        )
    return {name: _bound(template, name, kind, params[name]) for name, kind in declared.items()}


def _bound(template: Template, name: str, kind: ParamType, value: Value) -> Value:
    match kind, value:
        case ParamType.STRING, str():
            return storable(value)
        case ParamType.INT, int() if not isinstance(value, bool) and _fits(value):
            return value
        case ParamType.FLOAT, int() | float() if not isinstance(value, bool) and _finite(value):
            return float(value)
        case ParamType.STRINGS, list() | tuple() if all(isinstance(one, str) for one in value):
            return [storable(str(one)) for one in value]
    raise TemplateError(
        f"parameter ${name} of template {template.name} must be {_MEANINGS[kind]}",
        hint=f"this is not: {repr(value)[:60]}",
    )


_MEANINGS = {
    ParamType.STRING: "a string",
    ParamType.INT: "a whole number of 64 bits",
    ParamType.FLOAT: "a finite number",
    ParamType.STRINGS: "a list of strings",
}


def _fits(value: int) -> bool:
    return -(1 << _INT_BITS) <= value < 1 << _INT_BITS


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an int beyond the range of floats
        return False


def _listed(names: Sequence[str]) -> str:
    return "parameter " + ", ".join(f"${name[:60]}" for name in names)


def rows(template: Template, columns: Sequence[str], records: Sequence[Sequence[Any]]) -> list[Row]:
    """Return an engine's records as rows of plain values.

    Raises:
        TemplateError: The columns are not those the template promises, or one holds no plain value.
    """
    if template.columns and tuple(columns) != template.columns:
        raise TemplateError(
            f"template {template.name} returns {', '.join(columns)}",
            hint=f"its header says {', '.join(template.columns)}",
        )
    return [
        {name: _plain(name, value) for name, value in zip(columns, record, strict=True)}
        for record in records
    ]


def first_line(error: object) -> str:
    """Return what an engine's error, or the text of one, says: its first line, cut."""
    return (str(error).strip() or type(error).__name__).split("\n", 1)[0][:300]


def short_name(text: str) -> str:
    """Return a name for `text` that no engine finds too long: Elasticsearch refuses terms of more than 32,766 bytes,
    tantivy leaves out those of more than 65,530.
    """
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def _plain(column: str, value: Any) -> Value:
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Decimal):  # the embedded engine's sum() of integers
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, list) and all(isinstance(one, str | int | float) for one in value):
        return value
    raise TemplateError(
        f"column {column!r:.80} holds no plain value",
        hint="return properties of nodes and edges, not the nodes and edges themselves",
    )
