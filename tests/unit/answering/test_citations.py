"""Citations: what is false is caught, what is true is not refused; over hundreds of cases planted in real code."""

from __future__ import annotations

import ast
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_neo4j.answering.citations import (
    check,
    with_found_places,
    with_places,
    without_places,
)
from hindsight_neo4j.model.answer import Fault
from hindsight_neo4j.model.question import Evidence

ROOT = Path(__file__).resolve().parents[3]
CASES = 60
"""Cases of each kind; there are eight kinds of false ones and six of true ones."""


def pieces_of(path: str) -> list[Evidence]:
    """Every function of a file, whole."""
    source = (ROOT / path).read_text(encoding="utf-8")
    lines = source.splitlines()
    return [
        Evidence(
            f"{path}:{node.name}",
            path,
            node.lineno,
            node.end_lineno or node.lineno,
            "\n".join(lines[node.lineno - 1 : node.end_lineno]),
            10,
            True,
            (),
        )
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef)
    ]


FILES = [
    "hindsight_neo4j/client.py",
    "hindsight_neo4j/retrieval/lookup.py",
    "hindsight_neo4j/link/infer.py",
    "hindsight_neo4j/ingest/walk.py",
]
GIVEN = [piece for path in FILES for piece in pieces_of(path)]
NOT_GIVEN = pieces_of("hindsight_neo4j/stores/tokens.py")

Planted = tuple[str, str, int, int]
"""Name, path and lines."""


def elsewhere(piece: Evidence, luck: random.Random) -> Planted:
    other = luck.choice(NOT_GIVEN)
    return piece.id.split(":")[1], other.path, other.start_line, other.end_line


def invented(piece: Evidence, luck: random.Random) -> Planted:
    stem = luck.choice(["helpers", "core/base", "util", "main", "../../etc/passwd", "lib"])
    return piece.id.split(":")[1], f"{stem}.py", piece.start_line, piece.end_line


def nearly(piece: Evidence, luck: random.Random) -> Planted:
    at = luck.randrange(1, len(piece.path) - 4)
    return (
        piece.id.split(":")[1],
        piece.path[:at] + "x" + piece.path[at:],
        piece.start_line,
        piece.end_line,
    )


def cut_short(piece: Evidence, luck: random.Random) -> Planted:
    return piece.id.split(":")[1], piece.path.rpartition("/")[2], piece.start_line, piece.end_line


def past_the_end(piece: Evidence, luck: random.Random) -> Planted:
    last = max(each.end_line for each in GIVEN if each.path == piece.path)
    start = last + luck.randrange(1, 5_000)
    return piece.id.split(":")[1], piece.path, start, start + luck.randrange(30)


def backwards(piece: Evidence, luck: random.Random) -> Planted:
    return piece.id.split(":")[1], piece.path, piece.end_line + 1, max(0, piece.start_line - 1)


def far_too_much(piece: Evidence, luck: random.Random) -> Planted:
    return piece.id.split(":")[1], piece.path, 1, 10 ** luck.randrange(5, 30)


def another_name(piece: Evidence, luck: random.Random) -> Planted:
    return f"no_such_{luck.randrange(10**6)}", piece.path, piece.start_line, piece.end_line


def exact(piece: Evidence, luck: random.Random) -> Planted:
    return piece.id.split(":")[1], piece.path, piece.start_line, piece.end_line


def one_line(piece: Evidence, luck: random.Random) -> Planted:
    line = luck.randint(piece.start_line, piece.end_line)
    return piece.id.split(":")[1], piece.path, line, line


def a_part(piece: Evidence, luck: random.Random) -> Planted:
    start = luck.randint(piece.start_line, piece.end_line)
    return piece.id.split(":")[1], piece.path, start, luck.randint(start, piece.end_line)


def with_a_decorator(piece: Evidence, luck: random.Random) -> Planted:
    length = piece.end_line - piece.start_line + 1
    start = max(1, piece.start_line - min(length, luck.randrange(1, 3)))
    return piece.id.split(":")[1], piece.path, start, piece.end_line


def a_name_inside(piece: Evidence, luck: random.Random) -> Planted:
    names = [each.id for each in ast.walk(ast.parse(dedented(piece))) if isinstance(each, ast.Name)]
    name = luck.choice(names) if names else piece.id.split(":")[1]
    return name, piece.path, piece.start_line, piece.end_line


def dotted(piece: Evidence, luck: random.Random) -> Planted:
    return f"self.{piece.id.split(':')[1]}()", piece.path, piece.start_line, piece.end_line


def dedented(piece: Evidence) -> str:
    pad = len(piece.text) - len(piece.text.lstrip())
    return "\n".join(line[pad:] for line in piece.text.splitlines())


FALSE = [
    elsewhere,
    invented,
    nearly,
    cut_short,
    past_the_end,
    backwards,
    far_too_much,
    another_name,
]
TRUE = [exact, one_line, a_part, with_a_decorator, a_name_inside, dotted]
FORMS = [
    "`{name}` does it [{path}:{start}-{end}].",
    "`{name}` does it [{path}:{start}-{end}]",
    "`{name}` does it. [{path}:{start}-{end}]",
    "- `{name}` does it ({path}:{start}-{end}).",
    "`{name}` (see `{path}:{start}-{end}`) does it.",
    "1. In {path}:{start}-{end}, `{name}` does it.",
    "`{name}` does it [./{path}:{start}–{end}].",
    "`{name}` does it [{path}:L{start}-L{end}].",
]

NUMBERED = [
    "`{name}` does it [{number}].",
    "`{name}` does it. [{number}]",
    "- `{name}` does it [piece {number}]",
    "[{number}] `{name}` does it.",
]
PIECES = GIVEN[:60]


def planted(make: Callable[[Evidence, random.Random], Planted], seed: int) -> tuple[str, Planted]:
    luck = random.Random(f"{make.__name__} {seed}")
    case = make(luck.choice(GIVEN), luck)
    name, path, start, end = case
    return luck.choice(FORMS).format(name=name, path=path, start=start, end=end), case


@pytest.mark.parametrize("make", FALSE, ids=lambda make: make.__name__)
def test_every_planted_false_citation_is_caught(
    make: Callable[[Evidence, random.Random], Planted],
) -> None:
    caught = [check(planted(make, seed)[0], GIVEN) for seed in range(CASES)]
    assert [found for found in caught if any(one.supported for one in found)] == []
    assert all(found[0].citations for found in caught)


@pytest.mark.parametrize("make", TRUE, ids=lambda make: make.__name__)
def test_no_true_citation_is_refused(make: Callable[[Evidence, random.Random], Planted]) -> None:
    refused = [
        (text, found)
        for seed in range(CASES)
        for text, _ in [planted(make, seed)]
        for found in [check(text, GIVEN)]
        if len(found) != 1 or not found[0].supported
    ]
    assert refused == []


@pytest.mark.parametrize("form", NUMBERED)
def test_a_number_cites_the_piece_that_has_it_and_no_other(form: str) -> None:
    luck = random.Random(form)
    for _ in range(CASES):
        at = luck.randrange(len(PIECES))
        name = PIECES[at].id.split(":")[1]
        (right,) = check(with_places(form.format(name=name, number=at + 1), PIECES), PIECES)
        (cited, *_) = right.citations
        assert right.supported
        assert (cited.path, cited.start_line) == (PIECES[at].path, PIECES[at].start_line)
        for wrong in (
            form.format(name="no_such", number=at + 1),
            form.format(name=name, number=luck.randrange(len(PIECES) + 1, 999)),
            form.format(name=name, number=0),
        ):
            assert not any(each.supported for each in check(with_places(wrong, PIECES), PIECES))


@pytest.mark.parametrize(
    "text",
    [
        "`keys[1]` and `[1]`",
        "keys[1]",
        "f()[2]",
        "see [1](x.html)",
        "[a1]",
        "[1000]",
        "[1.5]",
        "[0]",
        "[-1]",
    ],
)
def test_a_number_that_is_no_citation_stays(text: str) -> None:
    assert with_places(text, PIECES) == text


def test_several_numbers_cite_several_pieces() -> None:
    one, two = PIECES[:2]
    places = (
        f"[{one.path}:{one.start_line}-{one.end_line}, {two.path}:{two.start_line}-{two.end_line}]"
    )
    for form in ("[1, 2]", "[1][2]", "[1] [2]", "[1;2]", "[piece 1, piece 2]", "[1, 2, 1]"):
        assert with_places(f"It holds {form}.", PIECES) == f"It holds {places}."


@pytest.mark.parametrize("form", [*FORMS[:4], *FORMS[6:]])
def test_what_is_said_is_left_without_its_places(form: str) -> None:
    text = form.format(name="put", path=PIECES[0].path, start=1, end=2)
    assert without_places(text, PIECES).removeprefix("- ").rstrip(".") == "`put` does it"


def test_there_are_more_than_two_hundred_false_cases() -> None:
    texts = {planted(make, seed)[0] for make in FALSE for seed in range(CASES)}
    assert len(texts) > 200


def test_one_false_citation_among_true_ones_spoils_its_sentence_alone() -> None:
    piece = GIVEN[0]
    place = f"{piece.path}:{piece.start_line}-{piece.end_line}"
    found = check(f"This holds [{place}]. This does not [{place}; nowhere.py:1-2].", GIVEN)
    assert [one.supported for one in found] == [True, False]
    assert [one.fault for one in found[1].citations] == [Fault.NONE, Fault.NO_FILE]


@pytest.mark.parametrize(
    "path",
    ["a b/c.py", "Makefile", "we[ir]d/(x).py", "días/ñ.py", "a.py: B.py", "x`y.py", "dir/. A.py"],
)
def test_a_path_of_any_letters_can_be_cited(path: str) -> None:
    piece = Evidence(f"{path}:f", path, 3, 9, "def f(): ...", 5, True, ())
    found = check(f"It is there [{path}:3-9]. And not there [{path}:30-39].", [piece])
    assert [one.supported for one in found] == [True, False]


def test_a_file_that_is_named_is_the_one_that_is_cited() -> None:
    one = Evidence("a/rules.py:f", "a/rules.py", 3, 9, "def f(): ...", 5, True, ())
    text = "It is in `{}` [a/rules.py:3-9]."
    named = ["a/rules.py", "rules.py", "store.py", "a/store.py", "a.py"]
    found = [check(text.format(name), [one])[0].supported for name in named]
    assert found == [True, True, False, False, False]
    assert with_found_places("`f` stands in `store.py`.", [one]) == "`f` stands in `store.py`."


def test_a_signature_proves_its_own_line_and_not_the_body() -> None:
    piece = Evidence("a.py:f", "a.py", 3, 3, "f(key)", 5, False, ())
    found = check("`f` takes a key [a.py:3-3]. `f` deletes it [a.py:4-9].", [piece])
    assert [one.supported for one in found] == [True, False]


def test_what_cites_nothing_is_unsupported_and_repetition_is_said_once() -> None:
    found = check("It is fast. " * 500, GIVEN)
    assert [(one.text, one.supported) for one in found] == [("It is fast.", False)]


def test_a_wrapped_line_is_one_sentence_and_a_point_of_a_list_is_another() -> None:
    piece = GIVEN[0]
    place = f"[{piece.path}:{piece.start_line}-{piece.end_line}]"
    found = check(f"It holds\nover two lines {place}.\n\n1. One {place}\n2. Two\n", GIVEN)
    assert [one.supported for one in found] == [True, True, False]


def test_text_that_only_looks_like_a_place_is_none() -> None:
    text = "It waits at 12:30 on http://localhost:8080/ and 127.0.0.1:9 for `x`"
    assert check(text, GIVEN)[0].citations == ()


def test_lines_of_two_pieces_together_are_given() -> None:
    one = Evidence("a.py:f", "a.py", 3, 9, "def f(): ...", 5, True, ())
    two = Evidence("a.py:g", "a.py", 11, 20, "def g(): ...", 5, True, ())
    assert check("`f` and `g` [a.py:3-20]", [one, two])[0].supported


@given(st.text(max_size=400))
def test_any_text_is_cut_into_sentences(text: str) -> None:
    for sentence in check(text, GIVEN[:20]):
        assert sentence.text.strip()
        assert not sentence.supported or sentence.citations


@pytest.mark.parametrize(
    "text",
    ["[" * 40_000, "a/" * 20_000, "`" * 40_000, "x.py:" * 8_000, "a. A" * 10_000, "9" * 40_000],
)
def test_hostile_text_takes_no_long_time(text: str) -> None:
    began = time.monotonic()
    check(text, GIVEN)
    assert (
        time.monotonic() - began < 10
    )  # a hundredth of a second here; a bad pattern takes minutes
