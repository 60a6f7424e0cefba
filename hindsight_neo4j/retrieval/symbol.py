"""Symbols by the names that people write: an id, a dotted name, or the end of one."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from typing import Final

from hindsight_neo4j.errors import SymbolError
from hindsight_neo4j.model.graph import Node, NodeKind
from hindsight_neo4j.model.template import Row, Value, whole
from hindsight_neo4j.retrieval.state import Sources

MOST_CANDIDATES: Final = 20
"""Most candidates that an error lists."""

_ROWS = 1_000
_LONGEST_NAME = 4_096  # no path of a file system is longer
_NEAR = 5
_PREFIX = 3  # letters that a misspelt name is trusted to have right
_EXTERNAL = "ext:"


def resolve(sources: Sources, name: str) -> Node:
    """Return the one node that `name` means.

    A name is an id (`src/db.py:Store.put`) or the end of one from a `/` on (`db.py:Store.put`); a qualified name with
    the module before it (`pkg.db.Store.put`), or its end from a dot on (`Store.put`); a file's path, its end, or its
    module (`pkg.db`). The first reading that fits anything decides, and code comes before externals.

    Raises:
        SymbolError: Nothing fits, with near names; or several nodes fit equally, with their ids.
    """
    wanted = name.strip().replace("::", ".")
    if not wanted or len(wanted) > _LONGEST_NAME:
        raise SymbolError(
            "the name of a symbol is missing" if not wanted else "no symbol has so long a name",
            hint="give an id, a qualified name, or the end of one",
        )
    fitting = _fitting(sources, wanted)
    if not fitting:
        raise _unknown(sources, wanted)
    if len(fitting) > 1:
        shown = tuple(sorted(fitting)[:MOST_CANDIDATES])
        raise SymbolError(
            f"{wanted} can mean {len(fitting)} symbols",
            candidates=shown,
            hint="say which, by its id",
        )
    return node(*_rows(sources, "lookup/nodes", ids=fitting))


def _fitting(sources: Sources, wanted: str) -> list[str]:
    """Return the ids that `wanted` can mean by the first reading that fits any."""
    if _rows(sources, "lookup/nodes", ids=[wanted]):
        return [wanted]
    last_parts = {wanted.rpartition(mark)[2].partition("~")[0] for mark in "/.:"}
    rows = _rows(sources, "lookup/symbols_named", names=sorted(last_parts), limit=_ROWS)
    readings: tuple[Callable[[str], Iterable[str]], ...] = (_paths, _modules, _packages)
    for spelled in readings:
        fitting = [
            str(row["id"])
            for row in rows
            if any(_ends(spelling, wanted) for spelling in spelled(str(row["id"])))
        ]
        if fitting:
            return [one for one in fitting if not one.startswith(_EXTERNAL)] or fitting
    files = _rows(sources, "lookup/files_holding", part=wanted.replace(".", "/"), limit=_ROWS)
    return [
        str(row["id"])
        for row in files
        if any(_ends(spelling, wanted) for spelling in _modules(str(row["id"])))
    ]


def _paths(node: str) -> Iterable[str]:
    """Yield the ways to write an id by its path."""
    yield node
    yield node.removeprefix(_EXTERNAL)


def _modules(node: str) -> Iterable[str]:
    """Yield the id with dots for slashes and without the file's suffix."""
    path, mark, qualname = node.partition(":")
    folder, slash, file = path.rpartition("/")
    stem = file.partition(".")[0] or file
    yield f"{folder}{slash}{stem}{'.' if mark else ''}{qualname}".replace("/", ".")


def _packages(node: str) -> Iterable[str]:
    """Yield the id as `_modules`, without the file's name: a package passes names of its files on."""
    path, _, qualname = node.partition(":")
    yield f"{path.rpartition('/')[0]}/{qualname}".replace("/", ".")


def _ends(spelling: str, wanted: str) -> bool:
    """Return whether `wanted` is all of `spelling`, or its end from a separator on."""
    if not spelling.endswith(wanted):
        return False
    at = len(spelling) - len(wanted)
    return at == 0 or spelling[at - 1] in "/.:"


def _unknown(sources: Sources, wanted: str) -> SymbolError:
    last = wanted.rpartition(":")[2].rpartition(".")[2][:100]
    rows = _rows(sources, "lookup/symbols_starting", prefix=last[:_PREFIX].lower(), limit=_ROWS)
    ids: dict[str, list[str]] = {}
    for row in rows:
        ids.setdefault(str(row["name"]), []).append(str(row["id"]))
    near = difflib.get_close_matches(last, ids, _NEAR)
    candidates = tuple(one for name in near for one in ids[name])[:_NEAR]
    shown = f"near it: {', '.join(candidates)}" if candidates else "check the spelling"
    return SymbolError(f"{wanted[:100]} is no symbol of this snapshot", hint=shown)


def _rows(sources: Sources, template: str, **params: Value) -> list[Row]:
    return sources.run("resolve", template, {"snapshot": sources.snapshot, **params})[0]


def node(row: Row) -> Node:
    return Node(
        id=str(row["id"]),
        kind=NodeKind(str(row["kind"])),
        name=str(row["name"]),
        qualname=str(row["qualname"]),
        path=str(row["path"]),
        start_line=whole(row["start_line"]),
        end_line=whole(row["end_line"]),
        language=str(row["language"]),
        is_test=bool(row["is_test"]),
        signature=str(row["signature"]),
        doc=str(row["doc"]),
        unresolved=whole(row["unresolved"]),
        unresolved_names=str(row["unresolved_names"]),
    )
