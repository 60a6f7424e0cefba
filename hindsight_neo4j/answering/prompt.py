"""Prompts: the files of the data room `prompts/`, filled in. All that comes from outside stands between fences.

load("answer").request(question=Data("who calls f?"), evidence=Data.of_pieces(pieces))
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from string import Template

from hindsight_neo4j.model.exchange import Message, Request, Role
from hindsight_neo4j.model.question import Evidence
from hindsight_neo4j.resources import room

_FENCE_BYTES = 6


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of data with the line that says what it is."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt of one version."""

    name: str
    version: int
    system: str
    user: str

    @property
    def title(self) -> str:
        """Name and version."""
        return f"{self.name} {self.version}"

    def request(
        self, blocks: Sequence[Block] = (), *, plain: dict[str, str] | None = None, **data: str
    ) -> Request:
        """Return the two messages: what to do, and the data to do it with.

        Args:
            blocks: Pieces of data, which take the place of `$evidence`, each between fences.
            plain: Words of our own.
            data: Texts from outside, for places that the file itself puts between fences.
        """
        fence = fence_of((*data.values(), *(f"{block.label}\n{block.text}" for block in blocks)))
        fenced = "\n\n".join(
            f"<<<data {fence}\n{_line(block.label)}\n{block.text}\ndata {fence}>>>"
            for block in blocks
        )
        words = {**(plain or {}), **data, "evidence": fenced, "fence": fence}
        return Request(
            (
                Message(Role.SYSTEM, Template(self.system).substitute(fence=fence).strip()),
                Message(Role.USER, Template(self.user).substitute(words).strip()),
            )
        )


@cache
def load(name: str) -> Prompt:
    """Return the prompt `name`, once a process."""
    with (room("prompts") / f"{name}.toml").open("rb") as file:
        table = tomllib.load(file)
    return Prompt(name, table["version"], table["system"], table["user"])


def fence_of(texts: Iterable[str]) -> str:
    """Return the fence for these texts: their hash, which none of them can hold."""
    whole = "\0".join(texts).encode("utf-8", "replace")
    return blake2b(whole, digest_size=_FENCE_BYTES).hexdigest()


def block_of(piece: Evidence) -> Block:
    """Return a piece of evidence as data, labelled with the place to cite."""
    kind = "" if piece.whole else " (signature only)"
    return Block(f"place {_line(piece.path)}:{piece.start_line}-{piece.end_line}{kind}", piece.text)


def _line(text: str) -> str:
    """The text on one line: a file's name can hold line breaks."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)
