"""What the plain words of a question say: the ones worth searching for, and whether it is about tests."""

from __future__ import annotations

import re
from typing import Final

MOST_WORDS: Final = 1_000
"""Words searched for at most; a pasted log repeats itself long before."""

_WORD = re.compile(r"\w+")
_TESTS = re.compile(r"\btests?\b|\btest_\w|\bpytest\b|\bconftest\b|\bfixtures?\b", re.IGNORECASE)
_TESTS_WITHIN = 300  # a long report that runs into a test later on is not about tests

_PROSE_TEXT: Final = """
a about above after again all also although am an and any are aren't as at be because been
before being below between both but by can cannot could did do does doing don't done down during
each either etc few for from further get gets getting give given go goes going got had has have
having he hello help hence her here hi him his how however i if in instead into is isn't it its
itself just let like likely make makes many may maybe me might more most much must my near need
needs no nor not now of off ok on once one only or other our out over own perhaps please
possible quite rather really same see seem seems shall she should since so some something still
such sure than thank thanks that the their them then there therefore these they thing things
think this those though through thus to too try trying under until up us use used uses using
very via want wants was way we well were what when where whether which while who whom whose why
will with within without would yes yet you your
"""
_PROSE: Final = frozenset(_PROSE_TEXT.split())
"""Words of English prose that say nothing about code. Names of code (`get`, `not`) are found through anchors."""


def content_words(text: str) -> list[str]:
    """Return the words of `text` that are worth searching for, in order and with repeats, at most `MOST_WORDS`.

    >>> content_words("Why is the CUDA batching equivalence test skipped?")
    ['CUDA', 'batching', 'equivalence', 'test', 'skipped']
    """
    words = [word for word in _WORD.findall(text) if word.lower() not in _PROSE]
    return words[:MOST_WORDS]


def search_words(text: str) -> str:
    """Return what to search for: the content words of `text`, or all its words when none is left."""
    return " ".join(content_words(text) or _WORD.findall(text)[:MOST_WORDS])


def asks_about_tests(question: str) -> bool:
    """Say whether the question, by its beginning, wants tests for an answer."""
    return bool(_TESTS.search(question[:_TESTS_WITHIN]))
