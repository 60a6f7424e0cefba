"""What every chunk store promises (`stores.protocols.ChunkStore`)."""

from __future__ import annotations

import math
import struct

import msgspec
import pytest
from contract.conftest import TextEngine

from hindsight_neo4j.model.chunk import Chunk, Document, Vector
from hindsight_neo4j.stores.tokens import document_tokens

HOSTILE_QUESTIONS = (
    "",
    " \n\t",
    "((((",
    'name:"x" AND NOT (body:*)',
    "*:*",
    "+open -box ^2 ~3 \\ / [a TO b] {a TO b}",
    "'; DROP TABLE",
    "\0",
    "😀",
    "\ud800",
    "opén",
)


def document(symbol: str, text: str = "pass", *, piece: str = "", line: int = 1) -> Document:
    path, _, qualname = symbol.partition(":")
    chunk = Chunk(
        id=symbol + piece,
        symbol=symbol,
        path=path,
        kind="Function",
        name=qualname.rpartition(".")[2],
        signature="()",
        doc="",
        start_line=line,
        end_line=line + 1,
        is_test=False,
        text=text,
    )
    return Document(chunk, document_tokens(chunk))


BOX = (
    document("box.py:Box.open", "return self.lid.lift()"),
    document("box.py:Box.close", "self.open = False"),
    document("shelf.py:Shelf.fill", "for box in boxes: box.open()"),
    document("shelf.py:Shelf.empty", "return None"),
)


def filled(engine: TextEngine, *documents: Document, snapshot: str = "demo") -> None:
    store = engine.writer()
    assert store.put(snapshot, documents) == len(documents)
    store.commit()
    store.publish()
    store.close()


def test_what_was_put_is_found_whole(text_engine: TextEngine) -> None:
    filled(text_engine, *BOX)
    store = text_engine.reader()
    assert store.count("demo") == len(BOX)
    hits = store.search("which function opens a box", snapshot="demo", limit=10)
    assert hits[0].chunk == BOX[0].chunk
    assert [hit.chunk.id for hit in hits] == [
        "box.py:Box.open",
        "shelf.py:Shelf.fill",
        "box.py:Box.close",
    ]
    assert all(hit.score > 0 for hit in hits)


def test_nothing_is_found_before_the_commit(text_engine: TextEngine) -> None:
    store = text_engine.writer()
    store.put("demo", BOX)
    assert store.search("box", snapshot="demo", limit=10) == []
    assert store.count("demo") == 0
    store.commit()
    store.publish()
    assert store.search("box", snapshot="demo", limit=10) != []


def test_putting_again_changes_nothing(text_engine: TextEngine) -> None:
    filled(text_engine, *BOX)
    before = text_engine.reader().search("open box", snapshot="demo", limit=10)
    filled(text_engine, *BOX)
    assert text_engine.reader().search("open box", snapshot="demo", limit=10) == before


def test_a_commit_replaces_its_snapshot_and_leaves_the_others(text_engine: TextEngine) -> None:
    filled(text_engine, *BOX, snapshot="one")
    filled(text_engine, *BOX, snapshot="two/../😀\0")
    filled(text_engine, BOX[0], snapshot="one")
    store = text_engine.reader()
    assert (store.count("one"), store.count("two/../😀\0"), store.count("none")) == (1, 4, 0)
    assert store.search("box", snapshot="none", limit=10) == []


def test_several_puts_make_one_snapshot(text_engine: TextEngine) -> None:
    store = text_engine.writer()
    for one in BOX:
        store.put("demo", [one])
    store.commit()
    store.publish()
    assert store.count("demo") == len(BOX)


def test_a_score_is_that_of_lucene(text_engine: TextEngine) -> None:
    filled(text_engine, *(document(f"a.py:{name}") for name in ("alpha", "beta", "gamma")))
    (hit,) = text_engine.reader().search("gamma", snapshot="demo", limit=5, weights={"name": 1.0})
    # idf = ln(1 + (N - n + .5) / (n + .5)) with N = 3 and n = 1, times tf / (tf + k1) for a name of average length.
    assert hit.score == pytest.approx(math.log(1 + 2.5 / 1.5) / (1 + 1.2), rel=1e-5)


def test_a_field_not_weighted_is_not_searched(text_engine: TextEngine) -> None:
    filled(text_engine, *BOX)
    store = text_engine.reader()
    hits = store.search("lid", snapshot="demo", limit=5, weights={"body": 1.0})
    assert [hit.chunk.name for hit in hits] == ["open"]
    assert store.search("lid", snapshot="demo", limit=5, weights={"name": 1.0}) == []
    assert store.search("lid", snapshot="demo", limit=5, weights={}) == []
    twice = store.search("lid", snapshot="demo", limit=5, weights={"body": 2.0})
    assert twice[0].score == pytest.approx(2 * hits[0].score, rel=1e-6)


@pytest.mark.parametrize("limit", [1, 7, 50, 500])
def test_ties_are_ordered_by_chunk_id(text_engine: TextEngine, limit: int) -> None:
    names = [f"a.py:f{i * 37 % 101:03}" for i in range(101)]
    filled(text_engine, *(document(name, "same words here") for name in names))
    store = text_engine.reader()
    hits = store.search("words", snapshot="demo", limit=limit)
    assert [hit.chunk.id for hit in hits] == sorted(names)[:limit]


def test_chunks_of_a_symbol_come_in_line_order(text_engine: TextEngine) -> None:
    pieces = [
        document("a.py:long", "third", piece="#3", line=90),
        document("a.py:long", "first", line=1),
        document("a.py:long", "second", piece="#2", line=40),
    ]
    filled(text_engine, *pieces, *BOX)
    store = text_engine.reader()
    found = store.chunks_of(["a.py:long", "a.py:lon", "box.py:Box.open"], snapshot="demo")
    assert [chunk.text for chunk in found["a.py:long"]] == ["first", "second", "third"]
    assert found["box.py:Box.open"] == [BOX[0].chunk]
    assert set(found) == {"a.py:long", "box.py:Box.open"}
    assert store.chunks_of([], snapshot="demo") == {}


def test_a_symbol_may_be_long_and_odd(text_engine: TextEngine) -> None:
    odd = document("a.py:" + "é\"'\\\n😀" * 20_000, "x\0y" + "long" * 50_000)
    filled(text_engine, odd)
    store = text_engine.reader()
    assert store.chunks_of([odd.chunk.symbol], snapshot="demo") == {odd.chunk.symbol: [odd.chunk]}


def test_a_text_of_megabytes_is_found_whole(text_engine: TextEngine) -> None:
    large = document("a.py:large", "é😀 " + " ".join(f"word{number}" for number in range(300_000)))
    filled(text_engine, large, *BOX)
    (hit,) = text_engine.reader().search("word299999", snapshot="demo", limit=10)
    assert hit.chunk == large.chunk


@pytest.mark.parametrize("question", HOSTILE_QUESTIONS, ids=repr)
def test_a_question_is_words_and_never_syntax(text_engine: TextEngine, question: str) -> None:
    filled(text_engine, *BOX)
    hits = text_engine.reader().search(question, snapshot="demo", limit=10)
    assert len(hits) <= len(BOX)
    if not question.strip(" \n\t()*:\0😀\ud800"):
        assert hits == []


def test_a_question_of_a_megabyte_is_answered_by_its_first_words(text_engine: TextEngine) -> None:
    filled(text_engine, *BOX)
    question = "lid " + " ".join(f"w{i}" for i in range(150_000))
    hits = text_engine.reader().search(question, snapshot="demo", limit=10)
    assert [hit.chunk.name for hit in hits] == ["open"]


def test_a_limit_of_nothing_finds_nothing(text_engine: TextEngine) -> None:
    filled(text_engine, *BOX)
    assert text_engine.reader().search("box", snapshot="demo", limit=0) == []


def test_closing_twice_is_fine_and_drops_what_was_not_committed(text_engine: TextEngine) -> None:
    filled(text_engine, *BOX)
    store = text_engine.writer()
    store.put("demo", BOX[:1])
    store.close()
    store.close()
    assert text_engine.reader().count("demo") == len(BOX)


def test_a_token_is_counted_in_the_bodies_it_stands_in(text_engine: TextEngine) -> None:
    filled(text_engine, *BOX)
    filled(text_engine, document("box.py:Box.open", "open open"), snapshot="other")
    store = text_engine.reader()
    assert store.token_counts(["open", "box", "self", "zzz", ""], snapshot="demo") == [
        2,
        1,
        2,
        0,
        0,
    ]
    assert store.token_counts(["open"], snapshot="none") == [0]
    assert store.token_counts([], snapshot="demo") == []


def vector(*values: float, model: str = "plane@1") -> Vector:
    return Vector(model, struct.pack(f"<{len(values)}e", *values))


def directed(one: Document, *values: float, model: str = "plane@1") -> Document:
    return msgspec.structs.replace(one, vector=vector(*values, model=model))


EAST = vector(1.0, 0.0)
COMPASS = (
    directed(BOX[0], 0.8, 0.6),
    directed(BOX[1], -1.0, 0.0),
    directed(BOX[2], 1.0, 0.0),
    BOX[3],
)


def test_what_points_the_same_way_is_near(text_engine: TextEngine) -> None:
    filled(text_engine, *COMPASS)
    store = text_engine.reader()
    hits = store.near(EAST, snapshot="demo", limit=10)
    assert [hit.chunk for hit in hits] == [each.chunk for each in (BOX[2], BOX[0], BOX[1])]
    assert [hit.score for hit in hits] == pytest.approx([1.0, 0.8, -1.0], abs=1e-3)
    assert store.near(EAST, snapshot="demo", limit=1) == hits[:1]
    assert store.near(EAST, snapshot="demo", limit=0) == []
    assert store.vector_model("demo") == "plane@1"


def test_the_length_of_a_vector_says_nothing(text_engine: TextEngine) -> None:
    filled(text_engine, directed(BOX[0], 0.1, 0.1), directed(BOX[1], 30.0, 0.0))
    hits = text_engine.reader().near(vector(7.0, 0.0), snapshot="demo", limit=2)
    assert [hit.score for hit in hits] == pytest.approx([1.0, 0.5**0.5], abs=1e-3)


def test_chunks_equally_near_are_ordered_by_id(text_engine: TextEngine) -> None:
    names = [f"a.py:f{i * 37 % 101:03}" for i in range(101)]
    filled(text_engine, *(directed(document(name), 0.6, 0.8) for name in names))
    hits = text_engine.reader().near(EAST, snapshot="demo", limit=7)
    assert [hit.chunk.id for hit in hits] == sorted(names)[:7]


def test_nothing_is_near_where_there_are_no_vectors_of_that_model(text_engine: TextEngine) -> None:
    filled(text_engine, *BOX)
    filled(text_engine, *COMPASS, snapshot="other")
    store = text_engine.reader()
    assert store.vector_model("demo") is None
    assert store.vector_model("none") is None
    assert store.near(EAST, snapshot="demo", limit=5) == []
    assert store.near(EAST, snapshot="none", limit=5) == []
    assert store.near(vector(1.0, 0.0, model="plane@2"), snapshot="other", limit=5) == []


def test_vectors_of_another_model_take_the_place_of_those_before(text_engine: TextEngine) -> None:
    filled(text_engine, *COMPASS)
    filled(text_engine, *(directed(each, 0.0, 1.0, 0.0, model="space@1") for each in BOX))
    store = text_engine.reader()
    up = vector(0.0, 1.0, 0.0, model="space@1")
    assert store.vector_model("demo") == "space@1"
    assert len(store.near(up, snapshot="demo", limit=9)) == len(BOX)
    assert store.near(EAST, snapshot="demo", limit=9) == []
    filled(text_engine, *BOX)
    assert text_engine.reader().vector_model("demo") is None
    assert text_engine.reader().search("box", snapshot="demo", limit=9)
