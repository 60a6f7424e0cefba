"""Which tests a function is given, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable

from hindsight_neo4j.link.tests import KEPT
from hindsight_neo4j.model.graph import Edge, EdgeKind, Graph, How

LinkFiles = Callable[[dict[str, str]], Graph]

SHOP = "def pay():\n    return tax()\ndef tax():\n    return 1\n"


def given(graph: Graph, function: str) -> dict[str, Edge]:
    """Return the TESTS edges to a function by the test's qualified name."""
    return {
        edge.src.partition(":")[2]: edge
        for edge in graph.edges
        if edge.kind is EdgeKind.TESTS and edge.dst == function
    }


def test_a_test_that_calls_is_surer_than_one_that_gets_there(linked: LinkFiles) -> None:
    graph = linked(
        {
            "shop.py": SHOP,
            "tests/test_shop.py": (
                "import shop\ndef test_a():\n    shop.tax()\ndef test_b():\n    shop.pay()\n"
            ),
        }
    )
    found = given(graph, "shop.py:tax")
    assert found["test_a"].how is How.CALL
    assert found["test_b"].how is How.REACH
    assert found["test_a"].confidence > found["test_b"].confidence


def test_fixtures_lead_on_whoever_asks_for_them(linked: LinkFiles) -> None:
    graph = linked(
        {
            "shop.py": SHOP,
            "tests/conftest.py": (
                "import pytest, shop\n"
                "@pytest.fixture\ndef till():\n    return shop.pay()\n"
                "@pytest.fixture(autouse=True)\ndef quiet():\n    shop.tax()\n"
            ),
            "tests/test_till.py": (
                "import pytest\n"
                "def test_named(till): pass\n"
                "@pytest.mark.usefixtures('till')\nclass TestMarked:\n    def test_it(self): pass\n"
                "def test_none(): pass\n"
            ),
        }
    )
    assert set(given(graph, "tests/conftest.py:till")) == {"test_named", "TestMarked.test_it"}
    assert len(given(graph, "tests/conftest.py:quiet")) == 3
    assert set(given(graph, "shop.py:pay")) == {"test_named", "TestMarked.test_it"}
    assert "test_none" in given(graph, "shop.py:tax")


def test_set_up_methods_run_for_every_test_of_a_class_and_those_below(linked: LinkFiles) -> None:
    graph = linked(
        {
            "shop.py": SHOP,
            "tests/test_till.py": (
                "import shop, unittest\n"
                "class Base(unittest.TestCase):\n    def setUp(self):\n        shop.pay()\n"
                "class TestTill(Base):\n    def test_it(self): pass\n"
            ),
        }
    )
    assert set(given(graph, "shop.py:pay")) == {"TestTill.test_it"}


def test_what_a_test_defines_and_hands_over_is_run_by_it(linked: LinkFiles) -> None:
    graph = linked(
        {
            "shop.py": SHOP,
            "tests/test_web.py": (
                "import shop\n"
                "def command():\n    shop.tax()\n"
                "def test_route(app, client):\n"
                "    @app.route('/pay')\n    def view():\n        return shop.pay()\n"
                "    client.get('/pay')\n"
                "def test_command(runner):\n    runner.invoke(command)\n"
            ),
        }
    )
    assert "test_route" in given(graph, "shop.py:pay")
    assert "test_command" in given(graph, "shop.py:tax")


def test_the_words_of_a_test_find_what_no_edge_leads_to(linked: LinkFiles) -> None:
    graph = linked(
        {
            "render.py": (
                "def run(kind):\n    return globals()['visit_' + kind]()\n"
                "def visit_loop(): pass\ndef visit_macro(): pass\ndef visit_block(): pass\n"
            ),
            "tests/test_render.py": (
                "import render\n"
                "def test_loop():\n    render.run('x')\n"
                "def test_other():\n    render.run('macro')\n"
                "def test_third():\n    render.run('y')\n"
            ),
        }
    )
    (loop,) = given(graph, "render.py:visit_loop").values()
    assert loop.src.endswith("test_loop")
    assert loop.how is How.TOPIC
    assert set(given(graph, "render.py:visit_macro")) == {"test_other"}
    assert given(graph, "render.py:visit_block") == {}


def test_values_that_a_runner_hands_over_name_the_test(linked: LinkFiles) -> None:
    graph = linked(
        {
            "render.py": "def run(kind): pass\ndef visit_loop(): pass\ndef visit_macro(): pass\n",
            "tests/test_kinds.py": (
                "import pytest, render\n"
                "@pytest.mark.parametrize('kind', ['loop'])\ndef test_a(kind):\n    render.run(kind)\n"
                "def test_b():\n    render.run('macro')\n"
            ),
        }
    )
    (handed,) = given(graph, "render.py:visit_loop").values()
    (said,) = given(graph, "render.py:visit_macro").values()
    assert (handed.src, said.src) == ("tests/test_kinds.py:test_a", "tests/test_kinds.py:test_b")
    assert handed.confidence > said.confidence


def test_a_word_that_few_functions_have_says_more(linked: LinkFiles) -> None:
    graph = linked(
        {
            "render.py": "def visit_loop(): pass\ndef visit_macro(): pass\ndef visit_block(): pass\n",
            "tests/test_it.py": "def test_loop(): pass\ndef test_visit(): pass\n",
        }
    )
    assert set(given(graph, "render.py:visit_loop")) == {"test_loop"}
    assert given(graph, "render.py:visit_block") == {}


def test_a_function_that_everything_runs_is_given_few_tests(linked: LinkFiles) -> None:
    tests = "".join(f"def test_{n}():\n    shop.pay()\n" for n in range(100))
    graph = linked({"shop.py": SHOP, "tests/test_shop.py": f"import shop\n{tests}"})
    assert len(given(graph, "shop.py:pay")) == 100, "its own callers are all there"
    assert 0 < len(given(graph, "shop.py:tax")) <= KEPT


def test_a_possible_override_is_no_call_of_the_test(linked: LinkFiles) -> None:
    graph = linked(
        {
            "base.py": (
                "class Tag:\n    def draw(self):\n        return 1\n"
                "class Bold(Tag):\n    def draw(self):\n        return 2\n"
                "def make() -> Tag:\n    return Tag()\n"
            ),
            "tests/test_tags.py": "import base\ndef test_it():\n    base.make().draw()\n",
        }
    )
    assert given(graph, "base.py:Tag.draw")["test_it"].how is How.CALL
    assert given(graph, "base.py:Bold.draw") == {}


def test_of_ways_alike_the_one_over_few_calls_is_likelier(linked: LinkFiles) -> None:
    many = "".join(f"    f{n}()\n" for n in range(20))
    helpers = "".join(f"def f{n}(): pass\n" for n in range(20))
    graph = linked(
        {
            "work.py": f"def narrow():\n    goal()\ndef wide():\n{many}    goal()\n{helpers}def goal(): pass\n",
            "tests/test_work.py": (
                "import work\ndef test_a():\n    work.wide()\ndef test_b():\n    work.narrow()\n"
            ),
        }
    )
    found = given(graph, "work.py:goal")
    assert list(found) == ["test_b"] or found["test_b"].confidence > found["test_a"].confidence
