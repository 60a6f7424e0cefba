"""Reason: one line per candidate that says, in a reader's words, why it is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from hindsight_neo4j.model.chunk import Chunk
from hindsight_neo4j.model.graph import EdgeKind
from hindsight_neo4j.model.question import IN_FITTING_FILE, Hop
from hindsight_neo4j.model.words import stem
from hindsight_neo4j.retrieval.anchors import AnchorKind
from hindsight_neo4j.retrieval.place import around
from hindsight_neo4j.retrieval.score import Parts
from hindsight_neo4j.retrieval.state import Named, Place, RetrievalState
from hindsight_neo4j.retrieval.wording import content_words

_WORDS_TRIED = 60
_WORDS_SHOWN = 3

_FORWARD: Final[dict[str, str]] = {
    EdgeKind.INVOKES: "called by",
    EdgeKind.IMPORTS: "imported by",
    EdgeKind.INHERITS: "base of",
    EdgeKind.OVERRIDES: "overridden by",
    EdgeKind.REFERENCES: "used by",
    EdgeKind.TESTS: "tested by",
    EdgeKind.CONTAINS: "inside",
}
_BACKWARD: Final[dict[str, str]] = {
    EdgeKind.INVOKES: "calls",
    EdgeKind.IMPORTS: "imports",
    EdgeKind.INHERITS: "extends",
    EdgeKind.OVERRIDES: "overrides",
    EdgeKind.REFERENCES: "uses",
    EdgeKind.TESTS: "tests",
    EdgeKind.CONTAINS: "holds",
}


@dataclass(frozen=True, slots=True)
class Reasons:
    """What reasons are made from: the question's words, and by node (and file) what named it and its best chunk.

    Where it was asked who depends on something, the way there is the reason, however many words are shared.
    """

    words: tuple[str, ...]
    named: Mapping[str, Named]
    chunks: Mapping[str, Chunk]
    asks_for_ways: bool
    _shared: dict[str, str] = field(
        default_factory=dict
    )  # by chunk, since all that hold it ask again

    @classmethod
    def of(cls, state: RetrievalState) -> Reasons:
        """Gather what `state` has found so far."""
        named: dict[str, Named] = {}
        for each in state.named:  # surest first
            for node in around(each.place.id):
                named.setdefault(node, each)
        chunks: dict[str, Chunk] = {}
        for hit in (*state.hits, *(hit for hits in state.part_hits for hit in hits)):
            for node in around(hit.chunk.symbol):
                chunks.setdefault(node, hit.chunk)
        words = dict.fromkeys(word.lower() for word in content_words(state.question))
        longest = sorted((word for word in words if len(word) > 2), key=lambda word: -len(word))
        asks_for_ways = state.policy is not None and state.policy.from_named
        return cls(tuple(longest[:_WORDS_TRIED]), named, chunks, asks_for_ways)

    def why(self, place: Place, parts: Parts, hops: tuple[Hop, ...]) -> str:
        """Return the reason for `place`, from what counted most for it."""
        lexical = parts.get("text", 0.0) + parts.get("asked", 0.0)
        named = self.named.get(place.id)
        if named and (
            named.place.id == place.id
            or parts.get("name", 0.0) + parts.get("path", 0.0) >= 0.25 * lexical
        ):
            return _why_named(named, place)
        was_hit = place.id in self.chunks
        if hops and (
            self.asks_for_ways or not was_hit or parts.get("graph", 0.0) >= 0.25 * lexical
        ):
            return why_reached(hops)
        return self._why_worded(place)

    def _why_worded(self, place: Place) -> str:
        chunk = self.chunks.get(place.id)
        if chunk is None:
            return IN_FITTING_FILE
        shared = self._shared.get(chunk.id)
        if shared is None:
            shared = self._shared[chunk.id] = self._shared_words(chunk)
        holder = "" if chunk.symbol == place.id else f"holds {_quoted(chunk.symbol)}, which "
        return f"{holder}shares {shared} with the question"

    def _shared_words(self, chunk: Chunk) -> str:
        text = f"{chunk.path} {chunk.text}".lower()
        as_written = [f"`{word}`" for word in self.words if word in text]
        if as_written:
            return ", ".join(as_written[:_WORDS_SHOWN])
        forms = [f"`{word}`" for word in self.words if stem(word) in text]
        return f"forms of {', '.join(forms[:_WORDS_SHOWN]) or 'words'}"


def why_reached(hops: tuple[Hop, ...]) -> str:
    """Say how the last hop leads here: "called by `main` at app.py:12"."""
    last = hops[-1]
    if len(hops) > 1 and {hop.kind for hop in hops[-2:]} == {EdgeKind.CONTAINS} and last.forward:
        return f"beside {_quoted(hops[-2].dst)}"
    phrase, other = (
        (_FORWARD.get(last.kind, last.kind), last.src)
        if last.forward
        else (_BACKWARD.get(last.kind, last.kind), last.dst)
    )
    where = f" at {last.path}:{last.line}" if last.line else ""
    return f"{phrase} {_quoted(other)}{where}"


def _why_named(named: Named, place: Place) -> str:
    if named.kind is AnchorKind.FRAME:
        return f"stands in the stack frame `{named.anchor[:80]}`"
    if named.kind is AnchorKind.PATH:
        return f"the question names `{named.anchor[:80]}`"
    if named.place.id == place.id:
        return f"defines `{named.anchor[:80]}`, named in the question"
    return f"holds {_quoted(named.place.id)}, named in the question"


def _quoted(node: str) -> str:
    """The part of an id that a reader knows a symbol by, or the whole path of a file."""
    return f"`{node.partition(':')[2] or node}`"
