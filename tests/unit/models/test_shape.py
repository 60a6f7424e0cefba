"""Replies of a given shape: what is mended, and what is refused with words that can be sent back."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_neo4j.errors import BadReply
from hindsight_neo4j.models.shape import read, schema_of


class Part(msgspec.Struct, forbid_unknown_fields=True):
    text: str


class Plan(msgspec.Struct, forbid_unknown_fields=True):
    intent: str
    parts: list[Part] = []


@pytest.mark.parametrize(
    "text",
    [
        '{"intent": "leading", "parts": []}',
        'Sure!\n```json\n{"intent": "leading", "parts": []}\n```\nDone.',
        '{"intent": "leading", "parts": [],}',
        '{"intent": "leading"}',
        'I think {so}: {"intent": "leading"}',
    ],
)
def test_an_object_is_found_in_what_stands_around_it(text: str) -> None:
    assert read(text, Plan) == Plan("leading", [])


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("no idea", "no JSON object"),
        ('{"intent": "lead', "no JSON object"),
        ('{"intent": 3}', "Expected `str`, got `int`"),
        ('{"parts": []}', "missing required field `intent`"),
        ('{"intent": "a", "more": 1}', "unknown field `more`"),
        ("[1]", "no JSON object"),
        ("{" * 100_000, "no JSON object"),
        ('{"a":' * 50_000, "no JSON object"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(text: str, wrong: str) -> None:
    with pytest.raises(BadReply, match=wrong):
        read(text, Plan)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with pytest.raises(BadReply):
        read(text.replace('"intent"', ""), Plan)


def test_the_schema_has_its_root_inline_and_asks_for_every_field() -> None:
    schema = schema_of(Plan)
    assert schema["type"] == "object"
    assert schema["required"] == ["intent", "parts"]
    assert schema["additionalProperties"] is False
    assert schema["$defs"]["Part"]["required"] == ["text"]
