r"""Replies of a given shape: the schema sent, and the reply read back, mended where that is safe.

class Plan(msgspec.Struct, forbid_unknown_fields=True):
    intent: str

read('Sure! ```json\n{"intent": "leading",}\n```', Plan).intent
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, TypeVar

import msgspec

from hindsight_neo4j.errors import BadReply

LONGEST_REPLY: Final = 200_000
"""Characters of a reply that are looked at; no shape of ours needs a tenth of it."""

_MOST_STARTS: Final = 50  # opening brackets that are tried; each may read on to the end of the text
_TRAILING_COMMA: Final = re.compile(r",(\s*[}\]])")

Shape = TypeVar("Shape", bound=msgspec.Struct)


def schema_of(shape: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the JSON schema of `shape` with its root inlined and nothing optional, as strict servers want it."""
    schema = msgspec.json.schema(shape)
    parts = dict(schema.get("$defs", {}))
    root = parts.pop(shape.__name__)
    for part in (root, *parts.values()):
        if part.get("type") == "object":
            part["required"] = list(part["properties"])
            for each in part["properties"].values():
                each.pop("default", None)
    return {**root, "$defs": parts} if parts else root


def read(text: str, shape: type[Shape]) -> Shape:
    """Return the first JSON object in `text` as a `shape`.

    Words and code fences around it are passed over, and commas before a closing bracket are dropped.

    Raises:
        BadReply: There is no such object; the message says what is wrong, ready to be sent back.
    """
    text = text[:LONGEST_REPLY]
    wrong = "there is no JSON object in it"
    for candidate in (text, _TRAILING_COMMA.sub(r"\1", text)):
        found = _first_object(candidate)
        if found is None:
            continue
        try:
            return msgspec.convert(found, shape)
        except (msgspec.ValidationError, RecursionError) as error:
            wrong = str(error)
    raise BadReply(f"the reply is not of the shape asked for: {wrong}")


def _first_object(text: str) -> dict[str, Any] | None:
    decoder = json.JSONDecoder()
    start = text.find("{")
    for _ in range(_MOST_STARTS):
        if start < 0:
            break
        try:
            found, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)
            continue
        return found if isinstance(found, dict) else None
    return None
