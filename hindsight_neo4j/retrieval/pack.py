"""Pack: the best candidates' text, until the context budget is full. Whole functions first, then signatures."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from hindsight_neo4j.model.chunk import Chunk
from hindsight_neo4j.model.graph import NodeKind
from hindsight_neo4j.model.question import Budget, Candidate, Evidence
from hindsight_neo4j.retrieval.budget import TOKENIZER, count_tokens
from hindsight_neo4j.retrieval.state import RetrievalState
from hindsight_neo4j.retrieval.wording import asks_about_tests

MOST_PIECES = 300
"""Nodes ranked for packing: more than a budget of 16,000 tokens holds, signatures among them."""

LARGEST_SHARE = 0.3
"""Share of the budget that one piece may take; a longer one is given by its signature, so that others find room."""

ASIDE_SHARE = 0.03
"""Share of the budget for the text of what answers seldom need whole: heads of classes, what files hold outside their
definitions, and tests, where the question is not about them."""

OUTLINE_SHARE = 0.2
"""Share of the budget kept for the signatures of what comes next: a reader then knows what else there is."""

NEW_FILE_LEAD = 2
"""Signatures are taken in the order of their ranks, the first of a file that nothing stands for yet as if its rank were so
many times better: a reader then knows of more files.

These figures were chosen on 156 commits of the training set that change several functions (docs/benchmarks.md)."""


def pack(state: RetrievalState) -> RetrievalState:
    """Fill `evidence` and `budget`. What is packed never counts more tokens than the limit."""
    limit = state.options.budget
    chosen = _bodies(state, (1.0 - OUTLINE_SHARE) * limit)
    used = sum(each.tokens for each in chosen.values())
    for rank in _outline_order(state.pieces, chosen):
        short = _signature(state.pieces[rank])
        if short and short.tokens <= limit - used:
            chosen[rank] = short
            used += short.tokens
    return replace(
        state,
        evidence=tuple(chosen[rank] for rank in sorted(chosen)),
        budget=Budget(limit=limit, used=used, tokenizer=TOKENIZER),
    )


def _bodies(state: RetrievalState, room: float) -> dict[int, Evidence]:
    """The whole texts that fit into `room` tokens, by the rank of their piece."""
    texts = _texts(state)
    limit = state.options.budget
    aside = ASIDE_SHARE * limit
    about_tests = asks_about_tests(state.question)
    chosen: dict[int, Evidence] = {}
    for rank, piece in enumerate(state.pieces):
        is_aside = piece.kind != NodeKind.FUNCTION or (piece.is_test and not about_tests)
        most = min(room, LARGEST_SHARE * limit, aside if is_aside else room)
        whole = _whole(piece, texts.get(piece.id, ()))
        if whole and whole.tokens <= most:
            chosen[rank] = whole
            room -= whole.tokens
            aside -= whole.tokens if is_aside else 0
    return chosen


def _outline_order(pieces: Sequence[Candidate], chosen: Container[int]) -> list[int]:
    """The ranks of the pieces that are not chosen, in the order in which signatures are taken."""
    paths = {piece.path for rank, piece in enumerate(pieces) if rank in chosen}
    order = {}
    for rank, piece in enumerate(pieces):
        if rank not in chosen:
            order[rank] = (rank + 1) * (1 if piece.path not in paths else NEW_FILE_LEAD)
            paths.add(piece.path)
    return sorted(order, key=lambda rank: (order[rank], rank))


def _texts(state: RetrievalState) -> Mapping[str, Sequence[Chunk]]:
    return state.sources.chunks_of(piece.id for piece in state.pieces)


def _whole(piece: Candidate, chunks: Sequence[Chunk]) -> Evidence | None:
    if not chunks:
        return None
    text = "\n".join(chunk.text.rstrip("\n") for chunk in chunks)
    start = min(chunk.start_line for chunk in chunks)
    end = max(chunk.end_line for chunk in chunks)
    return _evidence(piece, text, start, end, whole=True)


def _signature(piece: Candidate) -> Evidence | None:
    if not piece.signature:
        return None
    text = f"{piece.id.partition(':')[2]}{piece.signature}"
    if piece.doc:
        text = f"{text}\n    {piece.doc}"
    return _evidence(piece, text, piece.start_line, piece.start_line, whole=False)


def _evidence(piece: Candidate, text: str, start: int, end: int, *, whole: bool) -> Evidence:
    return Evidence(
        id=piece.id,
        path=piece.path,
        start_line=start,
        end_line=end,
        text=text,
        tokens=price(piece.id, start, end, text),
        whole=whole,
        via=piece.hops,
    )


def price(node: str, start: int, end: int, text: str) -> int:
    """Return the tokens of a piece, with the line that tells a reader where it comes from."""
    return count_tokens(f"{node}:{start}-{end}\n{text}\n")
