"""Chunks: the units of text given to BM25, and to a model of embeddings where one is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import msgspec

FIELDS: Final = ("name", "path", "signature", "doc", "body")
"""The fields of a chunk, kept apart so that a match in a name can weigh more than one in a body."""


class Chunk(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A piece of one file. `id` is the symbol's id, with `#2` on the second piece of a long one.

    `symbol` is the id of the node it belongs to (the file's path for the module remainder) and `kind` that node's
    label. Lines are 1-based and inclusive. `text` is the source itself, never blank.
    """

    id: str
    symbol: str
    path: str
    kind: str
    name: str
    signature: str
    doc: str
    start_line: int
    end_line: int
    is_test: bool
    text: str


Tokens: TypeAlias = tuple[str, str, str, str, str]
"""The tokens of a chunk's `FIELDS`, each a string of tokens joined by single spaces, never empty."""


class Vector(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The direction of a text in the space of a model: float16, little-endian, of length 1.

    Half precision moves a cosine by 1e-4 and takes half the room; a model's own rounding moves it more.
    """

    model: str
    values: bytes


class Document(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A chunk with its tokens, and its vector in an index that has vectors."""

    chunk: Chunk
    tokens: Tokens
    vector: Vector | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that a search found. `score` is BM25 over the weighted fields, or a cosine; higher is better."""

    chunk: Chunk
    score: float
