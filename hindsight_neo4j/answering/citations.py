"""Citations: an answer cut into sentences, and each place it cites checked against what the model was given.

A citation holds when its file was given, when at least half of its lines were, and when, should the sentence name code in
backticks, one of those names stands in the pieces cited. No model is asked; what does not hold is marked.

    >>> from hindsight_neo4j.model.question import Evidence
    >>> given = [Evidence("a.py:put", "a.py", 3, 9, "def put(key): ...", 9, True, ())]
    >>> [one.supported for one in check("`put` keeps it [a.py:3-9]. It is fast. So is [b.py:1-2].", given)]
    [True, False, False]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from hindsight_neo4j.model.answer import Citation, Fault, Sentence
from hindsight_neo4j.model.question import Evidence

LEAST_SHARE: Final = 0.5
"""Least share of the cited lines that must have been given: room for a blank line or a decorator, not for a whole file."""

MOST_SENTENCES: Final = 200
LONGEST_ANSWER: Final = 40_000
"""Characters of an answer that are looked at; 1,024 tokens are a tenth of it."""

_LONGEST_NUMBER: Final = 9  # digits; no file has more lines
_LINES: Final = r":(?:L|lines? )?(?P<start>\d+)(?:\s{0,3}(?:-|–|—|to)\s{0,3}L?(?P<end>\d+))?"
_PATH: Final = r"[\w.@+~][\w.@+~/\\-]{0,400}\.[A-Za-z]\w{0,10}"
_BRACKETED: Final = r"(?<=[\[(`,;] )[^\[\]()`:;,\n]{1,400}|(?<=[\[(`,;])[^\[\]()`:;,\n]{1,400}"
_END: Final = re.compile(
    r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)[ \t]+(?=[\"'(*_`\[A-Z])|\n[ \t]*\n\s*|(?<=[.!?:\])])[ \t]*\n\s*"
)
_ONLY_PLACES: Final = re.compile(r"[\s\[\](),;.`-]*")
_NAME: Final = re.compile(r"`([^`\n]{1,200})`")
_NUMBER: Final = r"(?:pieces? )?\d{1,3}"
_NUMBERS: Final = re.compile(
    rf"`[^`\n]*`|(?<![\w)\]\"'])\[(?P<first>{_NUMBER}(?:\s?[,;]\s?{_NUMBER})*)\](?:\s?\[{_NUMBER}\])*(?![(\w])"
)
_BRACKETS: Final = re.compile(r"[ \t]*(?:\[[^\[\]\n]*\]|\([^()\n]*\))")
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_MARK: Final = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+", re.MULTILINE)


def check(text: str, given: Sequence[Evidence]) -> tuple[Sentence, ...]:
    """Return the sentences of `text`, each with its citations checked against the pieces `given`.

    A sentence that stands in the text more than once is returned once.
    """
    finder = _finder(given)
    found: dict[str, Sentence] = {}
    for piece in _sentences(text[:LONGEST_ANSWER], finder):
        if len(found) == MOST_SENTENCES:
            break
        citations = tuple(
            replace(one, fault=_fault(piece, one, given)) for one in _cited(piece, finder)
        )
        supported = bool(citations) and all(one.holds for one in citations)
        found.setdefault(piece, Sentence(piece, citations, supported))
    return tuple(found.values())


def with_places(text: str, given: Sequence[Evidence]) -> str:
    """Return `text` with numbers of pieces in square brackets, as the prompt asks for them, replaced by the places of the pieces.

    A number that no piece has is left as it is, and so is what stands in backticks: it is code.

    >>> given = [Evidence("a.py:put", "a.py", 3, 9, "def put(key): ...", 9, True, ())]
    >>> with_places("`put` keeps it [1], so `keys[1]` is kept [7].", given)
    '`put` keeps it [a.py:3-9], so `keys[1]` is kept [7].'
    """

    def placed(match: re.Match[str]) -> str:
        numbers = [int(each) for each in re.findall(r"\d+", match[0])] if match["first"] else []
        if not numbers or not all(1 <= each <= len(given) for each in numbers):
            return match[0]
        cited = (given[each - 1] for each in numbers)
        places = dict.fromkeys(f"{each.path}:{each.start_line}-{each.end_line}" for each in cited)
        return f"[{', '.join(places)}]"

    return _NUMBERS.sub(placed, text)


def with_found_places(text: str, given: Sequence[Evidence]) -> str:
    r"""Return the sentences of `text`, each that names code in backticks with the place where all its names stand, if there is one.

    For answers that cite nothing, as those of small models do. The piece that defines the first name goes first, then what was
    found first.

    >>> given = [Evidence("a.py:put", "a.py", 3, 9, "def put(key): ...", 9, True, ())]
    >>> with_found_places("`put` takes a `key`. `drop` does not.", given)
    '`put` takes a `key`. [a.py:3-9]\n\n`drop` does not.'
    """

    def placed(sentence: str) -> str:
        names = _names(sentence, given)
        there = [piece for piece in given if all(_stands(name, piece) for name in names)]
        if not names or not there:
            return sentence
        best = min(there, key=lambda piece: _WORD.findall(piece.id)[-1:] != names[:1])
        return f"{sentence} [{best.path}:{best.start_line}-{best.end_line}]"

    return "\n\n".join(map(placed, _sentences(text[:LONGEST_ANSWER], _finder(given))))


def without_places(text: str, given: Sequence[Evidence]) -> str:
    """Return `text` without the brackets that hold nothing but places: what it says, and not where it stands.

    >>> without_places("`put` keeps it [a.py:3-9], (always) [b.py:1, c.py:2-3].", [])
    '`put` keeps it, (always).'
    """
    finder = _finder(given)

    def said(match: re.Match[str]) -> str:
        holds = finder.search(match[0]) and not _says_something(match[0], finder)
        return "" if holds else match[0]

    return _BRACKETS.sub(said, text)


def _finder(given: Sequence[Evidence]) -> re.Pattern[str]:
    """The pattern of a citation: a path that was given, whatever it looks like, or anything that looks like one."""
    known = sorted({piece.path for piece in given}, key=len, reverse=True)
    either = "|".join([*map(re.escape, known), _PATH, _BRACKETED])
    return re.compile(rf"(?<![\w/\\.])(?:\./)?(?P<path>{either})(?::[A-Za-z_][\w.~]*)?{_LINES}")


def _sentences(text: str, finder: re.Pattern[str]) -> Iterator[str]:
    """Sentences and points of lists. What holds nothing but places belongs to the sentence before it."""
    held = ""
    for part in _split(_MARK.sub("\n\n", text), finder):
        piece = " ".join(part.split())
        if not piece:
            continue
        if held and not _says_something(piece, finder):
            held = f"{held} {piece}"
            continue
        if held:
            yield held
        held = piece
    if held:
        yield held


def _split(text: str, finder: re.Pattern[str]) -> Iterator[str]:
    """Cut at ends of sentences, but not inside a citation: a path may hold ". A"."""
    inside = [match.span() for match in finder.finditer(text)]
    at = begin = 0
    for match in _END.finditer(text):
        while at < len(inside) and inside[at][1] <= match.start():
            at += 1
        if at < len(inside) and inside[at][0] < match.start():
            continue
        yield text[begin : match.start()]
        begin = match.end()
    yield text[begin:]


def _says_something(piece: str, finder: re.Pattern[str]) -> bool:
    return not _ONLY_PLACES.fullmatch(finder.sub("", piece))


def _cited(piece: str, finder: re.Pattern[str]) -> Iterator[Citation]:
    for match in finder.finditer(piece):
        start = int(match["start"][:_LONGEST_NUMBER])
        end = int((match["end"] or match["start"])[:_LONGEST_NUMBER])
        yield Citation(match["path"].strip(), start, end)


def _fault(sentence: str, citation: Citation, given: Sequence[Evidence]) -> Fault:
    in_file = [piece for piece in given if piece.path == citation.path]
    if not in_file:
        return Fault.NO_FILE
    touched = [piece for piece in in_file if _overlap(citation, piece)]
    length = citation.end_line - citation.start_line + 1
    if citation.start_line < 1 or length < 1 or _covered(citation, touched) < LEAST_SHARE * length:
        return Fault.NO_LINES
    names = _names(sentence, given)
    if names and not any(_stands(name, piece) for name in names for piece in touched):
        return Fault.NO_WORDS
    return Fault.NONE


def _overlap(citation: Citation, piece: Evidence) -> bool:
    return piece.start_line <= citation.end_line and citation.start_line <= piece.end_line


def _covered(citation: Citation, pieces: Sequence[Evidence]) -> int:
    """How many of the cited lines were given, each counted once."""
    covered, last = 0, citation.start_line - 1
    for piece in sorted(pieces, key=lambda each: each.start_line):
        start = max(piece.start_line, last + 1)
        end = min(piece.end_line, citation.end_line)
        covered += max(0, end - start + 1)
        last = max(last, end)
    return covered


def _names(sentence: str, given: Sequence[Evidence]) -> list[str]:
    """The last words of what the sentence has in backticks, of a file its name; places left out."""
    suffixes = {piece.path.rpartition(".")[2] for piece in given}
    quoted = (match[1] for match in _NAME.finditer(sentence) if not re.search(r":\d", match[1]))
    found = (words for each in quoted if (words := _WORD.findall(each)))
    return [".".join(words[-2:]) if words[-1] in suffixes else words[-1] for words in found]


def _stands(name: str, piece: Evidence) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", f"{piece.id}\n{piece.text}") is not None
