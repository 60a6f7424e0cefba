"""Decompose: a question becomes at most four sub-questions, each a piece of its text with the anchors in it.

    >>> [part.text for part in decompose("Where is `Store.put` defined, and who calls it?")]
    ['Where is `Store.put` defined', 'who calls it?']

A question of one clause is its own only sub-question. Pieces are cut at ends of sentences and lines and before
"and how", "and where", "but why" ...; of a long text the first piece (a title, mostly) is kept and then those that bring the most
anchors not seen before.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from hindsight_neo4j.errors import QuestionError
from hindsight_neo4j.model.question import SubQuestion
from hindsight_neo4j.retrieval.anchors import Anchor, find_anchors

ANALYSED_LENGTH = 20_000
"""Characters of a question that are looked at; longer ones are logs, whose first part names the failure.

The longest issue text of the public localization benchmarks has about this length."""

MOST_SUBQUESTIONS = 4

_ASKING = r"(?:how|where|why|what|which|who|when|whether|does|do|is|are|can|should)"
_CUT = re.compile(
    r"\n+"
    r"|(?<=[.?!])[ \t]+(?=(?-i:[A-Z])|[`\"'])"
    r"|(?<=[?!])[ \t]+"
    r"|;[ \t]+"
    rf"|,?[ \t](?:and|but|or)[ \t]+(?={_ASKING}\b)",
    re.IGNORECASE,
)
_CONTENT = re.compile(r"\w{2,}")
_EDGE = " \t\r\n,;#>*-"


def check_question(question: str) -> str:
    """Return the part of `question` that is analysed.

    Raises:
        QuestionError: There is nothing in it but space and punctuation.
    """
    blank = len(question) - len(question.lstrip())
    text = question[: blank + ANALYSED_LENGTH]
    if not any(character.isalnum() for character in text):
        raise QuestionError("the question is empty", hint="ask something with at least one word")
    return text


def decompose(question: str) -> tuple[SubQuestion, ...]:
    """Return the sub-questions of `question` in its order, at least one.

    Raises:
        QuestionError: The question is blank.
    """
    text = check_question(question)
    anchors = find_anchors(text)
    pieces = [_sub_question(text, start, end, anchors) for start, end in _clauses(text)]
    if len(pieces) < 2:
        start, end = _trimmed(text, 0, len(text))
        return (_sub_question(text, start, end, anchors),)
    return tuple(_most_telling(pieces))


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the clauses that hold two words or an anchor; fences of code blocks and bare marks fall out."""
    start = 0
    for match in _CUT.finditer(text):
        yield from _worth_asking(text, start, match.start())
        start = match.end()
    yield from _worth_asking(text, start, len(text))


def _worth_asking(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    start, end = _trimmed(text, start, end)
    if len(_CONTENT.findall(text[start:end])) >= 2:
        yield start, end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in _EDGE:
        start += 1
    while end > start and text[end - 1] in _EDGE:
        end -= 1
    return start, end


def _sub_question(text: str, start: int, end: int, anchors: Sequence[Anchor]) -> SubQuestion:
    first = bisect_left(anchors, start, key=_start)
    last = bisect_left(anchors, end, lo=first, key=_start)
    inside = dict.fromkeys(anchor.name or anchor.path for anchor in anchors[first:last])
    return SubQuestion(text=text[start:end], start=start, end=end, anchors=tuple(inside))


def _start(anchor: Anchor) -> int:
    return anchor.start


def _most_telling(pieces: list[SubQuestion]) -> list[SubQuestion]:
    """The first piece and those with the most anchors not yet covered, in the order of the text."""
    kept, rest = [pieces[0]], pieces[1:]
    covered = set(pieces[0].anchors)
    while rest and len(kept) < MOST_SUBQUESTIONS:
        best = max(rest, key=lambda piece: (len(set(piece.anchors) - covered), -piece.start))
        kept.append(best)
        covered.update(best.anchors)
        rest.remove(best)
    return sorted(kept, key=lambda piece: piece.start)
