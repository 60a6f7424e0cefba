"""What the graph promises about its nodes, its edges and what it leaves open."""

from __future__ import annotations

from collections.abc import Callable

from hindsight_neo4j.model.graph import (
    Edge,
    EdgeKind,
    Graph,
    How,
    Node,
    NodeKind,
    Tier,
)

LinkFiles = Callable[[dict[str, str]], Graph]


def node(graph: Graph, id: str) -> Node:
    return next(node for node in graph.nodes if node.id == id)


def edge(graph: Graph, kind: EdgeKind, src: str, dst: str) -> Edge:
    return next(e for e in graph.edges if (e.kind, e.src, e.dst) == (kind, src, dst))


def pairs(graph: Graph, kind: EdgeKind) -> set[tuple[str, str]]:
    return {(edge.src, edge.dst) for edge in graph.edges if edge.kind is kind}


def test_tree_reaches_from_the_root_to_nested_functions(linked: LinkFiles) -> None:
    graph = linked(
        {"src/app/db.py": "class Store:\n    def put(self):\n        def inner(): pass\n"}
    )
    assert pairs(graph, EdgeKind.CONTAINS) == {
        (".", "src"),
        ("src", "src/app"),
        ("src/app", "src/app/db.py"),
        ("src/app/db.py", "src/app/db.py:Store"),
        ("src/app/db.py:Store", "src/app/db.py:Store.put"),
        ("src/app/db.py:Store.put", "src/app/db.py:Store.put.inner"),
    }


def test_nodes_say_what_a_reader_needs(linked: LinkFiles) -> None:
    source = '"""The store. All of it."""\nclass Store(dict):\n    def put(self, k: int) -> None:\n        """Put it\n        there.\n\n        Really."""\n'
    graph = linked({"tests/db.py": source})
    file, method = node(graph, "tests/db.py"), node(graph, "tests/db.py:Store.put")
    assert (file.kind, file.doc, file.start_line, file.end_line) == (
        NodeKind.FILE,
        "The store.",
        1,
        7,
    )
    assert file.is_test
    assert node(graph, "tests").is_test
    assert not node(graph, ".").is_test
    assert (method.name, method.qualname, method.path) == ("put", "Store.put", "tests/db.py")
    assert (method.signature, method.doc) == ("(self, k: int) -> None", "Put it there.")
    assert (method.start_line, method.end_line, method.language) == (3, 7, "python")


def test_lambdas_and_comprehensions_are_no_nodes(linked: LinkFiles) -> None:
    graph = linked({"a.py": "f = lambda: 1\ng = [x for x in f()]\n"})
    assert [node.id for node in graph.nodes] == [".", "a.py"]


def test_external_names_are_nodes_and_builtins_are_not(linked: LinkFiles) -> None:
    source = "import os.path\nfrom requests import get\nclass E(Exception): pass\nlen(os.path.join('a'))\nget('x').json()\n"
    graph = linked({"a.py": source})
    externals = {node.id for node in graph.nodes if node.kind is NodeKind.EXTERNAL}
    assert externals == {"ext:os.path", "ext:os.path.join", "ext:requests", "ext:requests.get"}
    assert node(graph, "ext:os.path.join").name == "join"


def test_open_call_sites_are_counted_and_named_on_their_caller(linked: LinkFiles) -> None:
    body = "".join(f"    x.unknown{n}()\n" * 2 for n in range(30))
    graph = linked({"a.py": f"def f(x):\n{body}    x()()\n    len(x)\n"})
    f = node(graph, "a.py:f")
    names = f.unresolved_names.split()
    assert f.unresolved == 62
    assert len(names) == 20
    assert names == sorted(names)


def test_one_edge_holds_all_lines_of_its_call_sites(linked: LinkFiles) -> None:
    graph = linked({"a.py": "def f(): pass\ndef g():\n    f()\n    f(f())\n"})
    found = edge(graph, EdgeKind.INVOKES, "a.py:g", "a.py:f")
    assert found.lines == (3, 4)
    assert (found.tier, found.how) == (Tier.DIRECT, How.CALL)
    assert found.confidence > 0.9


def test_a_class_and_its_constructor_are_both_called(linked: LinkFiles) -> None:
    source = "class A:\n    def __init__(self): pass\nclass B(A): pass\ndef f(): B()\n"
    graph = linked({"a.py": source})
    assert edge(graph, EdgeKind.INVOKES, "a.py:f", "a.py:B").how is How.NEW
    assert edge(graph, EdgeKind.INVOKES, "a.py:f", "a.py:A.__init__").how is How.NEW


def test_few_overrides_are_half_sure_and_many_less(linked: LinkFiles) -> None:
    def project(count: int) -> dict[str, str]:
        classes = "".join(f"class S{n}(A):\n    def f(self): pass\n" for n in range(count))
        return {"a.py": f"class A:\n    def f(self): pass\n{classes}def go(a: A): a.f()\n"}

    few, many = linked(project(5)), linked(project(12))
    found = edge(few, EdgeKind.INVOKES, "a.py:go", "a.py:S3.f")
    assert found.tier is Tier.OVERRIDE
    half = found.confidence
    assert 0.4 < half < 0.7
    assert edge(few, EdgeKind.INVOKES, "a.py:go", "a.py:A.f").tier is Tier.TYPED
    found = edge(many, EdgeKind.INVOKES, "a.py:go", "a.py:S3.f")
    assert found.tier is Tier.MANY
    assert found.confidence < half


def test_a_body_that_runs_where_it_is_walked_over_or_awaited_is_less_sure_where_it_is_called(
    linked: LinkFiles,
) -> None:
    source = (
        "def each(): yield 1\n"
        "async def late(): return 1\n"
        "def walks():\n    for one in each(): pass\n"
        "def lists(): return list(each())\n"
        "def gives(): return each()\n"
        "async def waits(): return await late()\n"
        "def starts(loop): loop.spawn(late())\n"
    )
    graph = linked({"a.py": source})
    tiers = {
        caller: edge(graph, EdgeKind.INVOKES, f"a.py:{caller}", f"a.py:{callee}").tier
        for caller, callee in (
            ("walks", "each"),
            ("lists", "each"),
            ("gives", "each"),
            ("waits", "late"),
            ("starts", "late"),
        )
    }
    assert {caller for caller, tier in tiers.items() if tier is Tier.FLOW} == {"gives", "starts"}
    assert set(tiers.values()) == {Tier.DIRECT, Tier.FLOW}


def test_what_syntax_calls_on_a_thing_that_flowed_in_is_less_sure(linked: LinkFiles) -> None:
    source = (
        "class Box:\n"
        "    def __getitem__(self, key): return 1\n"
        "    def __iter__(self): yield 1\n"
        "    @property\n    def size(self): return 1\n"
        "def told(box: Box):\n    box['a'], box.size\n    for one in box: pass\n"
        "def given(box):\n    box['a'], box.size\n    for one in box: pass\n"
        "given(Box())\n"
    )
    graph = linked({"a.py": source})
    for caller, tier in (("told", Tier.TYPED), ("given", Tier.FLOW)):
        for method in ("__getitem__", "__iter__", "size"):
            found = edge(graph, EdgeKind.INVOKES, f"a.py:{caller}", f"a.py:Box.{method}")
            assert found.tier is tier


def test_a_name_alone_finds_only_the_one_method_that_fits(linked: LinkFiles) -> None:
    graph = linked(
        {
            "a.py": "class A:\n    def rare(self): pass\n    def twice(self): pass\n",
            "b.py": "class B:\n    def twice(self): pass\ndef f(x): x.rare(); x.twice(); x.mocked()\n",
            "tests/test_a.py": "class Fake:\n    def mocked(self): pass\ndef test_f(x): x.mocked()\n",
        }
    )
    calls = pairs(graph, EdgeKind.INVOKES)
    assert {dst for src, dst in calls if src == "b.py:f"} == {"a.py:A.rare"}
    assert edge(graph, EdgeKind.INVOKES, "b.py:f", "a.py:A.rare").tier is Tier.UNIQUE
    assert ("tests/test_a.py:test_f", "tests/test_a.py:Fake.mocked") in calls


def test_a_body_that_only_raises_is_hardly_called(linked: LinkFiles) -> None:
    source = (
        "class A:\n"
        "    def todo(self):\n        '''Later.'''\n        raise NotImplementedError('x')\n"
        "    def real(self):\n        self.x = 1\n        raise NotImplementedError\n"
        "    def go(self): self.todo(); self.real()\n"
    )
    graph = linked({"a.py": source})
    assert edge(graph, EdgeKind.INVOKES, "a.py:A.go", "a.py:A.todo").tier is Tier.DECLARED
    assert edge(graph, EdgeKind.INVOKES, "a.py:A.go", "a.py:A.real").tier is Tier.TYPED


def test_tests_point_at_what_they_call_and_not_at_their_own_tools(linked: LinkFiles) -> None:
    graph = linked(
        {
            "shop.py": "def pay(): return tax()\ndef tax(): return 1\n",
            "tests/test_shop.py": (
                "import shop\ndef tool(): pass\n"
                "class TestPay:\n    def test_pay(self):\n        tool()\n        shop.pay()\n"
            ),
        }
    )
    test = "tests/test_shop.py:TestPay.test_pay"
    how = {(edge.src, edge.dst): edge.how for edge in graph.edges if edge.kind is EdgeKind.TESTS}
    assert how == {(test, "shop.py:pay"): How.CALL, (test, "shop.py:tax"): How.REACH}


def test_reexports_are_told_from_other_imports(linked: LinkFiles) -> None:
    graph = linked(
        {
            "p/__init__.py": "from .m import f\n",
            "p/m.py": "def f(): pass\n",
            "q.py": "from p import f\nimport p.m\n",
        }
    )
    assert edge(graph, EdgeKind.IMPORTS, "p/__init__.py", "p/m.py:f").how is How.REEXPORT
    assert edge(graph, EdgeKind.IMPORTS, "q.py", "p/m.py:f").how is How.IMPORT
    assert edge(graph, EdgeKind.IMPORTS, "q.py", "p/__init__.py").lines == (1, 2)


def test_every_edge_ends_in_a_node_where_stubs_and_sources_both_override(linked: LinkFiles) -> None:
    source = "class Box:\n    def get(self): pass\nclass Lid(Box):\n    def get(self): pass\n"
    graph = linked(
        {
            "box.py": source,
            "box.pyi": source.replace("(self)", "(self) -> int"),
            "use.py": "from box import Box\ndef use(box: Box):\n    return box.get()\n",
            "tests/test_use.py": "import use\ndef test_lid_get(box):\n    use.use(box)\n",
        }
    )
    ids = {node.id for node in graph.nodes}
    assert [edge for edge in graph.edges if not {edge.src, edge.dst} <= ids] == []
    assert ("use.py:use", "box.py:Lid.get") in pairs(graph, EdgeKind.INVOKES)
