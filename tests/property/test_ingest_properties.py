"""What holds for the chunks of any source, and for ingests of any small tree."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hindsight_neo4j.extract import extract
from hindsight_neo4j.ingest.chunk import ChunkCap, chunk
from hindsight_neo4j.languages.language import LanguageSet

LINES = st.sampled_from(
    [
        "",
        "   ",
        "# a comment",
        "x = 1",
        "import os",
        '"""text',
        '"""',
        "y = (",
        ")",
        "if x:",
        "else:",
        "@deco",
        "def f(a):",
        "async def g():",
        "class C(B):",
        "return x",
        "z = [i for i in x]",
        "é = 'ü'",
        "def broken(:",
        "\f",
        "\u2028",
        "h = lambda: (yield)",
        "def one(): pass; x = 2",
    ]
)
SOURCES = st.lists(st.tuples(st.integers(0, 4), LINES), max_size=40).map(
    lambda lines: "\n".join("    " * depth + line for depth, line in lines)
)
CAPS = st.builds(ChunkCap, lines=st.integers(1, 12), bytes=st.integers(1, 200))


@settings(max_examples=300, deadline=None)
@given(SOURCES, CAPS, st.sampled_from(["\n", "\r\n"]))
def test_every_line_with_something_on_it_lies_in_exactly_one_chunk(
    source: str, cap: ChunkCap, line_end: str
) -> None:
    language = LanguageSet.load().of_path("a.py")
    assert language is not None
    data = source.replace("\n", line_end).encode()
    facts = extract(data, "a.py", language, digest="")
    chunks = chunk(data, facts, is_test=False, cap=cap)
    lines = data.split(b"\n")
    covered = [line for c in chunks for line in range(c.start_line, c.end_line + 1)]
    filled = [n for n, line in enumerate(lines, 1) if line.decode().strip()]

    assert len(covered) == len(set(covered))
    assert set(filled) <= set(covered)
    assert len({c.id for c in chunks}) == len(chunks)
    symbols = {"a.py", *(f"a.py:{scope.qualname}" for scope in facts.scopes[1:])}
    for c in chunks:
        assert c.text == b"\n".join(lines[c.start_line - 1 : c.end_line]).decode()
        assert c.text.strip()
        assert c.symbol in symbols
