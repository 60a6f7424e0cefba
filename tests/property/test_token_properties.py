"""What holds for the tokens of any text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hindsight_neo4j.stores.tokens import TOKEN_LENGTH, tokenize


@given(st.text())
def test_any_text_gives_tokens_without_white_space_that_are_not_too_long(text: str) -> None:
    tokens = tokenize(text)

    assert tokens == " ".join(tokens.split())
    assert all(len(token) <= TOKEN_LENGTH for token in tokens.split())


@given(st.text(), st.text())
def test_words_have_the_same_tokens_wherever_they_stand(left: str, right: str) -> None:
    apart = f"{tokenize(left)} {tokenize(right)}".split()

    assert tokenize(f"{left} {right}").split() == apart


@given(st.text(alphabet=st.characters(codec="utf-8", categories=("L", "N", "P"))))
def test_the_whole_identifier_is_among_the_tokens(text: str) -> None:
    for word in text.split("."):
        if word.isidentifier() and word.isascii() and len(word) <= TOKEN_LENGTH:
            assert word.lower() in tokenize(text).split()


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_words_of_ascii_text_are_those_of_any_text(text: str) -> None:
    assert tokenize(f"{text} é").split()[:-1] == tokenize(text).split()
