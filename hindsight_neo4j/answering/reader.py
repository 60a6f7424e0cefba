"""The reader: evidence goes to the model, an answer comes back, and nothing in it is believed unchecked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Final

import msgspec

from hindsight_neo4j.answering.citations import check, with_places
from hindsight_neo4j.answering.prompt import blocks_of, load
from hindsight_neo4j.errors import ContextOverflow
from hindsight_neo4j.model.answer import Answer, Sentence
from hindsight_neo4j.model.exchange import Hear, Message, Request, Role
from hindsight_neo4j.model.question import Evidence
from hindsight_neo4j.models.talk import Talk

NOT_FOUND: Final = "Not found in this repository."
"""What the prompt asks a model to say where the evidence does not tell."""

REPACKED_SHARE: Final = 0.5
"""Share of the evidence that is kept when a model cannot read all of it, again and again until it can."""

MOST_PLACED: Final = 16
"""Sentences without a place that a model is asked about: an answer of a few hundred tokens has no more."""

_NOT_FOUND: Final = re.compile(r"\W*not found in this repository\b", re.IGNORECASE)
_LINK: Final = re.compile(r"!?\[([^\[\]\n]{0,400})\]\(([^()\n]{0,2000})\)")
_ADDRESS: Final = re.compile(
    r"\b(?:[a-z][a-z0-9+.-]{1,20}:)?//[^\s)\]>\"'`]{2,}|\b(?:javascript|data|mailto):[^\s)\]>\"'`]+"
    r"|\bwww\.[^\s)\]>\"'`]+|(?<=[\s(\"'=])//[^\s)\]>\"'`]{2,}",
    re.IGNORECASE,
)
_TAG: Final = re.compile(
    r"</?\s{0,9}(?:a|applet|audio|base|embed|form|iframe|img|input|link|math|meta|object|picture|script"
    r"|source|style|svg|template|track|video)\b[^>]{0,2000}>?",
    re.IGNORECASE,
)
_LEFT_OUT: Final = "(link left out)"


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer with the pieces that were given for it, and what is to be said about how it came about."""

    answer: Answer
    given: tuple[Evidence, ...]
    notes: tuple[str, ...]


def read(
    question: str, evidence: Sequence[Evidence], talk: Talk, hear: Hear | None = None
) -> Reading:
    """Answer `question` from `evidence`. Where the model cannot read so much, with the better half of it.

    `hear` is given the answer while it comes, without links as the whole one, and not checked yet.

    Raises:
        ContextOverflow: Not even the best piece fits.
        ModelError: The model failed.
    """
    given, notes = tuple(evidence), []
    while True:
        request = request_for(question, given)
        try:
            _check_length(request, talk)
            reply = talk.ask(request, _readable(hear, given))
            break
        except ContextOverflow:
            fewer = _fewer(given)
            if not fewer:
                raise
            notes = [
                f"{talk.name} cannot read so much: {len(fewer)} of {len(evidence)} pieces given"
            ]
            given = fewer
    if reply.stop == "length":
        notes.append(f"the answer was cut at {talk.options.max_output_tokens:,} tokens")
    return Reading(_answer(reply.text, given, talk), given, tuple(notes))


class Pieces(msgspec.Struct, forbid_unknown_fields=True):
    """For each sentence of an answer the number of the piece that proves it, 0 where none does."""

    pieces: Annotated[list[int], msgspec.Meta(extra_json_schema={"maxItems": MOST_PLACED})]


def place(question: str, reading: Reading, talk: Talk) -> Reading:
    """Ask once more for the places where an answer cites none, as small models do. What comes is checked like all citations.

    The messages go on from those of the answer, so a server that keeps what it has read does not read the pieces again.

    Raises:
        ModelError: The model failed; the reading is as good as it was.
    """
    sentences = reading.answer.sentences
    if not reading.answer.found or any(each.citations for each in sentences):
        return reading
    said = [each.text for each in sentences]
    request = places_request(question, reading.given, said[:MOST_PLACED])
    found = talk.ask_shaped(request, Pieces).pieces
    numbers = {at: f" [{number}]" for at, number in enumerate(found) if number}
    text = "\n\n".join(each + numbers.get(at, "") for at, each in enumerate(said))
    answer = replace(
        reading.answer, sentences=check(with_places(text, reading.given), reading.given)
    )
    note = f"{talk.name} cited nothing, and was asked once more for the places"
    return replace(reading, answer=answer, notes=(*reading.notes, note))


def places_request(question: str, given: Sequence[Evidence], said: Sequence[str]) -> Request:
    """Return what is sent to have the places of sentences named."""
    first = request_for(question, given)
    numbered = "\n".join(f"{at}. {each}" for at, each in enumerate(said, start=1))
    ask = load("places").request(sentences=numbered).messages[-1]
    return Request((*first.messages, Message(Role.ASSISTANT, " ".join(said)), ask))


def _readable(hear: Hear | None, given: Sequence[Evidence]) -> Hear | None:
    return None if hear is None else lambda said: hear(_shown(said, given))


def _shown(said: str, given: Sequence[Evidence]) -> str:
    """What a model said, as a reader sees it: no links, and places for the numbers of pieces."""
    return with_places(without_links(said, "\n".join(piece.text for piece in given)), given)


def request_for(question: str, evidence: Sequence[Evidence]) -> Request:
    """Return what is sent to answer `question` from `evidence`."""
    return load("answer").request(blocks_of(evidence), question=question)


def without_links(text: str, given: str) -> str:
    """Return `text` without images, tags that load something, and addresses that do not stand word for word in `given`.

    An order hidden in code could have a model put what it reads into an address, and whatever shows the answer would
    fetch it.
    """

    def named(match: re.Match[str]) -> str:
        return f"{match[1]} {match[2]}" if _ADDRESS.search(match[2]) else match[0]

    def kept(match: re.Match[str]) -> str:
        return match[0] if match[0].rstrip(".,;:!?") in given else _LEFT_OUT

    return _ADDRESS.sub(kept, _TAG.sub("", _LINK.sub(named, text)))


def _answer(text: str, given: tuple[Evidence, ...], talk: Talk) -> Answer:
    title = load("answer").title
    if _NOT_FOUND.match(text):
        return Answer((Sentence(NOT_FOUND, (), False),), False, talk.name, title)
    return Answer(check(_shown(text, given), given), True, talk.name, title)


def _check_length(request: Request, talk: Talk) -> None:
    """Spare a call that cannot succeed, where it is known how much the model reads."""
    room = talk.options.context_tokens
    if room and talk.count(request.text) + talk.options.max_output_tokens > room:
        raise ContextOverflow(f"{talk.name} reads {room:,} tokens at most", hint="lower --budget")


def _fewer(pieces: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """The best pieces, down to the share of tokens that is kept; none where only one was left."""
    if len(pieces) < 2:
        return ()
    most = REPACKED_SHARE * sum(piece.tokens for piece in pieces)
    kept, used = [pieces[0]], pieces[0].tokens
    for piece in pieces[1:-1]:
        if used + piece.tokens <= most:
            kept.append(piece)
            used += piece.tokens
    return tuple(kept)
