"""The worked example of the published article, rebuilt as a small repository of our own.

"Why is the CUDA batching equivalence test skipped?" Keyword search gives the test file; the walk gives the condition and
the model, with the edges that lead there.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from lightglue_repository import CONDITION, FILES, MODEL, QUESTION, TEST, write_repository

from hindsight_neo4j import Hindsight
from hindsight_neo4j.model.question import Asked, Intent
from hindsight_neo4j.stores.tokens import tokenize


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hindsight]:
    root = write_repository(tmp_path_factory.mktemp("lightglue"))
    with Hindsight.of_repository(root) as hindsight:
        hindsight.ingest()
        yield hindsight


def _evidence_paths(asked: Asked) -> set[str]:
    return {piece.path for piece in asked.evidence}


def test_the_two_hidden_files_share_no_word_with_the_question() -> None:
    asked = set(tokenize("CUDA batching equivalence test skipped").split())
    for path in (CONDITION, MODEL):
        assert not asked & set(tokenize(f"{path} {FILES[path]}").split())


def test_keyword_search_alone_finds_the_test_and_not_the_answer(index: Hindsight) -> None:
    asked = index.ask(QUESTION, policy="bm25")
    ranked = [file.id for file in asked.located.files]
    assert ranked[0] == TEST
    assert not {CONDITION, MODEL} & set(ranked)
    assert not {CONDITION, MODEL} & _evidence_paths(asked)


def test_the_walk_finds_all_three_files(index: Hindsight) -> None:
    asked = index.ask(QUESTION)
    assert asked.located.files[0].id == TEST
    assert {TEST, CONDITION, MODEL} <= {file.id for file in asked.located.files[:20]}
    assert {TEST, CONDITION, MODEL} <= _evidence_paths(asked)


@pytest.mark.parametrize("hidden", [CONDITION, MODEL])
def test_evidence_for_a_hidden_file_shows_the_way_from_the_test(
    index: Hindsight, hidden: str
) -> None:
    pieces = [piece for piece in index.ask(QUESTION).evidence if piece.path == hidden]
    hops = [piece.via[-1] for piece in pieces if piece.via]
    written = [hop for hop in hops if hop.kind in ("INVOKES", "IMPORTS")]
    assert written
    assert all(hop.line for hop in written)
    assert all(piece.via[0].src.startswith(TEST) for piece in pieces)


@pytest.mark.parametrize("label", ["leading", "lagging", "exploratory"])
def test_the_walk_finds_them_whatever_the_intent_is_taken_for(index: Hindsight, label: str) -> None:
    asked = index.ask(QUESTION, intent=Intent(label))
    assert {TEST, CONDITION, MODEL} <= _evidence_paths(asked)


def test_the_answer_says_why_each_file_is_there(index: Hindsight) -> None:
    located = index.locate(QUESTION)
    reasons = {file.id: file.reason for file in located.files}
    assert "device_ready" in reasons[CONDITION] or TEST in reasons[CONDITION]
    assert all(reasons.values())
