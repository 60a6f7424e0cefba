"""Promises of linking that hold for any source: order does not matter, every edge has both its ends."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import given, settings

from hindsight_neo4j.extract import extract
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.link import link
from hindsight_neo4j.model.facts import FileFacts
from hindsight_neo4j.model.graph import EdgeKind, NodeKind

LANGUAGES = LanguageSet.load()

NAMES = ("a", "b", "f", "g", "C", "D", "self", "open", "append", "__init__")
PATHS = (
    "a.py",
    "b.py",
    "a/__init__.py",
    "a/b.py",
    "a/b.pyi",
    "src/b/__init__.py",
    "tests/conftest.py",
    "tests/test_a.py",
)

name = st.sampled_from(NAMES)
line = st.one_of(
    st.builds("import {}".format, name),
    st.builds("from {} import {}".format, name, name),
    st.builds("from .{} import {} as {}".format, name, name, name),
    st.builds("from {} import *".format, name),
    st.builds("import {}.{}".format, name, name),
    st.builds("{} = {}".format, name, name),
    st.builds("{} = {}()".format, name, name),
    st.builds("{}.{} = {}".format, name, name, name),
    st.builds("{}[0] = {}".format, name, name),
    st.builds("{}.{}({})".format, name, name, name),
    st.builds("for {} in {}: {}()".format, name, name, name),
    st.builds("{}: {} = {}".format, name, name, name),
    st.builds("class {}({}):\n    def {}(self, {}): return self.{}({})".format, *[name] * 6),
    st.builds("class {}({}, {}): {} = {}".format, *[name] * 5),
    st.builds("@{}\ndef {}({}): return {}({})".format, *[name] * 5),
    st.builds("{} = super().{}(lambda {}: [{}.{} for {} in {}])".format, *[name] * 7),
)
sources = st.dictionaries(
    st.sampled_from(PATHS), st.lists(line, max_size=12).map("\n".join), min_size=1
)


def facts_of(files: dict[str, str]) -> list[FileFacts]:
    found = []
    for path, text in files.items():
        language = LANGUAGES.of_path(path)
        assert language is not None
        found.append(extract(text.encode(), path, language, digest=""))
    return found


@settings(max_examples=150, deadline=None)
@given(sources, st.randoms(use_true_random=False))
def test_order_of_files_does_not_matter(files: dict[str, str], random) -> None:  # type: ignore[no-untyped-def]
    facts = facts_of(files)
    graph = link(facts, LANGUAGES)
    random.shuffle(facts)
    assert link(facts, LANGUAGES) == graph


@settings(max_examples=150, deadline=None)
@given(sources)
def test_every_edge_has_its_ends_and_every_symbol_its_place(files: dict[str, str]) -> None:
    graph = link(facts_of(files), LANGUAGES)
    ids = [node.id for node in graph.nodes]
    assert ids == sorted(set(ids))
    assert all({edge.src, edge.dst} <= set(ids) for edge in graph.edges)
    keys = [(edge.kind, edge.src, edge.dst) for edge in graph.edges]
    assert keys == sorted(set(keys))
    assert all(0 < edge.confidence <= 1 for edge in graph.edges)
    assert all(list(edge.lines) == sorted(set(edge.lines)) for edge in graph.edges)
    contained = [edge.dst for edge in graph.edges if edge.kind is EdgeKind.CONTAINS]
    inside = [n.id for n in graph.nodes if n.kind is not NodeKind.EXTERNAL and n.id != "."]
    assert sorted(contained) == sorted(inside)
