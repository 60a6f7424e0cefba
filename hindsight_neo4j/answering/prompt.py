"""Prompts: the files of the data room `prompts/`, filled in. All that comes from outside stands between fences.

load("answer").request(blocks_of(pieces), question="who calls f?")

What stands first is the same in many requests, to the letter: a server that keeps what it has read reads on from there.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
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
        self, blocks: Sequence[Block] = (), *, plain: Mapping[str, str] | None = None, **data: str
    ) -> Request:
        """Return the two messages: what to do, and the data to do it with.

        Args:
            blocks: Pieces of data, which take the place of `$evidence`.
            plain: Words that are put in as they are.
            data: Texts from outside, by what they are called in the prompt: `question` becomes a block named "the question".
        """
        key = next(iter(data.values()), "")
        fenced = {name: _fenced(Block(f"the {name}", text), key) for name, text in data.items()}
        evidence = "\n\n".join(_fenced(block, key) for block in blocks)
        words = {**(plain or {}), **fenced, "evidence": evidence}
        return Request(
            (
                Message(Role.SYSTEM, self.system.strip()),
                Message(Role.USER, Template(self.user).substitute(words).strip()),
            )
        )


@cache
def load(name: str) -> Prompt:
    """Return the prompt `name`, once a process."""
    with (room("prompts") / f"{name}.toml").open("rb") as file:
        table = tomllib.load(file)
    return Prompt(name, table["version"], table["system"], table["user"])


def _fenced(block: Block, key: str) -> str:
    """The block between fences of its own: the hash of what they enclose and of the question, which no text can hold."""
    text = f"{_line(block.label)}\n{block.text}"
    whole = f"{key}\0{text}".encode("utf-8", "replace")
    fence = blake2b(whole, digest_size=_FENCE_BYTES).hexdigest()
    return f"<<<data {fence}\n{text}\ndata {fence}>>>"


def blocks_of(pieces: Sequence[Evidence]) -> list[Block]:
    """Return pieces of evidence as data, each labelled with its number from 1, to be cited by, and its place."""
    return [
        Block(f"piece {number}, {_place(piece)}", piece.text)
        for number, piece in enumerate(pieces, start=1)
    ]


def _place(piece: Evidence) -> str:
    kind = "" if piece.whole else " (signature only)"
    return f"{_line(piece.path)}:{piece.start_line}-{piece.end_line}{kind}"


def _line(text: str) -> str:
    """The text on one line: a file's name can hold line breaks."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)
