"""What every chunk store does with a question and with what it finds, so that all rank alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Final, TypeVar

from hindsight_neo4j.model.chunk import FIELDS, Chunk, Hit
from hindsight_neo4j.stores.tokens import tokenize

DEFAULT_WEIGHTS: Final = {"name": 2.0, "path": 1.5, "signature": 1.2, "doc": 1.0, "body": 1.0}
"""Boost by field: a match in a name says more than one in a body."""

MAX_QUESTION_TERMS: Final = 400
"""Most distinct terms of a question that are looked up, the first ones. A pasted log of a megabyte has thousands."""

SCALE: Final = 2.2
"""Both engines multiply BM25 by k1 + 1, which changes no ranking; a score of ours is without it."""

EQUAL_DIGITS: Final = 5
"""Scores that agree in so many digits are ties: engines add in single precision, each in an order of its own, so that what is
equal differs in the seventh or eighth.
"""

Found = TypeVar("Found")


def weighted_terms(
    question: str, weights: Mapping[str, float] | None
) -> list[tuple[str, str, float]]:
    """Return what to look for, as field, term and boost: each distinct term of a question in each field that counts.

    Args:
        question: Any text.
        weights: Boost by field; None: `DEFAULT_WEIGHTS`.
    """
    boosts = DEFAULT_WEIGHTS if weights is None else weights
    terms = list(islice(dict.fromkeys(tokenize(question).split()), MAX_QUESTION_TERMS))
    return [
        (field, term, boosts[field])
        for field in FIELDS
        if boosts.get(field, 0.0) > 0.0
        for term in terms
    ]


def best(
    search: Callable[[int], list[tuple[float, Found]]],
    read: Callable[[Found], Chunk],
    limit: int,
    scale: float = SCALE,
) -> list[Hit]:
    """Return the best `limit` chunks of what `search` finds, best first, ties by chunk id.

    Args:
        search: Returns the best so many with the engine's scores, in no certain order among equals.
        read: Turns what it found into a chunk.
        limit: Most to return.
        scale: The engine's score for one of ours.
    """
    hits = [Hit(read(found), score) for score, found in _with_ties(search, limit, scale)]
    return sorted(hits, key=lambda hit: (-_comparable(hit.score), hit.chunk.id))[:limit]


def by_symbol(chunks: Iterable[Chunk]) -> dict[str, list[Chunk]]:
    """Return the chunks of each symbol, in line order."""
    found: dict[str, list[Chunk]] = {}
    for chunk in sorted(chunks, key=lambda chunk: (chunk.symbol, chunk.start_line, chunk.id)):
        found.setdefault(chunk.symbol, []).append(chunk)
    return found


def _with_ties(
    search: Callable[[int], list[tuple[float, Found]]], limit: int, scale: float
) -> list[tuple[float, Found]]:
    """Return the best `limit` and all that score as the last of them, with scores of ours."""
    fetched = limit + 1
    while True:
        hits = [(score / scale, found) for score, found in search(fetched)]
        if len(hits) < fetched or _comparable(hits[-1][0]) < _comparable(hits[limit - 1][0]):
            return hits
        fetched *= 2


def _comparable(score: float) -> float:
    return float(f"{score:.{EQUAL_DIGITS}g}")
