"""What an agent may do: search entities, traverse the graph, retrieve an entity (LocAgent's three), over our templates.

Every tool only reads the index, takes names and gives text, and is bounded. There is no other tool: a model that asks for
one is told so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from hindsight_neo4j.errors import SymbolError
from hindsight_neo4j.model.question import Hop
from hindsight_neo4j.retrieval.frontier import StepRule, walk
from hindsight_neo4j.retrieval.place import place_of_row
from hindsight_neo4j.retrieval.state import Place, Sources
from hindsight_neo4j.retrieval.symbol import resolve

MOST_NAMES: Final = 8
"""Names that one step looks at."""

MOST_ROWS: Final = 20
"""Rows that one step shows."""

MOST_PER_KIND: Final = 10
"""Neighbours of one kind that a traversal adds in a hop, the surest first."""

LONGEST_TEXT: Final = 6_000
"""Characters of source that one step shows, some 1,500 tokens."""

_LONGEST_NAME = 300


@dataclass(frozen=True, slots=True)
class Found:
    """What a tool found: the text that the model sees, and the ids in it, best first."""

    text: str
    ids: tuple[str, ...]


Tool = Callable[[Sources, Sequence[str], str], Found]


def search_entity(sources: Sources, names: Sequence[str], _: str = "") -> Found:
    """Find nodes by identifiers, paths or words."""
    ids: dict[str, None] = {}
    for name in names:
        try:
            ids[resolve(sources, name).id] = None
        except SymbolError as error:
            ids.update(dict.fromkeys(error.candidates[:MOST_PER_KIND]))
    words = " ".join(names)
    if any(map(str.isalnum, words)):
        hits, _step = sources.search("agent", words, MOST_ROWS)
        ids.update(dict.fromkeys(hit.chunk.symbol for hit in hits))
    places = places_of(sources, list(ids)[:MOST_ROWS])
    lines = [_described(place) for place in places]
    return Found("\n".join(lines) or "nothing found", tuple(place.id for place in places))


def traverse_graph(sources: Sources, names: Sequence[str], direction: str) -> Found:
    """Follow the edges of nodes one hop, out or in, and down to what they hold."""
    seeds = _resolved(sources, names)
    if not seeds:
        return Found("none of these ids is in the graph", ())
    rules = (
        StepRule("step/in" if direction == "in" else "step/out", cap=MOST_PER_KIND),
        StepRule("step/children", cap=MOST_PER_KIND),
    )
    found = walk(
        sources.graph, sources.catalogue, sources.snapshot, seeds, steps=rules, max_hops=1
    ).reached[:MOST_ROWS]
    lines = [_edge(each.hops[-1]) for each in found if each.hops]
    return Found("\n".join(lines) or "no edges that way", tuple(each.id for each in found))


def retrieve_entity(sources: Sources, names: Sequence[str], _: str = "") -> Found:
    """Read the source of nodes."""
    ids = _resolved(sources, names)
    chunks = sources.chunks_of(ids)
    texts, room = [], LONGEST_TEXT
    for node in ids:
        for chunk in chunks.get(node, ()):
            text = f"{node}  lines {chunk.start_line}-{chunk.end_line}\n{chunk.text}"[:room]
            room -= len(text)
            if text:
                texts.append(text)
    read = tuple(node for node in ids if node in chunks)
    return Found("\n".join(texts) or "no source is kept under these ids", read)


TOOLS: Final[dict[str, Tool]] = {
    "search_entity": search_entity,
    "traverse_graph": traverse_graph,
    "retrieve_entity": retrieve_entity,
}
"""All that an agent may do."""


def run(sources: Sources, action: str, names: Sequence[str], direction: str) -> Found:
    """Run one of `TOOLS`; anything else is answered with their names and does nothing."""
    tool = TOOLS.get(action)
    if tool is None:
        return Found(f"there is no such action; there are: {', '.join(TOOLS)}, finish", ())
    short = [name.strip()[:_LONGEST_NAME] for name in names if name.strip()]
    if not short:
        return Found("give at least one name", ())
    return tool(sources, short[:MOST_NAMES], direction)


def places_of(sources: Sources, ids: Sequence[str]) -> list[Place]:
    """Return the places of nodes, in the order of `ids`; what is unknown is left out."""
    if not ids:
        return []
    rows, _ = sources.nodes("agent", ids)
    by_id = {str(row["id"]): place_of_row(row) for row in rows}
    return [by_id[node] for node in ids if node in by_id]


def _resolved(sources: Sources, names: Sequence[str]) -> list[str]:
    """The ids that names mean, those alone that mean one node."""
    ids: dict[str, None] = {}
    for name in names:
        try:
            ids[resolve(sources, name).id] = None
        except SymbolError:
            continue
    return list(ids)


def _described(place: Place) -> str:
    lines = f"{place.start_line}-{place.end_line}" if place.start_line else ""
    return f"{place.kind} {place.id} {lines} {place.doc}".strip()


def _edge(hop: Hop) -> str:
    where = f" at {hop.path}:{hop.line}" if hop.line else ""
    return f"{hop.src} -{hop.kind}-> {hop.dst}{where}"
