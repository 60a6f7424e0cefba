r"""The words that a name is made of.

>>> words_of("HTTPServer.get_files(URLs)")
['http', 'server', 'get', 'fil', 'url']

Stemming is light and regular rather than right: it only has to bring the forms of one word together (`stem`).
"""

from __future__ import annotations

import re
from functools import lru_cache

PART = re.compile(
    r"[A-Z]{2,}s(?![^\W\d_A-Z])"  # URLs
    r"|[A-Z]+(?=[A-Z][^\W\d_A-Z])"  # HTTP of HTTPServer
    r"|[A-Z]?[^\W\d_A-Z]+"  # Server, server, naïve
    r"|[A-Z]+|\d+"
)
"""A part of an identifier: cut at underscores, at changes of case and between letters and digits."""

_VOWEL = re.compile(r"[aeiouy]")


def words_of(text: str) -> list[str]:
    """Return the stems of all parts of the names in `text`, in order."""
    return [_stem_of(part) for part in PART.findall(text)]


@lru_cache(maxsize=100_000)
def _stem_of(part: str) -> str:
    return stem(part.lower())


def stem(word: str) -> str:
    """Return what is left of an English word without plural, "-ing", "-ed", final "e" and doubled last letter.

    >>> [stem(word) for word in ("caches", "caching", "cached", "cache")]
    ['cach', 'cach', 'cach', 'cach']
    >>> [stem(word) for word in ("queries", "query", "classes", "setting", "string", "is")]
    ['query', 'query', 'clas', 'set', 'string', 'is']
    """
    if len(word) < 4 or not word.isalpha():
        return word
    word = _without_plural(word)
    for suffix in ("ing", "ed"):
        root = word.removesuffix(suffix)
        if root != word and len(root) >= 3 and _VOWEL.search(root):
            word = root
            break
    if word.endswith("e") and len(word) >= 4:
        word = word[:-1]
    if len(word) >= 4 and word[-1] == word[-2]:
        word = word[:-1]
    return word


def _without_plural(word: str) -> str:
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    if word.endswith("s") and word[-2] not in "sui":
        return word[:-1]
    return word
