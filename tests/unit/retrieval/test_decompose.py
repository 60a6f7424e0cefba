"""A question is cut into at most four pieces of its own text, and its anchors are found, in time that grows with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_neo4j.errors import QuestionError
from hindsight_neo4j.retrieval.anchors import AnchorKind, find_anchors
from hindsight_neo4j.retrieval.decompose import MOST_SUBQUESTIONS, decompose

REPORT = """Crash in app.db.Store.put()

```
Traceback (most recent call last):
  File "/srv/env/app/main.py", line 9, in run
    store.put("a", 1)
  File "/srv/env/app/db.py", line 16, in put
    self.records[key] = encode(value)
TypeError: bad value
```
I run it on Linux. It worked before. Please see tests/test_db.py::TestStore::test_put, e.g. on main.
"""


def texts(question: str) -> list[str]:
    return [part.text for part in decompose(question)]


def test_a_question_of_one_clause_is_its_own_only_sub_question() -> None:
    question = "  Why is the CUDA batching equivalence test skipped?  "
    (part,) = decompose(question)
    assert part.text == question.strip()
    assert question[part.start : part.end] == part.text


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Where is `Store.put` defined, and who calls it?",
            ["Where is `Store.put` defined", "who calls it?"],
        ),
        (
            "How are records saved and where does encoding happen?",
            ["How are records saved", "where does encoding happen?"],
        ),
        ("It crashes. Why does it?", ["It crashes.", "Why does it?"]),
        ("Does it do so and so?", ["Does it do so and so?"]),
    ],
)
def test_clauses_are_cut_where_another_question_begins(question: str, parts: list[str]) -> None:
    assert texts(question) == parts


def test_of_a_long_report_the_title_and_what_names_most_are_kept() -> None:
    parts = decompose(REPORT)
    assert len(parts) == MOST_SUBQUESTIONS
    assert parts[0].text == "Crash in app.db.Store.put()"
    assert {"app.db.Store.put", "run", "put"} <= {a for part in parts for a in part.anchors}


@pytest.mark.parametrize("question", ["", "   \n\t", "?!…", "\x00", "`` ``"])
def test_a_blank_question_is_refused(question: str) -> None:
    with pytest.raises(QuestionError):
        decompose(question)


@given(st.text(max_size=400))
def test_every_piece_is_a_slice_of_the_question(question: str) -> None:
    try:
        parts = decompose(question)
    except QuestionError:
        assert not any(character.isalnum() for character in question)
        return
    assert 1 <= len(parts) <= MOST_SUBQUESTIONS
    for part in parts:
        assert question[part.start : part.end] == part.text
        assert part.text.strip()


@pytest.mark.parametrize(
    "piece",
    ["a", "a.b ", "`", "'\"`a ", "x_y(\n", 'File "', "and how ", ".py", "a/b.py:", "at f(", " "],
)
def test_a_megabyte_of_anything_is_cut_short_and_answered(piece: str) -> None:
    question = "why " + piece * (1_000_000 // len(piece))
    assert 1 <= len(decompose(question)) <= MOST_SUBQUESTIONS


def test_a_question_after_a_megabyte_of_blanks_is_still_found() -> None:
    (part,) = decompose(" " * 1_000_000 + "why here")
    assert (part.text, part.start) == ("why here", 1_000_000)


def anchors(text: str) -> list[tuple[AnchorKind, str, str]]:
    return [(anchor.kind, anchor.name, anchor.path) for anchor in find_anchors(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("does put() flush", [(AnchorKind.IDENTIFIER, "put", "")]),
        ("the HTTPServer class", [(AnchorKind.IDENTIFIER, "HTTPServer", "")]),
        ("set max_size, please", [(AnchorKind.IDENTIFIER, "max_size", "")]),
        ("why `flush`?", [(AnchorKind.IDENTIFIER, "flush", "")]),
        ('it says "no such key"', [(AnchorKind.QUOTED, "no such key", "")]),
        ("look into app/db.py.", [(AnchorKind.PATH, "app/db.py", "app/db.py")]),
        ("in conftest.py", [(AnchorKind.PATH, "conftest.py", "conftest.py")]),
        ("os.path is a module", [(AnchorKind.IDENTIFIER, "os.path", "")]),
        ('  File "a/b.py", line 3, in f', [(AnchorKind.FRAME, "f", "a/b.py")]),
        ("tests/test_x.py:12: in helper", [(AnchorKind.FRAME, "helper", "tests/test_x.py")]),
        ("at Server.start (src/server.js:10:3)", [(AnchorKind.FRAME, "start", "src/server.js")]),
        ("Plain words, e.g. these. Nothing else!", []),
    ],
)
def test_anchors_are_told_from_prose(text: str, found: list[tuple[AnchorKind, str, str]]) -> None:
    assert set(found) <= set(anchors(text))
    if not found:
        assert anchors(text) == []


@given(st.text(max_size=300))
def test_every_anchor_stands_where_it_says(text: str) -> None:
    for anchor in find_anchors(text):
        assert text[anchor.start : anchor.start + len(anchor.text)] == anchor.text
