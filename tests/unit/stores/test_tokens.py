"""What the one tokenizer promises to chunks and questions alike."""

from __future__ import annotations

import pytest

from hindsight_neo4j.model.chunk import Chunk
from hindsight_neo4j.stores.tokens import (
    _TOKENS,
    CACHE_WORDS,
    EMPTY_FIELD,
    TOKEN_LENGTH,
    document_tokens,
    tokenize,
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("get_queryset", "get_queryset get queryset"),
        ("HTTPServer", "httpserver http server"),
        ("parseURLs", "parseurls pars url"),
        ("utf8Decoder2", "utf8decoder2 utf 8 decoder 2"),
        ("__init__", "__init__ init"),
        ("a.b.Cache", "a b cache cach"),
        ("naïve Größe", "naïve naïv größe größ"),
        ("_", "_"),
        ("x = 1", "x 1"),
        ("", ""),
        ("- + ∅ \ud800", ""),
    ],
)
def test_an_identifier_is_kept_whole_and_split_into_its_parts(text: str, tokens: str) -> None:
    assert tokenize(text) == tokens


@pytest.mark.parametrize(
    "forms",
    [
        ("cache", "caches", "cached", "caching"),
        ("query", "queries"),
        ("migrate", "migrates", "migrated", "migrating"),
        ("class", "classes"),
        ("set", "sets", "setting"),
        ("call", "calls", "called", "calling"),
        ("match", "matches", "matched", "matching"),
    ],
)
def test_the_forms_of_a_word_share_a_token(forms: tuple[str, ...]) -> None:
    shared = set.intersection(*(set(tokenize(form).split()) for form in forms))

    assert shared


def test_text_in_ascii_is_cut_like_any_other() -> None:
    every = "".join(f"ab{chr(code)}cD_4" for code in range(128))

    assert tokenize(every + " é") == f"{tokenize(every)} é"


def test_no_question_can_hit_an_empty_field() -> None:
    assert EMPTY_FIELD not in tokenize(f"{EMPTY_FIELD} a{EMPTY_FIELD}b {EMPTY_FIELD * 3}").split()


def test_every_field_of_a_document_has_a_token() -> None:
    bare = Chunk("a.py", "a.py", "a.py", "File", "", "", "", 1, 1, False, "...")

    assert document_tokens(bare) == (EMPTY_FIELD, "a py", EMPTY_FIELD, EMPTY_FIELD, EMPTY_FIELD)


def test_tokens_are_cut_so_that_no_analyzer_splits_them() -> None:
    for letter in ("x", "İ", "\U00020000"):
        for token in tokenize(letter * 60_000).split():
            assert 0 < len(token.encode("utf-16-le")) <= 2 * TOKEN_LENGTH


def test_a_flood_of_distinct_words_does_not_fill_the_memory() -> None:
    tokenize(" ".join(f"w{number}" for number in range(CACHE_WORDS + 10)))

    assert len(_TOKENS) <= CACHE_WORDS
