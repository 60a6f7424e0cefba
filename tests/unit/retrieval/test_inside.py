"""The ranking may choose among all that the best files hold, whether a search found it or not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hindsight_neo4j import Hindsight
from hindsight_neo4j.retrieval.expand import expand
from hindsight_neo4j.retrieval.inside import FILES_READ, MOST_READ, best_files, look_inside
from hindsight_neo4j.retrieval.pipeline import intent_stage, split_stage
from hindsight_neo4j.retrieval.seed import seed
from hindsight_neo4j.retrieval.state import AskOptions, RetrievalState

FAULT = "Fix a crash when the ledger is rounded to cents"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hindsight]:
    root = tmp_path_factory.mktemp("books")
    for number in range(FILES_READ + 3):
        (root / f"book{number}.py").write_text(_book("ledger " * (number + 1)), encoding="utf-8")
    (root / "test_ledger.py").write_text(_book("ledger cents rounded " * 20), encoding="utf-8")
    with Hindsight.of_repository(root) as hindsight:
        hindsight.ingest()
        yield hindsight


def _book(words: str) -> str:
    many = "".join(f"def unrelated{at}():\n    return {at}\n\n\n" for at in range(80))
    return f'def close():\n    """{words}"""\n\n\nclass Page:\n    def turn(self):\n        pass\n\n\n{many}'


def _looked(index: Hindsight, question: str, **options: str) -> RetrievalState:
    state = RetrievalState(question, index._sources(), AskOptions(**options))  # type: ignore[arg-type]
    for stage in (split_stage, intent_stage, seed, expand, look_inside):
        state = stage(state)
    return state


def test_what_no_search_found_is_read_and_nothing_is_read_twice(index: Hindsight) -> None:
    state = _looked(index, FAULT)
    read = [chunk.symbol for chunk in state.inside]
    hit = {hit.chunk.symbol for hit in state.hits}
    assert any(symbol.endswith(":Page.turn") for symbol in read)
    assert not hit & set(read)
    assert len(set(read)) == len(read)


def test_few_files_and_definitions_are_read(index: Hindsight) -> None:
    state = _looked(index, FAULT)
    assert len({chunk.path for chunk in state.inside}) <= FILES_READ
    assert len(state.inside) <= MOST_READ


def test_tests_are_looked_into_only_when_asked_for(index: Hindsight) -> None:
    assert "test_ledger.py" not in best_files(_looked(index, FAULT))
    assert best_files(_looked(index, "The test of rounded cents fails"))[0] == "test_ledger.py"


def test_keyword_search_alone_reads_nothing_more(index: Hindsight) -> None:
    assert _looked(index, FAULT, policy="bm25").inside == ()


def test_what_only_a_stub_declares_does_not_keep_the_rest_from_being_read(tmp_path: Path) -> None:
    (tmp_path / "book.py").write_text(_book("ledger cents rounded"), encoding="utf-8")
    (tmp_path / "book.pyi").write_text(
        "class Page:\n    def balance(self) -> int: ...\n", encoding="utf-8"
    )
    with Hindsight.of_repository(tmp_path) as hindsight:
        hindsight.ingest()
        read = [chunk.symbol for chunk in _looked(hindsight, FAULT).inside]
    assert "book.py:Page.turn" in read
