"""Recorded runs: JSON Lines, compressed by gzip if the name ends in `.gz`.

    {"t": "edge", "caller": "src/app.py::save", "callee": "src/db.py::Store.put", "kind": "call", "line": 12}
    {"t": "test", "test": "tests/test_app.py::TestApp::test_save", "call": ["src/app.py::save"], "setup": []}

`kind` is `call`, `wrapped` (through a decorator's wrapper), `new` (the callee is a class; `init` is the constructor that
ran), `callback` or `implicit` (no call in the text; `op` is the interpreter's instruction). Module-level code is
`path::<module>`. Other kinds and other rows are passed over.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hindsight_neo4j.errors import SourceError
from hindsight_neo4j.evidence.places import Places
from hindsight_neo4j.model.evidence import Evidence, SeenCall
from hindsight_neo4j.model.graph import How

MAX_ROW: Final = 20_000_000
"""Longest row, in characters."""

_HOW = {"call": How.CALL, "wrapped": How.CALL, "new": How.NEW, "callback": How.CALLBACK}
_IMPLICIT = (
    ("LOAD_ATTR", How.PROPERTY),
    ("STORE_ATTR", How.PROPERTY),
    ("BEFORE_", How.WITH),
    ("FOR_ITER", How.ITERATION),
    ("GET_ITER", How.ITERATION),
)


def read(path: Path, root: Path) -> Evidence:
    """Return the calls and the functions of each test.

    Raises:
        SourceError: A row is not of this form, or all are of another repository.
    """
    places = Places(path, root)
    calls: list[SeenCall] = []
    ran: dict[str, list[str]] = {}
    for number, row in _rows(path):
        try:
            if row.get("t") == "edge":
                calls += _calls(row, places)
            elif row.get("t") == "test":
                functions = (_id(name, places) for name in (*row["call"], *row.get("setup", ())))
                ran.setdefault(str(row["test"]), []).extend(name for name in functions if name)
        except (KeyError, TypeError, ValueError) as error:
            raise _not_a_trace(path, number, f"{type(error).__name__}: {error}") from error
    places.refuse_foreign()
    return Evidence(str(path), calls=calls, ran_functions=ran)


def _calls(row: dict[str, Any], places: Places) -> Iterator[SeenCall]:
    how = _how(row)
    caller = _id(row["caller"], places)
    line = int(row["line"])
    for name in (row["callee"], row.get("init")):
        callee = _id(name, places) if name else None
        if how and caller and callee:
            yield SeenCall(caller, callee, line, how)


def _how(row: dict[str, Any]) -> How | None:
    if row["kind"] == "implicit":
        op = str(row.get("op", ""))
        return next((how for start, how in _IMPLICIT if op.startswith(start)), How.OPERATOR)
    return _HOW.get(row["kind"])


def _id(name: str, places: Places) -> str | None:
    """Return a function's id, None where it is in no file of the repository."""
    path, _, qualname = str(name).partition("::")
    inside = places.inside(path)
    if inside is None or qualname in ("", "<module>"):
        return inside
    return f"{inside}:{qualname}"


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    opened = gzip.open if path.name.endswith(".gz") else open
    number = 0
    try:
        with opened(path, "rt", encoding="utf-8") as file:
            while line := file.readline(MAX_ROW):
                number += 1
                if line.strip():
                    row = json.loads(line)
                    if not isinstance(row, dict):
                        raise _not_a_trace(path, number, "no object")
                    yield number, row
    except (OSError, EOFError, ValueError, RecursionError) as error:
        raise _not_a_trace(path, number, str(error)) from error


def _not_a_trace(path: Path, number: int, why: str) -> SourceError:
    return SourceError(
        f"{path}:{number}: no row of a recorded run ({why[:200]})",
        hint="docs/evidence.md shows the rows",
    )
