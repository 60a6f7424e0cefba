"""What gives names and attributes their values."""

import pytest
from facts_text import bindings, block_bindings, facts_of, stores


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a = b = f()", ["a = f()", "b = f()"]),
        ("a: int", ["a: int = ?"]),
        ("a: int = b", ["a: int = b"]),
        ("a = b, c", ["a = (b, c)"]),
        ("a += b", ["a = <operator __iadd__ a b>"]),
        ("a, b = c", ["a = <unpack 0 c>", "b = <unpack 1 c>"]),
        (
            "a, *b, d = c",
            ["a = <unpack 0 c>", "b = <unpack *1 c>", "d = <unpack -1 c>"],
        ),
        (
            "[a, (b, c)] = d",
            ["a = <unpack 0 d>", "b = <unpack 0 <unpack 1 d>>", "c = <unpack 1 <unpack 1 d>>"],
        ),
        ("(a) = b", ["a = b"]),
        ("for a in b: pass", ["a = <iterate b>"]),
        ("for a, b in c: pass", ["a = <unpack 0 <iterate c>>", "b = <unpack 1 <iterate c>>"]),
        ("async def f():\n async for a in b: pass", ["def f"]),
        (
            "with a() as b, c as (d, e): pass",
            [
                "b = <enter a()>",
                "d = <unpack 0 <enter c>>",
                "e = <unpack 1 <enter c>>",
            ],
        ),
        ("with (a() as b, c): pass", ["b = <enter a()>"]),
        ("with (a() as b): pass", ["b = <enter a()>"]),
        ("try: pass\nexcept (A, B) as e: pass", ["e = <caught (A, B)>"]),
        ("try: pass\nexcept* A as e: pass", ["e = <caught A>"]),
        ("if (a := f()): pass", ["a = f()"]),
        ("type A[T] = list[T]", ["A = list[T]"]),
        ("del a, b", []),
    ],
)
def test_statements_bind(source, expected):
    assert bindings(facts_of(source)) == expected


def test_async_statements_say_so():
    facts = facts_of(
        "async def f():\n"
        "    async for a in b: pass\n"
        "    async with c as d: pass\n"
        "    e = [x async for x in y]\n"
    )
    assert bindings(facts, "f")[:2] == ["a = <iterate async b>", "d = <enter async c>"]
    assert block_bindings(facts) == [["x = <iterate async y>"]]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a.b = c", ["a.b = c"]),
        ("a.b: T = c", ["a.b: T = c"]),
        ("a.b: T", ["a.b: T = ?"]),
        ("a[k] = c", ["a[k] = c"]),
        ("a.b += c", ["a.b = <operator __iadd__ a.b c>"]),
        ("a.b, x = c", ["a.b = <unpack 0 c>"]),
        ("for a.b in c: pass", ["a.b = <iterate c>"]),
        ("with c as a.b: pass", ["a.b = <enter c>"]),
        ("a().b[0] = c", ["a().b[0] = c"]),
        ("type(a).b = c", ["type(a).b = c"]),
        ("type(a).b[0] = 'c'", ["type(a).b[0] = 'c'"]),
    ],
)
def test_statements_store(source, expected):
    assert stores(facts_of(source)) == expected


def test_comprehensions_bind_inside_and_walrus_outside():
    facts = facts_of("def f():\n    return [w for x, y in z if (n := x) for w in y]\n")
    assert bindings(facts, "f") == ["n = x"]
    assert block_bindings(facts) == [
        ["x = <unpack 0 <iterate z>>", "y = <unpack 1 <iterate z>>", "w = <iterate y>"]
    ]


def test_the_first_iterable_of_a_comprehension_is_evaluated_outside():
    facts = facts_of("class A:\n    b = {c: d for c in e for d in f}\n")
    at = {expr.text: expr.scope for expr in facts.exprs if expr.text in ("e", "f")}
    assert at == {"e": 1, "f": 2}


def test_walrus_in_a_lambda_binds_in_the_lambda():
    assert block_bindings(facts_of("f = lambda x: (y := x)")) == [["parameter x", "y = x"]]


def test_global_sends_bindings_to_the_module():
    facts = facts_of(
        "def f():\n    global a, g\n    a = 1\n    for a in b: pass\n    def g(): pass\n    c = 2\n"
    )
    assert bindings(facts) == ["def f", "a = 1", "a = <iterate b>", "def f.g"]
    assert bindings(facts, "f") == ["c = 2"]


def test_nonlocal_sends_bindings_to_the_function_that_has_the_name():
    facts = facts_of(
        "def f():\n"
        "    def g():\n"
        "        def h():\n"
        "            nonlocal a\n"
        "            a = 2\n"
        "    a = 1\n"
    )
    assert bindings(facts, "f") == ["def f.g", "a = 2", "a = 1"]
    assert bindings(facts, "f.g") == ["def f.g.h"]
    assert bindings(facts, "f.g.h") == []


def test_match_captures():
    facts = facts_of(
        "match f(x):\n"
        "    case Point(a, y=b) as c if c.ok(): pass\n"
        "    case [d, *e, g] | (h,): pass\n"
        "    case {'k': i, pkg.KEY: _, **j}: pass\n"
        "    case (k): pass\n"
        "    case pkg.CONST | -1 | None: pass\n"
        "    case _: pass\n"
        "    case l, m: pass\n"
    )
    assert bindings(facts) == [
        "a = ?",
        "b = <caught Point f(x)>.y",
        "c = <caught Point f(x)>",
        "d = <unpack 0 f(x)>",
        "e = <unpack *1 f(x)>",
        "g = <unpack -1 f(x)>",
        "h = <unpack 0 f(x)>",
        "i = f(x)['k']",
        "j = f(x)",
        "k = f(x)",
        "l = <unpack 0 f(x)>",
        "m = <unpack 1 f(x)>",
    ]
    read = [expr.text for expr in facts.exprs if expr.op in (1, 2)]
    assert read == ["f", "x", "Point", "y", "c", "ok", "pkg", "KEY", "pkg", "CONST"]
