"""The sieve: which lessons are kept, and what is taken out of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hindsight_neo4j.model.question import Located

NEAR: Final = 0.6
"""Share of common words from which two questions count as copies of one another, as the benchmark data's own check."""

_WORD: Final = re.compile(r"\w{2,}")


@dataclass(frozen=True, slots=True)
class Gold:
    """The places that a question is known to be about. An empty grain is not asked for."""

    files: tuple[str, ...]
    modules: tuple[str, ...]
    functions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranks:
    """How far down each grain the places may be for a run to count as right."""

    files: int = 3
    modules: int = 5
    functions: int = 5


def found_at(most: int, ranked: Sequence[str], gold: Sequence[str]) -> bool:
    """Say whether the first `most` hold as many of `gold` as they can (the rule of LocAgent's Acc@k).

    >>> found_at(2, ["a", "b", "c"], ["b", "c"]), found_at(3, ["a", "b", "c"], ["b", "c"])
    (False, True)
    """
    return len({*ranked[:most]} & {*gold}) >= min(most, len({*gold}))


def missed(located: Located, gold: Gold, ranks: Ranks) -> str:
    """Return the first grain whose places a ranking does not hold high enough; empty where all are."""
    for grain in ("files", "modules", "functions"):
        ranked = [each.id for each in getattr(located, grain)]
        if not found_at(getattr(ranks, grain), ranked, getattr(gold, grain)):
            return grain
    return ""


class Known:
    """Questions seen so far, to find copies of them. Looks at those alone that share a rare word."""

    def __init__(self, questions: Iterable[str] = ()) -> None:
        self._by_word: dict[str, list[frozenset[str]]] = {}
        for question in questions:
            self.add(question)

    def add(self, question: str) -> None:
        """Remember a question."""
        words = _words(question)
        for word in words:
            self._by_word.setdefault(word, []).append(words)

    def has_like(self, question: str) -> bool:
        """Say whether a question like this one is known."""
        words = _words(question)
        # Two sets that share more than NEAR of their words share one of any (1 - NEAR) of them; the rarest are cheapest.
        rare = sorted(words, key=lambda word: (len(self._by_word.get(word, ())), word))
        looked_at = rare[: int(len(rare) * (1 - NEAR)) + 1]
        return any(
            len(words & other) > NEAR * len(words | other)
            for word in looked_at
            for other in self._by_word.get(word, ())
        )


def _words(question: str) -> frozenset[str]:
    """Return the words of a question, in lower case."""
    return frozenset(_WORD.findall(question.lower()))


_SECRETS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    (
        "private key",
        re.compile(
            r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----.{0,20000}?(?:-----END [A-Z ]{0,40}-----|\Z)",
            re.S,
        ),
    ),
    ("token", re.compile(r"\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,})")),
    ("token", re.compile(r"\bxox[abeoprs]-[\w-]{10,}")),
    ("key", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{35}")),
    ("key", re.compile(r"\bsk-(?:[a-z]{2,10}-)?[\w-]{20,}|\bhf_[A-Za-z]{30,}|\bnpm_\w{30,}")),
    ("token", re.compile(r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}")),
    ("password", re.compile(r"(?<=://)[^\s:/@\"']{1,100}:[^\s:/@\"'{}]{1,100}(?=@)")),
    (
        "password",
        re.compile(
            r"(?i)(?<![a-z])(?:password|passwd|secret|api_?key|access_?token|auth_?token)"
            r"[\"']?\s{0,3}[:=]\s{0,3}[\"'](?P<value>[^\"'\s{}$<>%]{8,200})[\"']"
        ),
    ),
    ("address", re.compile(r"\b[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,5}\b")),
)


def redact(text: str) -> tuple[str, int]:
    """Return `text` with what looks like a secret or an e-mail address written as <its kind>, and how many there were."""
    count = 0
    for kind, pattern in _SECRETS:

        def out(match: re.Match[str], kind: str = kind) -> str:
            value = match.groupdict().get("value")
            return match[0].replace(value, f"<{kind}>") if value else f"<{kind}>"

        text, times = pattern.subn(out, text)
        count += times
    return text, count
