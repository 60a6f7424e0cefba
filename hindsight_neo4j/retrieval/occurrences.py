"""Where a name stands in the text: the definition, and the places that no edge stands for.

The graph has no node for every word of the source; the chunks have the source itself, and the name is among their tokens.
So a search finds the chunks that hold it, and their lines are read. Of those the lines that an edge stands for are known,
and those that lead to another symbol of the same name are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from hindsight_neo4j.model.chunk import Chunk
from hindsight_neo4j.model.graph import EdgeKind, Node
from hindsight_neo4j.model.lookup import Related
from hindsight_neo4j.model.template import Params
from hindsight_neo4j.retrieval.frontier import StepRule, walk
from hindsight_neo4j.retrieval.state import Sources

DEFINITION: Final = "DEFINES"
MENTION: Final = "MENTIONS"
"""What the graph has no edge for, in the place of an edge's kind."""

MOST_CHUNKS: Final = 1_000
"""Chunks read; those that hold the name most often come first."""

MOST_NAMESAKES: Final = 100
"""Other symbols of the name whose uses are told apart."""

USES: Final = (
    EdgeKind.INVOKES,
    EdgeKind.REFERENCES,
    EdgeKind.IMPORTS,
    EdgeKind.INHERITS,
    EdgeKind.OVERRIDES,
)

_Spot = tuple[str, int]
"""Path and line."""


def occurrences(sources: Sources, symbol: Node, uses: Iterable[Related]) -> list[Related]:
    """Return the definition of `symbol`, then the places where its name stands and that none of `uses` is at."""
    name = re.compile(rf"(?<!\w){re.escape(symbol.name)}(?!\w)")
    hits = sources.chunks.search(
        symbol.name, snapshot=sources.title, limit=MOST_CHUNKS, weights={"body": 1.0}
    )
    chunks = sorted((hit.chunk for hit in hits), key=lambda chunk: (chunk.path, chunk.start_line))
    namesakes = _namesakes(sources, symbol)
    known = {(use.line_path, line) for use in uses for line in use.lines}
    known |= _led_to(sources, namesakes)
    defined: list[Related] = []
    mentioned: list[Related] = []
    named = {symbol.id, *namesakes}
    for chunk in chunks:
        lines = [
            chunk.start_line + at
            for at, text in enumerate(chunk.text.splitlines())
            if name.search(text)
        ]
        if lines and chunk.symbol in named and chunk.id == chunk.symbol:
            named.remove(chunk.symbol)
            first = lines.pop(0)
            if chunk.symbol == symbol.id:
                defined.append(_related(chunk, DEFINITION, (first,)))
        left = tuple(line for line in lines if (chunk.path, line) not in known)
        known.update((chunk.path, line) for line in left)
        if left:
            mentioned.append(_related(chunk, MENTION, left))
    return [*defined, *mentioned]


def _namesakes(sources: Sources, symbol: Node) -> list[str]:
    params: Params = {
        "snapshot": sources.snapshot,
        "names": [symbol.name],
        "limit": MOST_NAMESAKES,
    }
    rows, _ = sources.run("lookup", "lookup/symbols_named", params)
    return [str(row["id"]) for row in rows if row["id"] != symbol.id]


def _led_to(sources: Sources, symbols: Sequence[str]) -> set[_Spot]:
    """Return the places from which edges lead to `symbols`."""
    spots: set[_Spot] = set()
    for kind in USES if symbols else ():
        found = walk(
            sources.graph,
            sources.catalogue,
            sources.snapshot,
            symbols,
            steps=(StepRule("step/in", (kind,), expands=False),),
            max_hops=1,
        ).reached
        spots.update((each.line_path, line) for each in found for line in each.lines)
    return spots


def _related(chunk: Chunk, edge: str, lines: tuple[int, ...]) -> Related:
    is_definition = edge == DEFINITION
    return Related(
        id=chunk.symbol,
        kind=chunk.kind,
        path=chunk.path,
        start_line=chunk.start_line,
        end_line=chunk.end_line,
        signature=chunk.signature,
        is_test=chunk.is_test,
        hops=0 if is_definition else 1,
        edge=edge,
        line_path=chunk.path,
        lines=lines,
        how="definition" if is_definition else "text",
        tier="",
        confidence=1.0 if is_definition else 0.0,
        via=(),
    )
