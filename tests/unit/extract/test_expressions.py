"""Expressions: each read once, with its operands, at the place a reader would point to."""

import pytest
from facts_text import expression, expressions, facts_of

from hindsight_neo4j.model.facts import Op


def value(source: str) -> str:
    """Write the last expression of a file."""
    facts = facts_of(source)
    return expression(facts, len(facts.exprs) - 1)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a.b(c, *d, k=e, **f)[g]", "a.b(c, *d, k=e, **f)[g]"),
        ("f(x for x in y)", "f(<comprehension list x>)"),
        ("a[1:2, ::b]", "a[<constant : 1 2>, <constant : b>]"),
        ("{'k': a, **b}", "{'k': a, ?: b}"),
        ("{a, *b}", "[a, *b]"),
        ("()", "()"),
        ("a if b else c", "<choice a c>"),
        ("a or b and c or d", "<choice a <choice b c> d>"),
        ("not a", "<operator __bool__ a>"),
        ("a + b * -c", "<operator __add__ a <operator __mul__ b <operator __neg__ c>>>"),
        ("a ** b ** c", "<operator __pow__ a <operator __pow__ b c>>"),
        ("a @ b // c", "<operator __floordiv__ <operator __matmul__ a b> c>"),
        ("a < b", "<operator __lt__ a b>"),
        ("raise a.B", "<raise a.B>"),
        ("raise a.B()", "a.B()"),
        ("a < b <= c", "<choice <operator __lt__ a b> <operator __le__ b c>>"),
        ("a not in b", "<operator __contains__ b a>"),
        ("a is not b", "<operator is a b>"),
        ("await f()", "<await f()>"),
        ("lambda: a", "<lambda 1 a>"),
        ("{a: b for a, b in c}", "<comprehension mapping a b>"),
        ("f'a{b.c()!r:>{w}}d'", "<format 'a' b.c() w 'd'>"),
        ("f'a' f'{b}' 'c'", "<format 'a' b 'c'>"),
        ("f'{a:=10}{b=!r}'", "<format a 10 b>"),
        ("f(f'a{{b}}')", "f('a{{b}}')"),
        ("f('a' r'\\n' '\\x41\\u00e9\\N{BULLET}')", "f('a\\\\nAé\\\\N{BULLET}')"),
        ("f(b'a', '''b''', \"it's\")", "f('a', 'b', \"it's\")"),
        ("f('\\0\\ud800')", "f('\ufffd\ufffd')"),
        ("f(1_000, 2.5e3, None, True, ...)", "f(1_000, 2.5e3, None, True, ...)"),
        ("(a)(b)", "a(b)"),
        ("a(\n  # why\n  b,  # because\n)", "a(b)"),
        ("(a\n # why\n .b)", "a.b"),
        ("print('x', file=f)", "print('x', file=f)"),
        ("nüms.größe(ß)", "nüms.größe(ß)"),
    ],
)
def test_expressions(source, expected):
    assert value(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "assert f(), f",
        "raise f() from f",
        "del f()[f]",
        "while f(): f",
        "if f(): pass\nelif f: pass",
        "x: f() = f",
        "@f\n@f()\ndef g(): pass",
        "class A(f, x=f()): pass",
        "def g(a=f, b: f() = 1): pass",
        "[1 for x in f if f()]",
        "for x in f(): f",
        "try: f()\nexcept f: pass\nelse: pass\nfinally: pass",
        "with f(): f",
        "match f():\n    case x if f: pass",
        "return f(f)",
        "f'{f()}{f:{1}}'",
        "global x; f(); f",
        "type X = f[f()]",
        "print >>f, f()",
    ],
)
def test_names_and_calls_are_found_in_every_statement(source):
    names = expressions(facts_of(source), Op.NAME)
    assert (names.count("f"), expressions(facts_of(source), Op.CALL)) in [
        (2, ["f()"]),
        (2, ["f(f)"]),
    ]


def test_each_link_of_a_chain_stands_on_its_own_line():
    facts = facts_of("(x\n  .first()\n  .second(\n    y)\n  .third)\n")
    found = [
        (Op(e.op).name, e.text, e.line, e.column)
        for e in facts.exprs
        if e.op in (Op.ATTRIBUTE, Op.CALL)
    ]
    assert found == [
        ("ATTRIBUTE", "first", 2, 3),
        ("CALL", "", 2, 3),
        ("ATTRIBUTE", "second", 3, 3),
        ("CALL", "", 3, 3),
        ("ATTRIBUTE", "third", 5, 3),
    ]


def test_columns_count_bytes():
    (name,) = [e for e in facts_of("é = 1; x").exprs if e.op == Op.NAME]
    assert (name.text, name.column) == ("x", len("é = 1; ".encode()))


def test_long_literals_are_cut_at_a_character():
    (string,) = facts_of(f"x = '{'é' * 500}'").exprs
    assert string.text == "é" * 200


def test_docstrings_and_stray_strings_are_no_expressions():
    assert facts_of("'doc'\ndef f():\n    'doc'\n    'stray'\n").exprs == ()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x: 'Foo'", ["Foo"]),
        ("x: 'pkg.Foo[Bar]'", ["pkg", "pkg.Foo", "Bar", "pkg.Foo[Bar]"]),
        ("x: list['Foo']", ["list", "Foo", "list[Foo]"]),
        ("x: t.Optional['Foo']", ["t", "t.Optional", "Foo", "t.Optional[Foo]"]),
        ("x: Foo | None", ["Foo", "None", "<operator __or__ Foo None>"]),
        ("x: Literal['a']", ["Literal", "'a'", "Literal['a']"]),
        ("x: t.Literal['a']", ["t", "t.Literal", "'a'", "t.Literal['a']"]),
        ("x: Annotated['A', 'b']", ["Annotated", "A", "'b'", "Annotated[A, 'b']"]),
        ("x: Callable[['A'], 'B']", ["Callable", "A", "[A]", "B", "Callable[[A], B]"]),
        ("x: A(p='b')", ["A", "'b'", "p='b'", "A(p='b')"]),
        ("t.cast('A', 'b')", ["t", "t.cast", "A", "'b'", "t.cast(A, 'b')"]),
        ("x: 'no type at all'", ["'no type at all'"]),
        ("x: \"list['Foo']\"", ["list", "Foo", "list[Foo]"]),
    ],
)
def test_types_are_read_even_when_they_are_written_as_strings(source, expected):
    assert expressions(facts_of(source)) == expected


def test_a_type_in_a_string_stands_where_it_is_written():
    facts = facts_of("def f(\n    é: 'Foo | Bar',\n): pass\n")
    found = {e.text: (e.line, e.column) for e in facts.exprs if e.op == Op.NAME}
    assert found == {"Foo": (2, 9), "Bar": (2, 15)}


def test_first_lines_of_statements():
    facts = facts_of(
        "import a\n\nif (a\n    and b):\n    c(); d()\nelse:\n    e = (\n        1)\n@f\ndef g():\n    return 1\n"
    )
    assert facts.statement_lines == (1, 3, 5, 7, 9, 11)
