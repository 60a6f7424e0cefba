"""What every chunk store does with a question and with equal scores, so that all rank alike."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Final, TypeVar

from hindsight_neo4j.stores.tokens import tokenize

DEFAULT_WEIGHTS: Final = {"name": 2.0, "path": 1.5, "signature": 1.2, "doc": 1.0, "body": 1.0}
"""Boost by field: a match in a name says more than one in a body."""

MAX_QUESTION_TERMS: Final = 400
"""Most distinct terms of a question that are looked up, the first ones. A pasted log of a megabyte has thousands."""

SCALE: Final = 2.2
"""Both engines multiply BM25 by k1 + 1, which changes no ranking; a score of ours is without it."""

Found = TypeVar("Found")


def terms_of(question: str) -> list[str]:
    """Return the distinct tokens of a question that count."""
    return list(islice(dict.fromkeys(tokenize(question).split()), MAX_QUESTION_TERMS))


def with_ties(
    search: Callable[[int], list[tuple[float, Found]]], limit: int
) -> list[tuple[float, Found]]:
    """Return the best `limit` of what `search` finds and all that score as the last of them.

    Args:
        search: Returns the best so many with their scores, in no certain order among equals.
        limit: Most to find.
    """
    fetched = limit + 1
    while True:
        hits = search(fetched)
        if len(hits) < fetched or hits[-1][0] < hits[limit - 1][0]:
            return hits
        fetched *= 2
