"""The budget's tokenizer errs on the safe side, and packing never goes over it."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_neo4j.retrieval.budget import count_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("def put(self, key):", 8),
        ("snake_case_name", 6),
        ("HTTPServer", 3),
        ("1234", 4),
        ("a b", 2),
        ("x = 10", 5),
        ("        return", 3),
        ("naïve", 4),
        ("日本", 6),
        ("\n\n\t", 3),
    ],
)
def test_runs_are_priced_as_documented(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


def test_keys_in_base64_are_priced_by_the_character() -> None:
    key = base64.b64encode(bytes(range(256))).decode()
    assert count_tokens(key) >= 0.85 * len(key)


@given(st.text(max_size=200), st.text(max_size=200))
def test_joining_lines_costs_no_more_than_the_pieces(left: str, right: str) -> None:
    assert count_tokens(f"{left}\n{right}") <= count_tokens(left) + 1 + count_tokens(right) + 1


@given(st.text(max_size=300))
def test_a_count_is_never_above_the_bytes_and_their_share(text: str) -> None:
    assert 0 <= count_tokens(text) <= len(text.encode("utf-8", "replace")) + 1
