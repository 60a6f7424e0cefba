"""Score: what speaks for each node, as named parts that add up. Pure; all figures lie between 0 and about 1.

| part | of a symbol | of a group (a file, a class, a module) |
|---|---|---|
| text | best chunk's BM25 over the best of all, and a little of its other chunks | its best member and a damped sum of the others |
| asked | share of the sub-questions that find it, each by its BM25 | its best member |
| name | the question names it; less where the name is ambiguous | its best member |
| path | the question or a stack frame names its place | its best member |
| graph | seed's weight, times decay, confidence and kind of each edge walked; more where one file stands out | its best member |
| file | a share of its file's score: entities are ranked within files that fit | |
| tests | taken off test code, unless the question is about tests | |
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from hindsight_neo4j.model.chunk import Hit
from hindsight_neo4j.model.graph import EdgeKind
from hindsight_neo4j.retrieval.anchors import AnchorKind
from hindsight_neo4j.retrieval.frontier import Reached
from hindsight_neo4j.retrieval.state import Named, RetrievalState

Parts = dict[str, float]
Fit = TypeVar("Fit", float, npt.NDArray[np.float32])


@dataclass(frozen=True, slots=True)
class Ranked:
    """Ids with their parts, best first. `functions` and `pieces` hold nodes of all kinds, each for itself alone.

    `pieces` are for packing.
    """

    files: list[tuple[str, Parts]]
    modules: list[tuple[str, Parts]]
    classes: list[tuple[str, Parts]]
    functions: list[tuple[str, Parts]]
    pieces: list[tuple[str, Parts]]


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each part counts. Set by hand, then checked on a few packages of the training set (benchmarks)."""

    text: float = 1.0
    asked: float = 0.25
    name: float = 0.4
    path: float = 0.5
    graph: float = 0.1
    graph_of_file: float = 0.25
    graph_of_piece: float = 0.4
    graph_when_alone: float = 8.0
    file: float = 0.15
    more_chunks: float = 0.1
    more_members: float = 0.25
    member_damping: float = 0.6
    tests_off: float = 0.5


WEIGHTS: Final = Weights()

_MEMBERS_COUNTED = 8
_FIFTH = 4
_EDGE_WEIGHT: Final[dict[str, float]] = {
    EdgeKind.INVOKES: 1.0,
    EdgeKind.TESTS: 1.0,
    EdgeKind.INHERITS: 0.9,
    EdgeKind.OVERRIDES: 0.9,
    EdgeKind.IMPORTS: 0.8,
    EdgeKind.REFERENCES: 0.6,
    EdgeKind.CONTAINS: 0.5,
}


def symbol_parts(state: RetrievalState, weights: Weights = WEIGHTS) -> dict[str, Parts]:
    """Return the parts of every node that was hit, named or reached."""
    parts: dict[str, Parts] = defaultdict(dict)
    for name, values in (
        ("text", _text(state.hits, weights.more_chunks)),
        ("asked", _asked(state.part_hits)),
        ("name", _named(state.named, (AnchorKind.IDENTIFIER,))),
        ("path", _named(state.named, (AnchorKind.PATH, AnchorKind.FRAME))),
        ("graph", _graph(state, weights.graph_when_alone)),
    ):
        weight = getattr(weights, name)
        for node, value in values.items():
            parts[node][name] = weight * value
    return dict(parts)


def group_parts(members: Sequence[Parts], weights: Weights = WEIGHTS) -> Parts:
    """Return the parts of a group from its members': the best of each, and a little of the others' text."""
    if len(members) == 1:  # as most groups have
        return dict(members[0])
    names = dict.fromkeys(name for parts in members for name in parts)
    grouped = {name: max(parts.get(name, 0.0) for parts in members) for name in names}
    texts = sorted((parts.get("text", 0.0) for parts in members), reverse=True)
    more = sum(
        text * weights.member_damping**rank
        for rank, text in enumerate(texts[1 : _MEMBERS_COUNTED + 1])
    )
    if more:
        grouped["text"] += weights.more_members * more
    return grouped


def regraphed(parts: Parts, weight: float, weights: Weights = WEIGHTS) -> Parts:
    """Return `parts` with the graph counting `weight`: a neighbour is surer to be in the right file than the right one.

    Measured on eight training packages: a weight of .35 raised file@5 from .851 to .859 and cost function@5 .02.
    """
    if "graph" not in parts:
        return parts
    return {**parts, "graph": parts["graph"] * weight / weights.graph}


def without_tests(parts: Parts, weights: Weights = WEIGHTS) -> Parts:
    """Return `parts` with the share taken off that test code loses."""
    return {**parts, "tests": -weights.tests_off * total(parts)}


def total(parts: Parts) -> float:
    """Return the score that `parts` add up to."""
    return sum(parts.values())


def _text(hits: Iterable[Hit], more_chunks: float) -> dict[str, float]:
    scores = _scores(hits)
    top = max((each[0] for each in scores.values()), default=1.0)
    return {
        symbol: (each[0] + more_chunks * sum(each[1:4])) / top for symbol, each in scores.items()
    }


def _asked(part_hits: Sequence[tuple[Hit, ...]]) -> dict[str, float]:
    shares: dict[str, float] = defaultdict(float)
    for hits in part_hits:
        for symbol, scores in _scores(hits).items():
            shares[symbol] += scores[0] / hits[0].score / len(part_hits)
    return dict(shares)


def _scores(hits: Iterable[Hit]) -> dict[str, list[float]]:
    """Chunk scores by symbol, best first, as the hits come."""
    scores: dict[str, list[float]] = defaultdict(list)
    for hit in hits:
        scores[hit.chunk.symbol].append(hit.score)
    return scores


def _named(named: Iterable[Named], kinds: tuple[AnchorKind, ...]) -> dict[str, float]:
    return {each.place.id: each.strength for each in named if each.kind in kinds}


def way_strengths(state: RetrievalState) -> dict[str, float]:
    """Return for each node reached its seed's weight, lessened by every edge on the way, times the policy's pull."""
    if state.policy is None:
        return {}
    weights = {seed.id: seed.weight for seed in state.seeds}
    policy = state.policy
    return {
        node.id: policy.pull * weights.get(node.seed, 0.0) * _way(node, policy.decay)
        for node in state.reached
    }


def _graph(state: RetrievalState, alone: float) -> dict[str, float]:
    more = 1.0 + alone * _standing_alone(state.hits)
    return {node: more * strength for node, strength in way_strengths(state).items()}


def _standing_alone(hits: Sequence[Hit]) -> float:
    """How far the best file stands above the others, 0 to 1: then its neighbours say more than the next best words.

    The cube of the drop from the first file's best chunk to the fifth's.
    """
    best: dict[str, float] = {}
    for hit in hits:
        best.setdefault(hit.chunk.path, hit.score / hits[0].score)
    scores = list(best.values())
    return (1.0 - (scores[_FIFTH] if len(scores) > _FIFTH else 0.0)) ** 3


def _way(node: Reached, decay: float) -> float:
    strength = 1.0
    for hop in node.hops:
        strength *= decay * hop.confidence * _EDGE_WEIGHT.get(hop.kind, 0.5)
    return strength


def fit_of_file(best: Fit, root_of_squares: Fit, title: Fit) -> Fit:
    """Return how well a file fits before anything is learned, from the BM25 of its hits over the best of all.

    Args:
        best: That of its best hit.
        root_of_squares: The root of the sum of its hits' squares.
        title: That of its best hit by the first part of the question, mostly a title.
    """
    fit: Fit = best + 0.25 * (root_of_squares - best) + 0.5 * title
    return fit


def shares_of_files(
    parts: Mapping[str, Parts], file_scores: Mapping[str, float], weights: Weights = WEIGHTS
) -> dict[str, Parts]:
    """Return `parts` of symbols, each with a share of its file's score, the best file's being 1."""
    best = max(file_scores.values(), default=0.0) or 1.0
    return {
        node: {
            **own,
            "file": weights.file * max(file_scores.get(node.split(":", 1)[0], 0.0), 0.0) / best,
        }
        for node, own in parts.items()
    }
