"""What `facts.sqlite` keeps, drops and refuses."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from hindsight_neo4j.errors import StoreUnavailable
from hindsight_neo4j.extract import extract
from hindsight_neo4j.ingest.facts_store import FactsDamaged, FactsStore, move_damaged
from hindsight_neo4j.ingest.record import FileRecord, pack_chunks
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.model.chunk import Chunk
from hindsight_neo4j.model.facts import FileFacts, encode_facts
from hindsight_neo4j.model.report import ParseProblem, Skipped

LANGUAGES = LanguageSet.load()
CHUNK = Chunk("a.py", "a.py", "a.py", "File", "a.py", "", "", 1, 1, False, "x = '🙂'")


def facts_of(path: str) -> FileFacts:
    language = LANGUAGES.of_path(path)
    assert language is not None
    return extract(b"def f():\n    return g()\ndef g(): pass\n", path, language, digest="00")


def record(path: str) -> FileRecord:
    return FileRecord(
        path, 1, 2, 3, b"d", facts=encode_facts(facts_of(path)), chunks=pack_chunks([CHUNK])
    )


def test_what_was_put_comes_back(tmp_path: Path) -> None:
    unread = FileRecord(
        "b.py", 1, 2, 3, b"", 0, 0, Skipped("b.py", "binary"), ParseProblem("b.py", 1, "m", 2)
    )
    with FactsStore(tmp_path / "facts.sqlite", "key") as store, store.transaction():
        store.put([record("a.py"), unread])

    with FactsStore(tmp_path / "facts.sqlite", "key") as store:
        assert list(store.facts()) == [facts_of("a.py")]
        assert list(store.chunks(["b.py", "none.py", "a.py"])) == [[CHUNK]]
        assert [r.path for r in store.records()] == ["a.py", "b.py"]
        assert (store.records()[1].skipped, store.records()[1].problem) == (
            unread.skipped,
            unread.problem,
        )
        assert store.known()["a.py"].digest == b"d"


def test_facts_made_by_other_code_or_options_are_dropped(tmp_path: Path) -> None:
    with FactsStore(tmp_path / "facts.sqlite", "key") as store, store.transaction():
        store.put([record("a.py")])

    with FactsStore(tmp_path / "facts.sqlite", "another key") as store:
        assert store.known() == {}


def test_a_transaction_that_fails_keeps_nothing(tmp_path: Path) -> None:
    with FactsStore(tmp_path / "facts.sqlite", "key") as store:
        with suppress(KeyboardInterrupt), store.transaction():
            store.put([record("a.py")])
            raise KeyboardInterrupt
        assert store.known() == {}


@pytest.mark.parametrize("content", [b"no database at all", b"SQLite format 3\0" + b"x" * 5_000])
def test_a_file_that_is_no_database_is_damaged_and_can_be_moved_away(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "facts.sqlite"
    path.write_bytes(content)

    with pytest.raises(FactsDamaged):
        FactsStore(path, "key")

    assert move_damaged(path).read_bytes() == content
    with FactsStore(path, "key") as store:
        assert store.known() == {}


def test_a_place_where_no_file_can_be_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="cannot open"):
        FactsStore(tmp_path / "none" / "facts.sqlite", "key")
