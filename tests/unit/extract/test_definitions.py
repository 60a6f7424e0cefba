"""What the file defines: names, ranges, heads, and where each thing is evaluated."""

from facts_text import (
    bindings,
    expression,
    expressions,
    facts_of,
    parameters,
    qualnames,
    scope,
)

from hindsight_neo4j.model.facts import NONE, Op, ScopeKind


def test_nested_definitions_have_dotted_qualnames_and_parents():
    facts = facts_of(
        "class Outer:\n"
        "    class Inner:\n"
        "        def method(self):\n"
        "            async def late(): pass\n"
    )
    assert qualnames(facts) == [
        "Outer",
        "Outer.Inner",
        "Outer.Inner.method",
        "Outer.Inner.method.late",
    ]
    assert [s.parent for s in facts.scopes] == [NONE, 0, 1, 2, 3]
    assert scope(facts, "Outer.Inner.method.late").is_async
    assert not scope(facts, "Outer.Inner.method").is_async


def test_decorators_count_into_the_lines_and_run_in_the_enclosing_scope():
    facts = facts_of("@outer\n# why\n@factory(1)\nclass A:\n    x = 1\n\n    y = 2\n\nz = 3\n")
    found = scope(facts, "A")
    assert (found.start_line, found.name_line, found.end_line) == (1, 4, 7)
    assert [expression(facts, d) for d in found.decorators] == ["outer", "factory(1)"]
    assert {facts.exprs[d].scope for d in found.decorators} == {0}


def test_every_definition_of_a_name_is_kept_and_has_its_own_qualname():
    facts = facts_of(
        "from typing import overload\n"
        "class T:\n"
        "    @property\n"
        "    def size(self): return 1\n"
        "    @size.setter\n"
        "    def size(self, v): self._v = v\n"
        "@overload\n"
        "def f(x: int) -> int: ...\n"
        "@overload\n"
        "def f(x: str) -> str: ...\n"
        "def f(x):\n"
        "    def inner(): pass\n"
        "if True:\n"
        "    def g(): return 1\n"
        "else:\n"
        "    def g(): return 2\n"
    )
    assert qualnames(facts) == [
        "T",
        "T.size",
        "T.size~2",
        "f",
        "f~2",
        "f~3",
        "f~3.inner",
        "g",
        "g~2",
    ]
    assert [(s.start_line, s.end_line) for s in facts.scopes[2:4]] == [(3, 4), (5, 6)]
    assert bindings(facts)[2:] == ["def f", "def f~2", "def f~3", "def g", "def g~2"]


def test_all_kinds_of_parameters():
    facts = facts_of(
        "def f(a, b: int, /, c=1, d: str = 'x', *rest: T, e, g: U = v, **more: W) -> R: pass\n"
    )
    assert parameters(facts, "f") == [
        "/ a",
        "/ b: int",
        "c = 1",
        "d: str = 'x'",
        "* rest: T",
        "kw e",
        "kw g: U = v",
        "** more: W",
    ]
    assert expression(facts, scope(facts, "f").returns_type) == "R"
    assert bindings(facts, "f") == [
        f"parameter {name}" for name in ("a", "b", "c", "d", "rest", "e", "g", "more")
    ]


def test_a_bare_star_makes_keywords():
    assert parameters(facts_of("def f(a, *, b): pass"), "f") == ["a", "kw b"]


def test_head_of_a_function_is_evaluated_around_it():
    facts = facts_of("class A:\n    def f(self, x: T = make()) -> R: return use()\n")
    scopes = {expression(facts, i): e.scope for i, e in enumerate(facts.exprs)}
    assert scopes["make()"] == scopes["T"] == scopes["R"] == 1
    assert scopes["use()"] == 2


def test_class_headers_keep_bases_and_keywords():
    found = facts_of("class A(Base, pkg.Mixin[T], *others, metaclass=M): pass")
    assert [expression(found, base) for base in scope(found, "A").bases] == [
        "Base",
        "pkg.Mixin[T]",
        "*others",
        "metaclass=M",
    ]


def test_signatures_are_one_line_without_comments():
    facts = facts_of(
        "def f(\n    a,  # the 'first'\n    b: str = '#',\n) -> dict[\n    str, int\n]: pass\n"
        "class A(\n    B,\n): pass\n"
        "class C: pass\n"
    )
    assert scope(facts, "f").signature == "( a, b: str = '#', ) -> dict[ str, int ]"
    assert scope(facts, "A").signature == "( B, )"
    assert scope(facts, "C").signature == ""


def test_signatures_are_cut():
    facts = facts_of(f"def f({', '.join(f'parameter_{i}' for i in range(100))}): pass")
    assert len(scope(facts, "f").signature) == 300


def test_documentation_is_dedented_and_unescaped():
    facts = facts_of(
        '"""Module."""\n'
        "class A:\n"
        "    # why\n"
        '    """First.\n'
        "\n"
        "      indented\n"
        "    last\n"
        '    """\n'
        "    def f(self): 'a' \"\\tb\"\n"
        '    def g(self): r"""\\d"""\n'
        "    def h(self): f'no{self}'\n"
        "    def i(self):\n"
        "        x = 1\n"
        "        'no'\n"
    )
    assert scope(facts, "").doc == "Module."
    assert scope(facts, "A").doc == "First.\n\n  indented\nlast"
    assert scope(facts, "A.f").doc == "a\tb"
    assert scope(facts, "A.g").doc == "\\d"
    assert scope(facts, "A.h").doc == scope(facts, "A.i").doc == ""
    assert len(scope(facts_of(f"'''{'x' * 9000}'''"), "").doc) == 4000


def test_returns_and_yields_belong_to_their_function():
    facts = facts_of(
        "def f():\n"
        "    def g():\n"
        "        yield 1\n"
        "        got = yield from other()\n"
        "        return got\n"
        "    if g: return g, 2\n"
        "    return\n"
    )
    assert [expression(facts, r) for r in scope(facts, "f").returns] == ["(g, 2)"]
    assert scope(facts, "f").yields == ()
    assert [expression(facts, r) for r in scope(facts, "f.g").returns] == ["got"]
    assert [expression(facts, y) for y in scope(facts, "f.g").yields] == [
        "<yield 1>",
        "<yield from other()>",
    ]


def test_type_parameters_are_names_of_the_definition():
    facts = facts_of("def f[T: Bound, *Ts, **P](x: T) -> T: pass\nclass A[K]: pass\n")
    assert bindings(facts, "f") == ["parameter x", "T: Bound = ?", "Ts = ?", "P = ?"]
    assert bindings(facts, "A") == ["K = ?"]


def test_lambdas_and_comprehensions_are_blocks_of_their_owner():
    facts = facts_of("class A:\n    def f(self): return sorted(x, key=lambda y: g(y))\n")
    block = facts.scopes[-1]
    assert (block.kind, block.qualname, block.parent) == (ScopeKind.BLOCK, "A.f", 2)
    assert [expression(facts, r) for r in block.returns] == ["g(y)"]
    assert expressions(facts, Op.LAMBDA) == ["<lambda 3 g(y)>"]


def test_imports_and_calls_inside_functions_belong_to_them():
    """Known fault 5: nested functions, local imports, decorator factories, calls in lambdas."""
    facts = facts_of(
        "from kit import register\n"
        "def outer():\n"
        "    from kit import helper\n"
        "    def inner(): return helper()\n"
        "    async def late(): return inner()\n"
        "    return late\n"
        '@register("x")\n'
        "class Job:\n"
        '    run = staticmethod(lambda: __import__("kit"))\n'
        "def by_lambda(xs):\n"
        "    from kit import helper2 as h2\n"
        "    return sorted(xs, key=lambda x: h2())\n"
    )
    assert qualnames(facts) == ["outer", "outer.inner", "outer.late", "Job", "by_lambda"]
    assert bindings(facts, "outer")[0] == "import helper: kit/helper"
    owners = {
        expression(facts, i): facts.scopes[e.scope].qualname
        for i, e in enumerate(facts.exprs)
        if e.op == Op.CALL
    }
    assert owners["helper()"] == "outer.inner"
    assert owners["inner()"] == "outer.late"
    assert owners["register('x')"] == ""
    assert owners["__import__('kit')"] == "Job"
    assert owners["h2()"] == "by_lambda"
