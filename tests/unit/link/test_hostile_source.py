"""Source that is built to be hard: every case ends, within the bounds, with a graph."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hindsight_neo4j.model.graph import EdgeKind, Graph

LinkFiles = Callable[[dict[str, str]], Graph]


def calls(graph: Graph, src: str) -> set[str]:
    """Return what `src` invokes."""
    return {edge.dst for edge in graph.edges if edge.kind is EdgeKind.INVOKES and edge.src == src}


def test_import_cycle_still_binds_names(linked: LinkFiles) -> None:
    graph = linked(
        {
            "a.py": "from b import g\ndef f(): return g()\n",
            "b.py": "from a import f\ndef g(): return f()\n",
        }
    )
    assert calls(graph, "a.py:f") == {"b.py:g"}
    assert calls(graph, "b.py:g") == {"a.py:f"}


def test_ring_of_star_imports_finds_what_one_of_them_defines(linked: LinkFiles) -> None:
    files = {f"m{n}.py": f"from m{(n + 1) % 30} import *\ndef only{n}(): pass\n" for n in range(30)}
    files["use.py"] = "from m0 import *\nonly7()\nonly29()\nmissing()\n"
    graph = linked(files)
    assert calls(graph, "use.py") == {"m7.py:only7", "m29.py:only29"}


def test_class_that_inherits_itself_keeps_its_methods(linked: LinkFiles) -> None:
    graph = linked(
        {
            "a.py": "class A(A):\n    def f(self): return self.g()\n    def g(self): pass\n",
            "b.py": "import c\nclass B(c.C):\n    def f(self): return self.g()\n",
            "c.py": "import b\nclass C(b.B):\n    def g(self): return self.f()\n",
        }
    )
    assert calls(graph, "a.py:A.f") == {"a.py:A.g"}
    assert calls(graph, "b.py:B.f") == {"c.py:C.g"}
    assert calls(graph, "c.py:C.g") == {"b.py:B.f"}


def test_conflicting_orders_of_bases_fall_back_to_depth_first(linked: LinkFiles) -> None:
    source = (
        "class X:\n    def f(self): pass\n"
        "class Y:\n    def f(self): pass\n"
        "class A(X, Y): pass\n"
        "class B(Y, X): pass\n"
        "class C(A, B):\n    def go(self): self.f()\n"
    )
    assert calls(linked({"a.py": source}), "a.py:C.go") == {"a.py:X.f"}


def test_endless_line_of_bases_ends(linked: LinkFiles) -> None:
    classes = "".join(f"class C{n}(C{n - 1}): pass\n" for n in range(1, 3000))
    source = f"class C0:\n    def f(self): pass\n{classes}C2999().f()\nC40().f()\n"
    assert "a.py:C0.f" in calls(linked({"a.py": source}), "a.py")


def test_bases_that_are_looked_up_in_bases_end(linked: LinkFiles) -> None:
    classes = "".join(f"class C{n}(C{n + 1}.M): pass\n" for n in range(3000))
    assert linked({"a.py": f"{classes}class C3000:\n    class M: pass\n"}).nodes


def test_functions_inside_functions_end(linked: LinkFiles) -> None:
    nested = "".join(f"{' ' * n}def f{n}(x):\n" for n in range(300)) + " " * 300 + "return f0(x)\n"
    assert linked({"a.py": nested}).nodes


def test_huge_table_references_every_entry_and_costs_no_more_than_its_length(
    linked: LinkFiles,
) -> None:
    count = 10_000
    functions = "".join(f"def f{n}(): pass\n" for n in range(count))
    table = "T = {" + ", ".join(f'"k{n}": f{n}' for n in range(count)) + "}\n"
    use = "def use(k): return T[k]()\n"
    graph = linked({"a.py": functions + table + use})
    referenced = [edge for edge in graph.edges if edge.kind is EdgeKind.REFERENCES]
    assert len(referenced) == count
    assert len(calls(graph, "a.py:use")) <= 80


def test_long_function_is_resolved_to_its_end(linked: LinkFiles) -> None:
    body = "".join(f"    x{n} = Box(x{n - 1})\n    x{n}.open()\n" for n in range(1, 5000))
    source = (
        "class Box:\n    def __init__(self, b): pass\n    def open(self): pass\n"
        f"def long(x0):\n{body}"
    )
    graph = linked({"a.py": source})
    lines = next(
        edge.lines for edge in graph.edges if edge.dst == "a.py:Box.open" and edge.kind == "INVOKES"
    )
    assert len(lines) == 4999


@pytest.mark.parametrize(
    "expression",
    [
        "a" + ".b" * 300,
        "a" + "()" * 300,
        "a" + "[0]" * 300,
        "a" + ".b()" * 300,
        "+".join("a" * 300),
    ],
    ids=["attributes", "calls", "elements", "methods", "operators"],
)
def test_long_chain_ends(linked: LinkFiles, expression: str) -> None:
    source = f"class A:\n    def b(self): return self\na = A()\ndef f(): return {expression}\n"
    assert linked({"a.py": source}).nodes


def test_types_that_hold_themselves_end(linked: LinkFiles) -> None:
    source = (
        "from typing import Union, TypeVar\n"
        'Json = Union[dict[str, "Json"], list["Json"], None]\n'
        'T = TypeVar("T", bound="T")\n'
        "x = []\nx = [x, x]\ny = {1: y}\n"
        "def f(j: Json, t: T): j.go(); t.go(); x[0][0][0].go(); return f(j, t)\n"
        "def g(): return h()\ndef h(): return [g()]\n"
    )
    assert linked({"a.py": source}).nodes


def test_functions_that_return_each_other_end(linked: LinkFiles) -> None:
    functions = "".join(
        f"def f{n}(x): return f{(n * 7 + 1) % 200}(f{(n * 11 + 3) % 200}(x))\n" for n in range(200)
    )
    assert linked({"a.py": functions}).nodes


def test_odd_names_and_paths_make_ids(linked: LinkFiles) -> None:
    graph = linked(
        {
            "weird dir/été's.py": "def naïve(): pass\n",
            'quo"te/b\\c.py': "class Ünïcode: pass\n",
            "emoji🐍/a.py": "from . import b\n",
            "emoji🐍/b.py": "",
        }
    )
    ids = {node.id for node in graph.nodes}
    assert {"weird dir/été's.py:naïve", 'quo"te/b\\c.py:Ünïcode', "emoji🐍/b.py"} <= ids
    assert any(edge.dst == "emoji🐍/b.py" and edge.kind == "IMPORTS" for edge in graph.edges)


def test_nothing_and_empty_files(linked: LinkFiles) -> None:
    assert [node.id for node in linked({}).nodes] == ["."]
    (root, file) = linked({"a.py": ""}).nodes
    assert (root.id, file.start_line, file.end_line) == (".", 0, 0)
