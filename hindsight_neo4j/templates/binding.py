"""Values for a template's parameters, from Python or as text from a command line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hindsight_neo4j.errors import TemplateError
from hindsight_neo4j.model.template import Param, ParamType, Template, Value


def bind(template: Template, params: Mapping[str, Value]) -> dict[str, Value]:
    """Return `params` with each value of the type that the template declares.

    A string for another type is read: a number as such, a list from JSON or from parts between commas.

    Raises:
        TemplateError: A parameter is missing, unknown or of the wrong type.
    """
    declared = {param.name: param for param in template.params}
    if unknown := [name for name in params if name not in declared]:
        raise TemplateError(
            f"template {template.name} has no parameter {_listed(unknown)}",
            hint=f"it takes {_listed(list(declared))}" if declared else "it takes none",
        )
    if missing := [name for name in declared if name not in params]:
        raise TemplateError(
            f"template {template.name} needs {_listed(missing)}",
            hint=f"try {_in_one_line(template.example)}",
        )
    return {name: _typed(template, param, params[name]) for name, param in declared.items()}


def _in_one_line(example: str) -> str:
    return "; ".join(example.splitlines())


def guess(text: str) -> Value:
    """Return what the text of a parameter without a declared type means: a JSON number or list of strings, else itself.

    >>> guess("20"), guess('["a", "b"]'), guess("db.py:Store.put")
    (20, ['a', 'b'], 'db.py:Store.put')
    """
    value = _json(text)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    return value if _is_strings(value) else text


def _typed(template: Template, param: Param, value: Value) -> Value:
    read = _read(param.type, value) if isinstance(value, str) else value
    match param.type, read:
        case ParamType.STRING, str():
            return read
        case ParamType.INT, int() if not isinstance(read, bool):
            return read
        case ParamType.FLOAT, int() | float() if not isinstance(read, bool):
            return read
        case ParamType.STRINGS, list() if _is_strings(read):
            return read
    raise TemplateError(
        f"parameter ${param.name} of template {template.name} is no {param.type}: {value!r:.80}",
        hint=f"try {_in_one_line(template.example)}",
    )


def _read(wanted: ParamType, text: str) -> Any:
    if wanted is ParamType.STRING:
        return text
    value = _json(text)
    if wanted is ParamType.STRINGS and not _is_strings(value):
        return [part.strip() for part in text.split(",") if part.strip()]
    return value


def _json(text: str) -> Any:
    """Return what `text` is as JSON; None where it is none, or nested or long beyond reason."""
    try:
        return json.loads(text, parse_constant=lambda _: None)  # NaN is no JSON
    except (ValueError, RecursionError):
        return None


def _is_strings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _listed(names: list[str]) -> str:
    return ", ".join(f"${name[:80]}" for name in names)
