"""The reader: evidence goes to the model, an answer comes back, and nothing in it is believed unchecked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from hindsight_neo4j.answering.citations import check, with_found_places, with_places
from hindsight_neo4j.answering.prompt import blocks_of, load
from hindsight_neo4j.errors import ContextOverflow
from hindsight_neo4j.model.answer import Answer, Sentence
from hindsight_neo4j.model.exchange import Hear, Request
from hindsight_neo4j.model.question import Evidence
from hindsight_neo4j.models.talk import Talk

NOT_FOUND: Final = "Not found in this repository."
"""What the prompt asks a model to say where the evidence does not tell."""

REPACKED_SHARE: Final = 0.5
"""Share of the evidence that is kept when a model cannot read all of it, again and again until it can."""

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
    answer = _answer(reply.text, given, talk)
    if answer.found and not any(each.citations for each in answer.sentences):
        placed = check(with_found_places(answer.prose, given), given)
        if any(each.citations for each in placed):
            answer = replace(answer, sentences=placed)
            notes.append(
                f"{talk.name} cited nothing: the places are where the names of a sentence stand"
            )
    if answer.found and not any(each.supported for each in answer.sentences):
        notes.append("nothing in the answer is supported: go by the places below, not by it")
    return Reading(answer, given, tuple(notes))


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
