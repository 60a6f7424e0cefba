"""How a file falls into chunks."""

from __future__ import annotations

from textwrap import dedent

from hindsight_neo4j.extract import extract
from hindsight_neo4j.ingest.chunk import ChunkCap, chunk
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.model.chunk import Chunk

WIDE = ChunkCap(lines=100, bytes=10_000)


def chunks(source: str, cap: ChunkCap = WIDE, path: str = "a.py") -> list[Chunk]:
    language = LanguageSet.load().of_path(path)
    assert language is not None
    data = dedent(source).encode()
    return chunk(data, extract(data, path, language, digest=""), is_test=False, cap=cap)


def spans(pieces: list[Chunk]) -> list[tuple[str, int, int]]:
    return [(piece.id, piece.start_line, piece.end_line) for piece in pieces]


def test_functions_class_headers_and_the_rest_of_the_module_are_chunks() -> None:
    pieces = chunks('''\
        """What it is for."""
        import os

        LIMIT = 3


        @cache
        def load(path: str) -> str:
            """Read it."""
            return open(path).read()


        class Store(Base):
            """Keeps things."""

            size = 0

            def put(self, thing):
                self.size += 1

            class Inner:
                x = 1


        print(load("x"))
        ''')

    assert spans(pieces) == [
        ("a.py", 1, 4),
        ("a.py:load", 7, 10),
        ("a.py:Store", 13, 16),
        ("a.py:Store.put", 18, 19),
        ("a.py:Store.Inner", 21, 22),
        ("a.py#2", 25, 25),
    ]
    module, load, store, put, *_ = pieces
    assert (module.kind, module.name, module.doc) == ("File", "a.py", "What it is for.")
    assert (load.kind, load.name, load.doc) == ("Function", "load", "Read it.")
    assert (store.kind, store.signature) == ("Class", "(Base)")
    assert (put.symbol, put.name) == ("a.py:Store.put", "Store.put")
    assert load.text.startswith("@cache\ndef load")


def test_a_nested_function_is_read_with_its_outer_one() -> None:
    pieces = chunks("""\
        def outer():
            def inner():
                class Local:
                    pass
            return inner
        """)

    assert spans(pieces) == [("a.py:outer", 1, 5)]


def test_a_long_function_is_cut_where_statements_begin_and_gives_up_its_inner_ones() -> None:
    pieces = chunks(
        """\
        def outer():
            a = 1
            b = (
                2,
                3,
            )
            def inner():
                return a
            return inner
        """,
        ChunkCap(lines=4, bytes=10_000),
    )

    assert spans(pieces) == [
        ("a.py:outer", 1, 2),
        ("a.py:outer#2", 3, 6),
        ("a.py:outer.inner", 7, 8),
        ("a.py:outer#3", 9, 9),
    ]
    assert {piece.symbol for piece in pieces} == {"a.py:outer", "a.py:outer.inner"}
    assert [piece.signature for piece in pieces if piece.symbol == "a.py:outer"] == ["()", "", ""]


def test_a_statement_longer_than_the_cap_is_cut_between_lines() -> None:
    source = "TABLE = [\n" + "    1,\n" * 10 + "]\n"

    assert [piece.end_line - piece.start_line + 1 for piece in chunks(source, ChunkCap(5, 99))] == [
        5,
        5,
        2,
    ]


def test_a_long_line_is_a_chunk_of_its_own() -> None:
    source = f"a = 1\nb = '{'x' * 500}'\nc = 3\n"

    assert spans(chunks(source, ChunkCap(100, 50))) == [
        ("a.py", 1, 1),
        ("a.py#2", 2, 2),
        ("a.py#3", 3, 3),
    ]


def test_a_comment_goes_with_what_it_stands_before() -> None:
    pieces = chunks("""\
        def f():
            pass

        # About g.
        def g():
            pass

        # The end.
        """)

    assert spans(pieces) == [("a.py:f", 1, 2), ("a.py:g", 4, 8)]


def test_each_definition_of_one_name_has_its_chunk() -> None:
    pieces = chunks("""\
        if True:
            def g(): return 1
        else:
            def g(): return 2
        """)

    assert [piece.id for piece in pieces] == ["a.py", "a.py:g", "a.py:g~2"]
    assert pieces[2].name == "g"


def test_a_file_without_code_has_no_blank_chunk() -> None:
    assert chunks("") == []
    assert chunks("\n  \n\t\n\u3000\n") == []
    assert spans(chunks("# only a comment\n")) == [("a.py", 1, 1)]


def test_line_numbers_hold_with_windows_line_ends() -> None:
    pieces = chunks("a = 1\r\n\r\ndef f():\r\n    return a\r\n")

    assert spans(pieces) == [("a.py", 1, 1), ("a.py:f", 3, 4)]
