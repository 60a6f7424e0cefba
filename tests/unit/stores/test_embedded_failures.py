"""The embedded stores on files that are missing, broken or not theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from hindsight_neo4j.errors import StoreUnavailable, WriteFailed
from hindsight_neo4j.model.chunk import Chunk, Document
from hindsight_neo4j.model.graph import Edge, EdgeKind, Graph, How, Node, NodeKind, Tier
from hindsight_neo4j.stores.embedded_graph import EmbeddedGraph
from hindsight_neo4j.stores.embedded_text import EmbeddedText
from hindsight_neo4j.stores.tokens import document_tokens

NODE = Node("a.py", NodeKind.FILE, "a.py", "", "a.py")


def test_a_missing_graph_is_unavailable_and_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="ingest the repository again"):
        EmbeddedGraph.open(tmp_path / "none.lbug")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"hello" * 10_000], ids=["empty", "junk"])
def test_a_broken_graph_is_unavailable(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "graph.lbug"
    path.write_bytes(content)
    with pytest.raises(StoreUnavailable):
        EmbeddedGraph.open(path)


def test_a_cut_off_graph_is_unavailable(tmp_path: Path) -> None:
    path = tmp_path / "graph.lbug"
    store = EmbeddedGraph.create(path)
    store.write("demo", Graph((NODE,), ()))
    store.close()
    path.write_bytes(path.read_bytes()[:20_000])
    with pytest.raises(StoreUnavailable):
        EmbeddedGraph.open(path)


def test_a_graph_may_be_open_twice(tmp_path: Path) -> None:
    path = tmp_path / "graph.lbug"
    store = EmbeddedGraph.create(path)
    store.write("demo", Graph((NODE,), ()))
    store.close()
    readers = [EmbeddedGraph.open(path), EmbeddedGraph.open(path)]
    assert [reader.counts("demo") for reader in readers] == [({"File": 1}, {})] * 2
    for reader in readers:
        reader.close()


@pytest.mark.parametrize(
    "name", ["it's", 'a "b"', "[x]", "a*b?", "back\\slash", "new\nline", "é😀"]
)
def test_a_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    store = EmbeddedGraph.create(folder / "graph.lbug")
    store.write("demo", Graph((NODE,), ()))
    assert store.counts("demo") == ({"File": 1}, {})
    store.close()
    assert [path.name for path in folder.iterdir()] == ["graph.lbug"]


@pytest.mark.parametrize("first", [True, False], ids=["first write", "second write"])
def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path, first: bool) -> None:
    store = EmbeddedGraph.create(tmp_path / "graph.lbug")
    if not first:
        store.write("demo", Graph((NODE,), ()))
    before = store.counts("demo")
    twice = Node("b.py", NodeKind.FILE, "b.py", "", "b.py")
    with pytest.raises(WriteFailed, match=r"b\.py"):
        store.write("demo", Graph((twice, twice), ()))
    assert store.counts("demo") == before
    loop = Edge(EdgeKind.IMPORTS, "b.py", "b.py", (1,), Tier.DIRECT, 0.95, How.IMPORT)
    store.write("demo", Graph((twice,), (loop,)))
    assert store.counts("demo") == ({"File": 1}, {"IMPORTS": 1})
    store.close()


def test_missing_chunks_are_unavailable(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="ingest the repository again"):
        EmbeddedText.open(tmp_path / "none")


def test_broken_chunks_are_unavailable(tmp_path: Path) -> None:
    chunk = Chunk("a.py:f", "a.py:f", "a.py", "Function", "f", "()", "", 1, 2, False, "pass")
    store = EmbeddedText.create(tmp_path / "text")
    store.put("demo", [Document(chunk, document_tokens(chunk))])
    store.commit()
    store.close()
    (meta,) = (tmp_path / "text").glob("*/meta.json")
    meta.write_text("{")
    with pytest.raises(StoreUnavailable, match="ingest the repository again"):
        EmbeddedText.open(tmp_path / "text").search("f", snapshot="demo", limit=1)


def test_chunks_where_no_folder_can_be_are_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnavailable, match="cannot make"):
        EmbeddedText.create(tmp_path / "file" / "text")
