"""Circles of imports, of any length: `import_cycles(sources)`.

No walk of a written length finds them all, and no Cypher that both engines read goes on until it is done. So the
database says which file imports which, and the circles are looked for here.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from hindsight_neo4j.retrieval.state import Sources

MOST_IMPORTS: Final = 10_000_000
"""Pairs of files that are read: more than any repository is known to have."""

Circle: TypeAlias = tuple[str, ...]


def import_cycles(sources: Sources) -> tuple[Circle, ...]:
    """Return circles of files, each of which imports the next, and the last one the first; the shortest come first.

    Of each import that is part of a circle the shortest circle is there, so that what cuts all of these leaves none.
    """
    rows = sources.graph.run(
        sources.catalogue.get("lookup/file_imports"),
        {"snapshot": sources.snapshot, "limit": MOST_IMPORTS},
        row_cap=MOST_IMPORTS,
    )
    imports: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        imports[str(row["path"])].append(str(row["imported"]))
    left = _without_ends(imports)
    circles = {circle for file in left for circle in _circles_closed_by_importing(file, left)}
    return tuple(sorted(circles, key=lambda circle: (len(circle), circle)))


def _without_ends(imports: Mapping[str, list[str]]) -> Mapping[str, list[str]]:
    """Return the files in circles and between them: those that import one of these, and that one of these imports."""
    while True:
        imported = {target for targets in imports.values() for target in targets}
        left = {
            file: targets
            for file, all_targets in imports.items()
            if file in imported and (targets := [one for one in all_targets if one in imports])
        }
        if len(left) == len(imports):
            return left
        imports = left


def _circles_closed_by_importing(file: str, imports: Mapping[str, list[str]]) -> Iterator[Circle]:
    """Yield for each import of `file` the shortest circle in which it is, begun with the first name of it."""
    came_from = {file: file}
    waiting = deque([file])
    while waiting:
        reached = waiting.popleft()
        for target in imports[reached]:
            if target == file:
                yield _circle(reached, file, came_from)
            elif target in imports and target not in came_from:
                came_from[target] = reached
                waiting.append(target)


def _circle(last: str, first: str, came_from: Mapping[str, str]) -> Circle:
    way = [last]
    while way[-1] != first:
        way.append(came_from[way[-1]])
    way.reverse()
    start = way.index(min(way))
    return (*way[start:], *way[:start])
