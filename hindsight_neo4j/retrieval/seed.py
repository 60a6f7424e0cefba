"""Seed: where the walk starts. Keyword hits of the question and its parts, and the nodes that its anchors name."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from hindsight_neo4j.model.chunk import Hit
from hindsight_neo4j.model.graph import NodeKind
from hindsight_neo4j.model.question import Step
from hindsight_neo4j.model.template import Params
from hindsight_neo4j.retrieval.anchors import Anchor, AnchorKind
from hindsight_neo4j.retrieval.place import around, place_of_row
from hindsight_neo4j.retrieval.state import Named, Place, RetrievalState, Seed, Sources
from hindsight_neo4j.retrieval.wording import asks_about_tests, search_words

HITS: Final = 300
"""Chunks taken for the whole question: enough for 20 files of a repository that has long ones."""

PART_HITS: Final = 100
"""Chunks taken for one sub-question, which only confirms what the whole question finds."""

MOST_NAMES: Final = 40
"""Names looked up in the symbol index at most; a long log names hundreds."""

MOST_NAMED: Final = 1_000
"""Rows of that look-up: `__init__` alone has thousands in a big repository, and says nothing."""

MOST_SEEDS: Final = 10
"""Seeds of a walk: each costs a comparison with every node on the embedded engine."""

AMBIGUOUS: Final = 10
"""A name with more definitions than this says little: it counts a tenth and is no seed."""

LEAST_SEED: Final = 0.5
"""Share of the best seed's weight that a seed has at least. What is a seed is not found by the walk, so a weak hit is
better left for the walk to confirm."""

_WITH_HOLDERS = 4
_HOLDER_SHARE = 0.9
_TEST_SEED_SHARE = (
    0.7  # a test that is not asked about is a way to code, less sure than code itself
)


def seed(state: RetrievalState) -> RetrievalState:
    """Search, look up the anchors, and choose the seeds."""
    hits, part_hits, searches = _search(state)
    named, lookups = _named(state)
    return replace(
        state,
        hits=hits,
        part_hits=part_hits,
        named=named,
        seeds=_seeds(state, (hits, *part_hits[:1]), named),
        steps=(*state.steps, *searches, *lookups),
    )


def _search(
    state: RetrievalState,
) -> tuple[tuple[Hit, ...], tuple[tuple[Hit, ...], ...], list[Step]]:
    whole = state.question if len(state.subquestions) > 1 else state.subquestions[0].text
    hits, step = state.sources.search("seed", search_words(whole), HITS)
    if len(state.subquestions) < 2 or _is_plain(state):
        return tuple(hits), (), [step]
    parts = [
        state.sources.search("seed", search_words(part.text), PART_HITS)
        for part in state.subquestions
    ]
    return (
        tuple(hits),
        tuple(tuple(found) for found, _ in parts),
        [step, *(each for _, each in parts)],
    )


def _is_plain(state: RetrievalState) -> bool:
    return state.policy is not None and state.policy.plain


# --- names ----------------------------------------------------------------------------------------


def _named(state: RetrievalState) -> tuple[tuple[Named, ...], list[Step]]:
    names = list(dict.fromkeys(_names_to_look_up(state.anchors)))[:MOST_NAMES]
    if not names or _is_plain(state):
        return (), []
    places, steps = _look_up(state.sources, names)
    best: dict[str, Named] = {}
    for found in _resolved(state.anchors, places):
        known = best.get(found.place.id)
        if known is None or found.strength > known.strength:
            best[found.place.id] = found
    ranked = sorted(best.values(), key=lambda each: (-each.strength, each.place.id))
    return tuple(ranked), steps


def _look_up(sources: Sources, names: list[str]) -> tuple[dict[str, list[Place]], list[Step]]:
    """The nodes of each name. Where common names fill the rows, the others are looked up again by themselves."""
    places: dict[str, list[Place]] = {}
    steps: list[Step] = []
    while names:
        params: Params = {"snapshot": sources.snapshot, "names": names, "limit": MOST_NAMED}
        rows, step = sources.run("seed", "lookup/symbols_named", params)
        steps.append(step)
        found: dict[str, list[Place]] = defaultdict(list)
        for place in map(place_of_row, rows):
            found[place.name].append(place)
        places.update(found)
        common = {name for name, each in found.items() if len(each) > AMBIGUOUS}
        was_cut = len(rows) == MOST_NAMED and common
        names = [name for name in names if name not in common] if was_cut else []
    return places, steps


def _names_to_look_up(anchors: Iterable[Anchor]) -> Iterator[str]:
    """The names by which the symbol index may know what the anchors mean: frames first, they are the surest."""
    ordered = sorted(anchors, key=lambda anchor: anchor.kind is not AnchorKind.FRAME)
    for anchor in ordered:
        if anchor.path:
            yield anchor.path.rsplit("/", 1)[-1]
        if anchor.kind is AnchorKind.FRAME and anchor.name:
            yield anchor.name
        elif anchor.kind is AnchorKind.IDENTIFIER:
            yield from reversed(anchor.name.split(".")[-2:])


def _resolved(anchors: Sequence[Anchor], places: Mapping[str, list[Place]]) -> Iterator[Named]:
    frames = [anchor for anchor in anchors if anchor.kind is AnchorKind.FRAME]
    for anchor in anchors:
        if anchor.kind is AnchorKind.IDENTIFIER:
            yield from _of_identifier(anchor, places)
        elif anchor.kind is AnchorKind.PATH:
            yield from _of_path(anchor, places)
        elif anchor.kind is AnchorKind.FRAME:
            depth = len(frames) - 1 - frames.index(anchor)  # the last frame is where it happened
            yield from _of_frame(anchor, places, 1.0 / (1.0 + 0.5 * depth))


def _of_identifier(anchor: Anchor, places: Mapping[str, list[Place]]) -> Iterator[Named]:
    parts = anchor.name.split(".")
    for known in range(len(parts), max(len(parts) - 2, 0), -1):  # `Store.put`, then `Store`
        found = _best_matches(parts[:known], places.get(parts[known - 1], ()))
        if found:
            share = 1.0 if known == len(parts) else 0.6
            yield from _named_all(anchor, [(place, share * fit) for place, fit in found])
            return


def _best_matches(parts: Sequence[str], places: Iterable[Place]) -> list[tuple[Place, float]]:
    """The places whose dotted name fits the qualifiers best, with how well: 1 wholly, .8 loosely, .4 by the last name."""
    fits = [
        (place, _fit(parts, place))
        for place in places
        if place.kind in (NodeKind.CLASS, NodeKind.FUNCTION, NodeKind.EXTERNAL)
    ]
    best = max((fit for _, fit in fits), default=0.0)
    return [(place, fit) for place, fit in fits if fit == best]


def _fit(parts: Sequence[str], place: Place) -> float:
    dotted = place.id.rsplit("~", 1)[0].replace("/", ".").replace(":", ".").split(".")
    if dotted[-len(parts) :] == list(parts):
        return 1.0
    return 0.8 if set(parts) <= set(dotted) else 0.4


def _of_path(anchor: Anchor, places: Mapping[str, list[Place]]) -> Iterator[Named]:
    name = anchor.path.rsplit("/", 1)[-1]
    files = [place for place in places.get(name, ()) if place.kind == NodeKind.FILE]
    fitting = [place for place in files if same_path(place.path, anchor.path)]
    yield from _named_all(anchor, [(place, 1.0) for place in fitting])


def _of_frame(anchor: Anchor, places: Mapping[str, list[Place]], share: float) -> Iterator[Named]:
    functions = [
        place
        for place in places.get(anchor.name, ())
        if place.kind in (NodeKind.FUNCTION, NodeKind.CLASS) and same_path(place.path, anchor.path)
    ]
    if functions:
        yield from _named_all(anchor, [(place, share) for place in functions])
    else:
        for found in _of_path(anchor, places):
            yield replace(found, strength=found.strength * share)


def same_path(path: str, mentioned: str) -> bool:
    """Say whether one path ends with the other at a folder's border: frames of an installed copy have longer ones.

    >>> same_path("pkg/db.py", "/usr/lib/site-packages/pkg/db.py"), same_path("a/db.py", "b/db.py")
    (True, False)
    """
    ours, theirs = f"/{path}", f"/{mentioned.lstrip('./')}"
    return ours.endswith(theirs) or theirs.endswith(ours)


def _named_all(anchor: Anchor, found: Sequence[tuple[Place, float]]) -> Iterator[Named]:
    spread = 0.1 if len(found) > AMBIGUOUS else 1.0 / math.sqrt(len(found) or 1)
    for place, fit in found:
        yield Named(place, anchor.text, anchor.kind, fit * spread)


# --- seeds ----------------------------------------------------------------------------------------


def _seeds(
    state: RetrievalState, searches: Sequence[Sequence[Hit]], named: Sequence[Named]
) -> tuple[Seed, ...]:
    """The best of what is named and of the searches: the whole question's, and its first part's, mostly a title."""
    policy = state.policy
    sure = {each.place.id: each.strength for each in named if each.strength > 0.1}
    weights = dict(sure)
    if policy is None or not (policy.from_named and sure):
        about_tests = asks_about_tests(state.question)
        for hits in searches:
            for hit in hits[:MOST_SEEDS]:
                share = 1.0 if about_tests or not hit.chunk.is_test else _TEST_SEED_SHARE
                weight = share * hit.score / hits[0].score
                weights[hit.chunk.symbol] = max(weights.get(hit.chunk.symbol, 0.0), weight)
    least = LEAST_SEED * max(weights.values(), default=0.0)
    ranked = sorted(
        ((node, weight) for node, weight in weights.items() if weight >= least),
        key=lambda item: (-item[1], item[0]),
    )
    if policy is not None and policy.holders:
        ranked = _with_holders(ranked)
    return tuple(Seed(node, weight) for node, weight in ranked[:MOST_SEEDS])


def _with_holders(ranked: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """The first symbols, and the classes and files that hold the first few, in the order of their weight."""
    joined = dict(ranked[:_WITH_HOLDERS])
    for node, weight in ranked[:_WITH_HOLDERS]:
        for holder in reversed(around(node)[:-1]):
            joined[holder] = max(joined.get(holder, 0.0), _HOLDER_SHARE * weight)
    for node, weight in ranked[_WITH_HOLDERS:]:
        joined.setdefault(node, weight)
    return sorted(joined.items(), key=lambda item: (-item[1], item[0]))
