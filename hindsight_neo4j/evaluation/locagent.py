"""A graph search after LocAgent (Chen et al., ACL 2025), without the language model that steers it there.

The model there calls three tools in a loop; here rules stand in its place:

    SearchEntity     keywords → entities     the names that the question holds, and the first hits of keyword search
    TraverseGraph    entities → neighbours   one hop, either way, along contain, import, invoke and inherit
    RetrieveEntity   neighbours → source     it is read, and what shares most words with the question is followed next

Its graph is kept: a call is an edge to *every* function or class of that name in the caller's own file and in the files
that it imports from. So are its four kinds of edges, none of ours, and that nothing depends on an intent. It differs in
that nobody chooses keywords, kinds and directions for the question at hand, that two rounds are walked whatever was found,
that callees are read off the text of a chunk ("name(") instead of its tree, and that what was found is ordered by this
system's hand-set weights, where the model writes its answer down, several times, and the answers vote.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import msgspec

from hindsight_neo4j.model.chunk import Chunk
from hindsight_neo4j.model.graph import EdgeKind, NodeKind
from hindsight_neo4j.model.question import Hop
from hindsight_neo4j.model.template import Params
from hindsight_neo4j.retrieval.frontier import Reached, StepRule, walk
from hindsight_neo4j.retrieval.place import place_of_chunks, place_of_row
from hindsight_neo4j.retrieval.state import Place, RetrievalState, Sources
from hindsight_neo4j.retrieval.wording import content_words

ROUNDS: Final = 2
"""Rounds of the loop: the hops that the other conditions walk."""

FOLLOWED: Final = 10
"""Entities that a round starts from, as many as the other conditions' walks have seeds."""

MOST_READ: Final = 500
"""Entities whose source is read in a round; hubs have thousands of neighbours."""

MOST_CALLERS: Final = 300
MOST_NAMESAKES: Final = 1_000
"""Chunks looked at for calls of a name, and definitions looked up for the names that are called."""

_WALKED = (EdgeKind.CONTAINS, EdgeKind.IMPORTS, EdgeKind.INHERITS)
_EITHER_WAY = (StepRule("step/out", _WALKED), StepRule("step/in", _WALKED))
_CALL = re.compile(r"(?<!def )(?<!class )\b([A-Za-z_]\w*)\(")
_CALLABLE = (NodeKind.FUNCTION, NodeKind.CLASS)


def search_graph(state: RetrievalState) -> RetrievalState:
    """Fill `reached`, as `expand` does for the other conditions."""
    graph = _Graph(state.sources)
    words = {word.lower() for word in content_words(state.question)}
    start = {seed.id: seed.id for seed in state.seeds}
    found: dict[str, Reached] = {}
    frontier = list(start)
    for distance in range(1, ROUNDS + 1):
        new = []
        for each in graph.neighbours(frontier):
            if each.id not in start and each.id not in found:
                before = found.get(each.seed)
                found[each.id] = _behind(each, before, distance) if before else each
                new.append(each.id)
        frontier = _followed(state.sources, new, words)
    return replace(state, reached=tuple(found.values()))


def _behind(found: Reached, before: Reached, distance: int) -> Reached:
    """Return a neighbour of `before` as what is reached from its seed."""
    return msgspec.structs.replace(
        found, seed=before.seed, distance=distance, hops=(*before.hops, *found.hops)
    )


def _followed(sources: Sources, nodes: Sequence[str], words: Collection[str]) -> list[str]:
    """Return those whose source holds most of the question's words."""
    chunks = sources.chunks_of(nodes[:MOST_READ])
    texts = {node: "\n".join(c.text for c in each).lower() for node, each in chunks.items()}
    shared = {node: sum(word in text for word in words) for node, text in texts.items()}
    return sorted(shared, key=lambda node: (-shared[node], node))[:FOLLOWED]


class _Graph:
    """The edges of LocAgent's graph around some entities of a snapshot."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._imported: dict[str, set[str]] = {}

    def neighbours(self, nodes: Sequence[str]) -> Iterator[Reached]:
        """Yield what is one hop from any of `nodes`, which is its seed; some several times."""
        sources = self._sources
        yield from walk(
            sources.graph,
            sources.catalogue,
            sources.snapshot,
            nodes,
            steps=_EITHER_WAY,
            max_hops=1,
        ).reached
        chunks = sources.chunks_of(nodes)
        yield from self._callees(chunks)
        for node in nodes:
            yield from self._callers(node)

    def _callees(self, chunks: dict[str, list[Chunk]]) -> Iterator[Reached]:
        names = {
            node: {name for chunk in each for name in _CALL.findall(chunk.text)}
            for node, each in chunks.items()
        }
        self._read_imports(_path(node) for node in chunks)
        params: Params = {
            "snapshot": self._sources.snapshot,
            "names": sorted(set().union(*names.values())),
            "limit": MOST_NAMESAKES,
        }
        rows, _ = self._sources.run("expand", "lookup/symbols_named", params)
        defined: dict[str, list[Place]] = defaultdict(list)
        for place in map(place_of_row, rows):
            if place.kind in _CALLABLE:
                defined[place.name].append(place)
        for node, called in names.items():
            for name in sorted(called):
                for place in defined[name]:
                    if place.path in self._imported[_path(node)] and place.id != node:
                        yield _reached(place, node, forward=True)

    def _callers(self, node: str) -> Iterator[Reached]:
        name = node.rpartition(":")[2].rpartition(".")[2].partition("~")[0]
        if ":" not in node:
            return
        hits = self._sources.chunks.search(
            name, snapshot=self._sources.title, limit=MOST_CALLERS, weights={"body": 1.0}
        )
        calling = [hit.chunk for hit in hits if name in _CALL.findall(hit.chunk.text)]
        self._read_imports(chunk.path for chunk in calling)
        for chunk in calling:
            if _path(node) in self._imported[chunk.path] and chunk.symbol != node:
                yield _reached(place_of_chunks([chunk]), node, forward=False)

    def _read_imports(self, paths: Iterable[str]) -> None:
        """Learn the files that each file imports from, itself among them."""
        unknown = sorted(set(paths) - self._imported.keys())
        if not unknown:
            return
        self._imported.update((path, {path}) for path in unknown)
        params: Params = {
            "snapshot": self._sources.snapshot,
            "ids": unknown,
            "kinds": [EdgeKind.IMPORTS.value],
            "min_confidence": 0.0,
            "limit": 100 * MOST_NAMESAKES,
        }
        rows, _ = self._sources.run("expand", "step/out", params)
        for row in rows:
            self._imported[str(row["seed"])].add(str(row["path"]))


def _path(node: str) -> str:
    return node.partition(":")[0]


def _reached(place: Place, node: str, *, forward: bool) -> Reached:
    src, dst = (node, place.id) if forward else (place.id, node)
    hop = Hop(src, dst, EdgeKind.INVOKES, forward, _path(src), 0, "call", "", 1.0)
    return Reached(
        id=place.id,
        kind=place.kind,
        name=place.name,
        path=place.path,
        start_line=place.start_line,
        end_line=place.end_line,
        signature=place.signature,
        doc=place.doc,
        is_test=place.is_test,
        unresolved=place.unresolved,
        seed=node,
        distance=1,
        hops=(hop,),
        lines=(),
        line_path=_path(src),
        confidence=1.0,
    )
