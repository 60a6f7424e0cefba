"""Bad source gives diagnostics, and loses as little as it can."""

import pytest
from facts_text import bindings, expressions, facts_of, qualnames, scope

from hindsight_neo4j.extract.extract import MAX_DIAGNOSTICS
from hindsight_neo4j.model.facts import Op


def ranges(source: str) -> dict[str, tuple[int, int]]:
    return {s.qualname: (s.start_line, s.end_line) for s in facts_of(source).scopes[1:]}


def test_definitions_around_a_broken_one_are_found():
    """Known fault 10."""
    facts = facts_of(
        "def good(): return 1\ndef broken(:\n    pass\ndef also_good():\n    return good()\n"
    )
    assert qualnames(facts) == ["good", "broken", "also_good"]
    assert expressions(facts, Op.CALL) == ["good()"]
    assert facts.exprs[-1].scope == 3
    assert [d.line for d in facts.diagnostics] == [2]


def test_python_2_is_read_and_reported():
    """Known fault 10."""
    facts = facts_of(
        'def old():\n    print "two", f()\n    exec "x" in g()\n    raise A, h()\n'
        "def after():\n    try: i()\n    except A, e: pass\n    print >>f, `x`, 0777L, a <> b\n"
    )
    assert qualnames(facts) == ["old", "after"]
    assert expressions(facts, Op.CALL) == ["f()", "g()", "h()", "i()"]
    assert (facts.diagnostics[0].line, facts.diagnostics[0].message) == (
        2,
        "syntax error: print statement of Python 2",
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(
            "def f(x)\n    y()\n    z()\n\ndef g():\n    f(1)\n",
            {"f": (1, 3), "g": (5, 6)},
            id="no colon",
        ),
        pytest.param(
            "class A\n    def m(self):\n        y()\n    def n(self)\n        z()\n\ndef g():\n    f(1)\n",
            {"A": (1, 5), "A.m": (2, 3), "A.n": (4, 5), "g": (7, 8)},
            id="no colons, nested",
        ),
        pytest.param(
            "def f(a, b:\n    x = (1, 2\n    y()\n\ndef g(c):\n    return f(c\n\nclass B:\n    def h(self): pass\n",
            {"f": (1, 3), "g": (5, 6), "B": (8, 9), "B.h": (9, 9)},
            id="open brackets everywhere",
        ),
        pytest.param(
            "x = [1, 2\n@dec(1)\ndef f():\n    pass\nclass C(D):\n    @prop\n    def g(self):\n        f()\n",
            {"f": (2, 4), "C": (5, 8), "C.g": (6, 8)},
            id="open bracket at the top",
        ),
        pytest.param(
            "class A:\n    def m(self):\n        if x:\n            y(\n        else:\n            z()\n"
            "    def n(self):\n        self.m()\n",
            {"A": (1, 8), "A.m": (2, 6), "A.n": (7, 8)},
            id="open bracket in a method",
        ),
        pytest.param(
            "class A:\n    x = {\n    def m(self):\n        pass\n    async def n(self):\n        self.m()\nq = A()\n",
            {"A": (1, 6), "A.m": (3, 4), "A.n": (5, 6)},
            id="open brace in a class",
        ),
        pytest.param(
            "<<<<<<< HEAD\ndef f():\n    a()\n=======\ndef f():\n    b()\n>>>>>>> x\ndef g(): f()\n",
            {"f": (2, 3), "f~2": (5, 6), "g": (8, 8)},
            id="merge conflict",
        ),
        pytest.param(
            'def f(x):\n    """\n    def no(): pass\n    """\n    y(]\n    return x\ndef g(): pass\n',
            {"f": (1, 6), "g": (7, 7)},
            id="definition in a string",
        ),
        pytest.param(
            "@dec(\ndef f(x):\n    y()\n",
            {"f": (2, 3)},
            id="open bracket in a decorator",
        ),
        pytest.param("def f(", {"f": (1, 1)}, id="end of file"),
        pytest.param("class", {}, id="no name"),
        pytest.param("\tdef f(x)\n\t\ty()\n", {"f": (1, 2)}, id="indented with tabs"),
    ],
)
def test_definitions_survive_a_broken_place(source, expected):
    assert ranges(source) == expected
    assert facts_of(source).diagnostics


def test_what_stands_in_a_broken_definition_belongs_to_it():
    facts = facts_of("class A\n    def m(self):\n        y = z()\n        return y\n    k = 1\n")
    assert bindings(facts, "A") == ["def A.m", "k = 1"]
    assert bindings(facts, "A.m") == ["parameter self", "y = z()"]
    assert scope(facts, "A").signature == ""


def test_decorators_of_a_broken_head_are_uses():
    assert expressions(facts_of("@route(1)\n@plain\ndef f(:\n  x = [\n"), Op.CALL) == ["route(1)"]


def test_diagnostics_are_in_order_and_bounded():
    found = facts_of("x = (]\nprint x\n" * 100).diagnostics
    assert len(found) == MAX_DIAGNOSTICS + 1
    assert [d.line for d in found] == sorted(d.line for d in found)
    assert found[-1].message.endswith("more from here on")


def test_whole_source_has_no_diagnostics():
    assert facts_of("def f(): return 1\n").diagnostics == ()


@pytest.mark.parametrize(
    "source",
    [b"", b"\n", b"\0", b"\xff\xfe\x00x", b"\r\n\r\n", b"#", b"\\", "\ufeffx = 1".encode(), b"'"],
)
def test_anything_gives_facts(source):
    facts = facts_of(source)
    assert facts.line_count == source.count(b"\n") + (source[-1:] not in (b"", b"\n"))
    assert (facts.scopes[0].start_line, facts.scopes[0].end_line) == (1, max(facts.line_count, 1))


def test_nul_is_nowhere_in_the_facts():
    facts = facts_of("'''a\0b'''\nx = 'c\0d' + '\\0'\ndef f(a='\0'): pass\n")
    assert "\0" not in repr(facts)
    assert expressions(facts, Op.STRING)[0] == "'c d'"
