r"""The one tokenizer, for chunks and for questions: every text store indexes its output split at spaces, nothing else.

A word is a run of `\w`. It gives the whole identifier in lower case, unstemmed, and then the stems of its parts, cut at
underscores, at changes of case and between letters and digits:

>>> tokenize("HTTPServer.get_files(URLs)")
'httpserver http server get_files get fil urls url'

Stemming is light and regular rather than right: it only has to bring the forms of one word together (`model/words.py`).
"""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from itertools import chain
from typing import Final

from hindsight_neo4j.model.chunk import Chunk, Tokens
from hindsight_neo4j.model.words import PART, stem

EMPTY_FIELD: Final = "-"
r"""Stands in a field that has no tokens, since Lucene's statistics leave out documents without the field.

No question can hit it: "-" is not in `\w`."""

TOKEN_LENGTH: Final = 200
"""Most UTF-16 units of a token. Elasticsearch's whitespace analyzer splits words longer than 255."""

CACHE_WORDS: Final = 100_000
"""Words remembered per process. django 5.1.4 has 66,000 distinct ones among 1.6 million."""

_WORD = re.compile(r"\w+")
_BREAKS: Final = bytes(
    code if _WORD.fullmatch(chr(code)) else ord(" ") for code in range(128)
) + bytes(128)
"""What each byte of a text in ASCII becomes: a blank where a word ends. A third of the time of the regular expression."""


def tokenize(text: str) -> str:
    """Return the tokens of `text` joined by single spaces, "" when it has none.

    The cost is a pass over the text and a dictionary look-up per word.
    """
    return " ".join(map(_TOKENS.__getitem__, _words(text)))


def token_set(text: str) -> frozenset[str]:
    """Return the distinct tokens of `text`, at half the cost where words repeat.

    >>> sorted(token_set("get_files get"))
    ['fil', 'get', 'get_files']
    """
    return frozenset(chain.from_iterable(map(_SPLIT_TOKENS.__getitem__, set(_words(text)))))


def _words(text: str) -> list[str]:
    if not text.isascii():
        return _WORD.findall(text)
    return text.encode("ascii").translate(_BREAKS).decode("ascii").split()


def document_tokens(chunk: Chunk) -> Tokens:
    """Return the tokens of the chunk's `model.chunk.FIELDS` in their order, none empty."""
    return (
        tokenize(chunk.name) or EMPTY_FIELD,
        _path_tokens(chunk.path) or EMPTY_FIELD,
        tokenize(chunk.signature) or EMPTY_FIELD,
        tokenize(chunk.doc) or EMPTY_FIELD,
        tokenize(chunk.text) or EMPTY_FIELD,
    )


_path_tokens: Final = lru_cache(maxsize=16)(tokenize)
"""The chunks of a file come one after the other, and all have its path."""


class _TokenCache(dict[str, str]):
    """Word → its tokens joined by spaces. Starts over when full, so that no input can fill the memory."""

    def __missing__(self, word: str) -> str:
        if len(self) >= CACHE_WORDS:
            self.clear()
        tokens = _word_tokens(word)
        if len(word) <= TOKEN_LENGTH:
            self[word] = tokens
        return tokens


_TOKENS: Final = _TokenCache()


class _SplitCache(dict[str, tuple[str, ...]]):
    """Word → its tokens, which all sets share. Starts over when full."""

    def __missing__(self, word: str) -> tuple[str, ...]:
        if len(self) >= CACHE_WORDS:
            self.clear()
        tokens = tuple(map(sys.intern, _TOKENS[word].split()))
        if len(word) <= TOKEN_LENGTH:
            self[word] = tokens
        return tokens


_SPLIT_TOKENS: Final = _SplitCache()


def _word_tokens(word: str) -> str:
    word = word[:TOKEN_LENGTH]
    tokens = [_cut(word.lower()), *map(_part_token, PART.findall(word))]
    return " ".join(dict.fromkeys(tokens))


@lru_cache(maxsize=CACHE_WORDS)
def _part_token(part: str) -> str:
    """Return the token of a part of words; "get" is a part of very many."""
    return _cut(stem(part.lower()))


def _cut(token: str) -> str:
    """Return `token` with at most `TOKEN_LENGTH` UTF-16 units; lower case can be longer than upper case."""
    if token.isascii():
        return token
    return token.encode("utf-16-le")[: 2 * TOKEN_LENGTH].decode("utf-16-le", "ignore")
