"""Any bytes in, facts out, and the facts hold together."""

import keyword
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hindsight_neo4j.extract import Limits, extract
from hindsight_neo4j.extract.python import values as extract_module
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.model.facts import (
    NONE,
    BindingKind,
    FileFacts,
    Op,
    ScopeKind,
    decode_facts,
    encode_facts,
)

PYTHON = LanguageSet.load()["python"]

TOKENS = [
    *keyword.kwlist,
    *keyword.softkwlist,
    *"()[]{}:,.;=+-*/%@&|^~<>!\\'\"#`$?",
    *["\n", "\n    ", "\n        ", " ", "\t", "\0", "\r\n", "**", "//", ":=", "->", "...", "=="],
    *['"""', "'''", 'f"', "f'{", "rb'", "\\\n", "# c\n", "é", "𝒳", "名前", "a", "b", "self", "_"],
    *["def f(a, b=1):\n    ", "class A(B):\n    ", "@d\n", "x.y(z)", "lambda x: x", "\n  def g("],
    *["[x for x in y]", "match x:\n  case A(b=c): pass\n", "__all__ = ['a']", "print 1", "0777L"],
    *["x: 'T[U]' = 1", "global a", "nonlocal a", "async with a as b: pass", "type X[T: U] = V"],
]
REAL = Path(extract_module.__file__).read_text(encoding="utf-8").splitlines(keepends=True)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Some lines of a real file with a few characters lost and a few tokens too many."""
    start = draw(st.integers(0, len(REAL)))
    text = "".join(REAL[start : start + draw(st.integers(0, 40))])
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        text = (
            text[:at] + draw(st.sampled_from(["", *TOKENS])) + text[at + draw(st.integers(0, 4)) :]
        )
    return text.encode()


sources = st.one_of(
    damaged(),
    st.lists(st.sampled_from(TOKENS), max_size=60).map(lambda parts: "".join(parts).encode()),
    st.lists(st.sampled_from(TOKENS), max_size=60).map(lambda parts: " ".join(parts).encode()),
    st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.binary(max_size=200),
)


def facts_of(source: bytes, limits: Limits | None = None) -> FileFacts:
    return extract(source, "a.py", PYTHON, digest="d", limits=limits)


def _texts(facts: FileFacts) -> list[str]:
    found = [expr.text for expr in facts.exprs]
    for scope in facts.scopes:
        found += [scope.name, scope.qualname, scope.signature, scope.doc]
        found += [binding.name for binding in scope.bindings]
    return found


@settings(max_examples=600, deadline=None)
@given(sources)
def test_facts_hold_together(source: bytes):
    facts = facts_of(source)
    lines = source.replace(b"\0", b" ").decode("utf-8", "replace").split("\n")
    last = max(facts.line_count, 1)
    exprs = range(NONE, len(facts.exprs))
    for index, scope in enumerate(facts.scopes):
        assert 1 <= scope.start_line <= scope.name_line <= scope.end_line <= last
        assert scope.name in lines[scope.name_line - 1]
        assert (scope.parent == NONE) == (index == 0)
        assert scope.parent < index
        assert {*scope.decorators, *scope.bases, *scope.returns, *scope.yields} <= set(exprs)
        assert scope.returns_type in exprs
        for binding in scope.bindings:
            limit = {
                BindingKind.DEFINITION: len(facts.scopes),
                BindingKind.IMPORT: len(facts.imports),
                BindingKind.PARAMETER: len(scope.parameters),
                BindingKind.VALUE: len(facts.exprs),
            }[BindingKind(binding.kind)]
            lowest = NONE if binding.kind == BindingKind.VALUE else 0
            assert lowest <= binding.value < limit
            assert binding.type in exprs
            assert binding.name in lines[binding.line - 1]
        for store in scope.stores:
            assert facts.exprs[store.target].op in (Op.ATTRIBUTE, Op.SUBSCRIPT)
            assert store.value in exprs
            assert store.type in exprs
    for place, expr in enumerate(facts.exprs):
        assert all(NONE <= arg < place for arg in expr.args)
        assert 0 <= expr.scope < len(facts.scopes)
        assert 1 <= expr.line <= last
        if expr.op in (Op.NAME, Op.ATTRIBUTE):
            text = lines[expr.line - 1].encode()[expr.column :].decode("utf-8", "replace")
            assert text.startswith(expr.text) or "\ufffd" in lines[expr.line - 1]
    qualnames = [s.qualname for s in facts.scopes if s.kind != ScopeKind.BLOCK]
    assert len(set(qualnames)) == len(qualnames)
    assert list(facts.statement_lines) == sorted(set(facts.statement_lines))
    assert all(1 <= line <= last for line in facts.statement_lines)
    assert all(1 <= diagnostic.line <= last for diagnostic in facts.diagnostics)
    assert not any("\0" in text for text in _texts(facts))


@settings(max_examples=100, deadline=None)
@given(sources)
def test_facts_survive_storage_and_come_out_the_same_twice(source: bytes):
    facts = facts_of(source)
    assert decode_facts(encode_facts(facts)) == facts
    assert facts_of(source) == facts


@settings(max_examples=100, deadline=None)
@given(sources, st.integers(1, 6))
def test_a_nesting_limit_loses_no_name_and_no_definition(source: bytes, nesting: int):
    def found(facts: FileFacts) -> tuple[list[tuple[str, int, int]], list[str]]:
        names = sorted((e.text, e.line, e.column) for e in facts.exprs if e.op == Op.NAME)
        return names, sorted(s.name for s in facts.scopes)

    assert found(facts_of(source, Limits(nesting=nesting))) == found(facts_of(source))


@pytest.mark.parametrize(
    "piece", ["(", "def f(:\n", "x = [\n", "'''", "class A(\n ", "\\\n", "{'a':"]
)
def test_repetition_ends(piece: str):
    assert facts_of((piece * 3_000).encode(), Limits(parse_seconds=5)).scopes
