"""The order in which attributes are looked for is Python's own."""

from __future__ import annotations

from collections.abc import Callable

import hypothesis.strategies as st
from hypothesis import HealthCheck, given, settings

from hindsight_neo4j.model.graph import EdgeKind, Graph

LinkFiles = Callable[[dict[str, str]], Graph]

bases = st.lists(st.lists(st.integers(0, 7), max_size=3, unique=True), min_size=2, max_size=8)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=80
)
@given(bases, st.sets(st.integers(0, 7)))
def test_calls_go_where_the_interpreter_goes(
    linked: LinkFiles, bases: list[list[int]], definers: set[int]
) -> None:
    lines = []
    classes: dict[int, type] = {}
    for number, above in enumerate(bases):
        known = [base for base in above if base in classes]
        try:
            body = {"f": lambda self: None} if number in definers else {}
            classes[number] = type(f"C{number}", tuple(classes[base] for base in known), body)
        except TypeError:
            continue
        header = ", ".join(f"C{base}" for base in known)
        method = "def f(self): pass" if number in definers else "x = 1"
        lines.append(f"class C{number}({header}):\n    {method}\n")
        lines.append(f"def call{number}(): C{number}().f()\n")
    graph = linked({"a.py": "".join(lines)})
    called = {
        edge.src: edge.dst
        for edge in graph.edges
        if edge.kind is EdgeKind.INVOKES and edge.dst.endswith(".f")
    }
    for number, cls in classes.items():
        owner = next((c for c in cls.__mro__ if "f" in vars(c)), None)
        expected = f"a.py:{owner.__name__}.f" if owner else None
        assert called.get(f"a.py:call{number}") == expected
