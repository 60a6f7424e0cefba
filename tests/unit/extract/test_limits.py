"""Deep and slow source: nothing overflows, and what had to be left out is said."""

import inspect
import sys

import pytest
from facts_text import expressions, facts_of, qualnames

from hindsight_neo4j.extract import Limits
from hindsight_neo4j.model.facts import NONE, Op

UNBOUNDED = Limits(parse_seconds=0, nesting=0)


@pytest.mark.parametrize("limits", [None, UNBOUNDED])
@pytest.mark.parametrize(
    ("source", "op", "count"),
    [
        pytest.param("a" + ".b" * 3000, Op.ATTRIBUTE, 3000, id="attributes"),
        pytest.param("a" + "()" * 3000, Op.CALL, 3000, id="calls"),
        pytest.param("a" + "[0]" * 3000, Op.SUBSCRIPT, 3000, id="subscripts"),
        pytest.param(" + ".join(["a"] * 5001), Op.OPERATOR, 5000, id="sum"),
        pytest.param(" or ".join(["a"] * 5001), Op.NAME, 5001, id="choice"),
        pytest.param(" < ".join(["a"] * 5001), Op.OPERATOR, 5000, id="comparison"),
        pytest.param("f('a' " + " 'b'" * 5000 + ")", Op.STRING, 1, id="strings"),
        pytest.param("x = " * 5000 + "a", Op.NAME, 1, id="targets"),
    ],
)
def test_long_chains_keep_every_link(source, op, count, limits):
    facts = facts_of(source, limits)
    assert sum(expr.op == op for expr in facts.exprs) == count
    assert all(NONE not in expr.args for expr in facts.exprs)
    assert facts.diagnostics == ()


@pytest.mark.parametrize("limits", [None, UNBOUNDED])
@pytest.mark.parametrize(
    "opening",
    ["(", "[", "{", "f(", "f(*", "a[", "not ", "-", "lambda: ", "a ** ", "a if b else ", "await "],
)
def test_deep_nesting_keeps_what_stands_inside(opening, limits):
    closing = {"(": ")", "[": "]", "{": "}"}
    end = "".join(closing.get(sign, "") for sign in reversed(opening))
    facts = facts_of(opening * 2000 + "needle()" + end * 2000, limits)
    assert expressions(facts, Op.CALL).count("needle()") == 1
    assert [d.message.split(":")[0] for d in facts.diagnostics][-1].startswith("nested deeper")


def test_deep_blocks_keep_their_definitions():
    depth = 300
    source = "".join(f"{' ' * i}if a:\n" for i in range(depth))
    facts = facts_of(f"{source}{' ' * depth}def f(): g()\n")
    assert qualnames(facts) == ["f"]
    assert expressions(facts, Op.CALL) == ["g()"]


def test_deep_definitions_keep_their_parents():
    depth = 200
    facts = facts_of("".join(f"{' ' * i}def f{i}():\n" for i in range(depth)) + " " * depth + "g()")
    assert [s.parent for s in facts.scopes] == list(range(-1, depth))
    assert facts.exprs[-1].scope == depth


def test_extraction_works_near_the_end_of_the_stack():
    frames = len(inspect.stack())

    def at_depth(left: int) -> int:
        if left:
            return at_depth(left - 1)
        return len(facts_of("f(" * 500 + "x" + ")" * 500, UNBOUNDED).exprs)

    assert at_depth(sys.getrecursionlimit() - frames - 130) == 1001


def test_a_nesting_limit_of_ones_own():
    deep, shallow = "[[[[x]]]]", "[[x]]"
    limits = Limits(nesting=3)
    assert facts_of(shallow, limits).diagnostics == ()
    (diagnostic,) = facts_of(f"\n{deep}", limits).diagnostics
    assert diagnostic.line == 2
    assert expressions(facts_of(deep, limits), Op.NAME) == ["x"]


def test_parsing_that_takes_too_long_leaves_the_module_and_says_so():
    source = "def f(): pass\n" * 50_000
    facts = facts_of(source, Limits(parse_seconds=0.001))
    assert qualnames(facts) == []
    assert facts.scopes[0].end_line == facts.line_count == 50_000
    assert [d.message for d in facts.diagnostics] == ["not read: parsing took more than 0.001 s"]


def test_the_same_source_gives_the_same_facts():
    source = "def f(x): return [y for y in x if g(y)]\n" * 50 + "def (:\n" + "[" * 500
    assert facts_of(source) == facts_of(source)
