"""The frontier loop finds what its rules say, with the edges that prove it, and what the intents' templates find."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing

import pytest
from small_graph import CATALOGUE, SNAPSHOT, edge, node, stored

from hindsight_neo4j.model.graph import Edge, EdgeKind, Tier
from hindsight_neo4j.retrieval.frontier import StepRule, Walk, walk
from hindsight_neo4j.stores.embedded_graph import EmbeddedGraph

CALLS = (EdgeKind.INVOKES,)
OUT = StepRule("step/out", CALLS)


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedGraph]:
    """A ring a → b → c → d → a of calls, a weak short cut a → c, and twelve callers of d."""
    callers = [f"m.py:z{number:02}" for number in range(12)]
    nodes = [node(one) for one in ("m.py", "m.py:a", "m.py:b", "m.py:c", "m.py:d", *callers)]
    edges = [
        edge("m.py:a INVOKES m.py:b", 3, 5),
        edge("m.py:b INVOKES m.py:c", 7),
        edge("m.py:c INVOKES m.py:d", 9),
        edge("m.py:d INVOKES m.py:a", 11),
        edge("m.py:a INVOKES m.py:c", 4, tier=Tier.MANY),
        *(edge(f"{caller} INVOKES m.py:d", 1) for caller in callers[:-1]),
        edge(f"{callers[-1]} INVOKES m.py:d", 1, tier=Tier.SCIP),
        *(edge(f"m.py CONTAINS m.py:{name}") for name in "abcd"),
    ]
    with closing(stored(tmp_path_factory.mktemp("ring"), nodes, edges)) as graph:
        yield graph


def walked(
    graph: EmbeddedGraph, *seeds: str, hops: int = 3, least: float = 0.0, **rule: object
) -> Walk:
    steps = [StepRule(**{"template": "step/out", "kinds": CALLS, **rule})]  # type: ignore[arg-type]
    return walk(graph, CATALOGUE, SNAPSHOT, seeds, steps=steps, max_hops=hops, min_confidence=least)


def test_nodes_come_nearest_first_and_once_and_seeds_never(ring: EmbeddedGraph) -> None:
    found = walked(ring, "m.py:a", hops=9)
    assert [(one.id, one.distance) for one in found.reached] == [
        ("m.py:b", 1),
        ("m.py:c", 1),
        ("m.py:d", 2),
    ]


def test_the_edges_lead_from_the_seed_to_the_node_with_their_lines(ring: EmbeddedGraph) -> None:
    last = walked(ring, "m.py:a", least=0.5).reached[-1]
    assert [(hop.src, hop.dst, hop.path, hop.line, hop.forward) for hop in last.hops] == [
        ("m.py:a", "m.py:b", "m.py", 3, True),
        ("m.py:b", "m.py:c", "m.py", 7, True),
        ("m.py:c", "m.py:d", "m.py", 9, True),
    ]
    assert (last.seed, last.distance, last.lines, last.line_path) == ("m.py:a", 3, (9,), "m.py")


def test_the_weakest_hop_is_the_confidence(ring: EmbeddedGraph) -> None:
    by_id = {one.id: one for one in walked(ring, "m.py:a").reached}
    assert by_id["m.py:b"].confidence == 0.95
    assert by_id["m.py:d"].confidence == 0.4


def test_unsure_edges_are_walked_only_if_asked_for(ring: EmbeddedGraph) -> None:
    assert [one.id for one in walked(ring, "m.py:a", hops=1, least=0.5).reached] == ["m.py:b"]


def test_walking_against_the_edges_says_so(ring: EmbeddedGraph) -> None:
    (found,) = walked(ring, "m.py:b", hops=1, template="step/in").reached
    assert found.id == "m.py:a"
    assert [(hop.src, hop.dst, hop.forward) for hop in found.hops] == [("m.py:a", "m.py:b", False)]
    assert found.lines == (3, 5)


def test_a_cap_keeps_the_surest(ring: EmbeddedGraph) -> None:
    found = walked(ring, "m.py:d", hops=1, template="step/in", cap=3).reached
    assert [one.id for one in found] == ["m.py:z11", "m.py:c", "m.py:z00"]


def test_a_rule_that_does_not_expand_ends_there(ring: EmbeddedGraph) -> None:
    found = walked(ring, "m.py:a", expands=False, hops=5, least=0.5).reached
    assert [one.id for one in found] == ["m.py:b"]


def test_a_rule_ends_with_its_last_hop(ring: EmbeddedGraph) -> None:
    found = walked(ring, "m.py:a", last_hop=2, hops=5, least=0.5).reached
    assert [one.id for one in found] == ["m.py:b", "m.py:c"]


def test_a_sibling_is_reached_over_the_parent(ring: EmbeddedGraph) -> None:
    found = walked(ring, "m.py:a", hops=1, template="step/siblings").reached
    assert [one.id for one in found] == ["m.py:b", "m.py:c", "m.py:d"]
    assert [(hop.src, hop.dst, hop.forward) for hop in found[0].hops] == [
        ("m.py", "m.py:a", False),
        ("m.py", "m.py:b", True),
    ]


def test_every_template_run_is_recorded_as_it_could_be_repeated(ring: EmbeddedGraph) -> None:
    found = walked(ring, "m.py:a", hops=2)
    assert [step.what for step in found.steps] == ["step/out", "step/out"]
    assert [step.rows for step in found.steps] == [
        len(ring.run(CATALOGUE.get(step.what), step.params)) for step in found.steps
    ]


@pytest.mark.parametrize("seeds", [(), ("nowhere",), ("'; DETACH DELETE n", "\x00", "🙂" * 30_000)])
def test_seeds_that_are_no_nodes_reach_nothing(seeds: tuple[str, ...], ring: EmbeddedGraph) -> None:
    assert walked(ring, *seeds).reached == ()


def test_more_seeds_than_one_run_takes_find_the_same(
    ring: EmbeddedGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = ("m.py:a", "m.py:b", "m.py:c", "m.py:z00")
    whole = walked(ring, *seeds, hops=1).reached
    monkeypatch.setattr("hindsight_neo4j.retrieval.frontier.SEEDS_PER_RUN", 1)
    assert walked(ring, *seeds, hops=1).reached == whole


BOTH_WAYS = (
    EdgeKind.INVOKES,
    EdgeKind.IMPORTS,
    EdgeKind.INHERITS,
    EdgeKind.REFERENCES,
    EdgeKind.TESTS,
)
FLOW = (EdgeKind.INVOKES, EdgeKind.IMPORTS)
LOOPS = {
    "intents/leading": ([StepRule("step/out", FLOW)], 2),
    "intents/lagging": ([StepRule("step/in", FLOW)], 2),
    "intents/exploratory_broad": (
        [
            StepRule("step/out", BOTH_WAYS),
            StepRule("step/in", BOTH_WAYS),
            StepRule("step/siblings"),
        ],
        1,
    ),
    "intents/exploratory_deep": (
        [
            StepRule("step/children", last_hop=3),
            StepRule("step/out", CALLS, last_hop=4, expands=False),
        ],
        4,
    ),
}
"""What each intent's template stands for, as rules of the loop."""


@pytest.fixture(scope="module")
def wild(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedGraph]:
    """Two hundred nodes in a tree, with edges of every kind between any of them."""
    chance = random.Random(7)
    ids = [f"p/m{number % 20}.py:C{number}.f" for number in range(200)]
    edges: dict[tuple[str, str, str], Edge] = {}
    for kind in EdgeKind:
        if kind is EdgeKind.CONTAINS:
            pairs = [(ids[number // 4], ids[number]) for number in range(1, len(ids))]
        else:
            pairs = [(chance.choice(ids), chance.choice(ids)) for _ in range(200)]
        for src, dst in pairs:
            tier = chance.choice(list(Tier))
            edges[kind, src, dst] = edge(f"{src} {kind} {dst}", 1, tier=tier)
    nodes = [node(one) for one in ids]
    with closing(stored(tmp_path_factory.mktemp("wild"), nodes, list(edges.values()))) as graph:
        yield graph


@pytest.mark.parametrize("name", LOOPS)
def test_with_caps_off_the_loop_finds_what_the_intents_template_finds(
    name: str, wild: EmbeddedGraph
) -> None:
    chance = random.Random(name)
    rules, hops = LOOPS[name]
    for _ in range(25):
        number = chance.randrange(200)
        seeds = [f"p/m{n % 20}.py:C{n}.f" for n in {number, chance.randrange(200), number // 3}]
        params = {"snapshot": SNAPSHOT, "ids": seeds, "limit": 5_000}
        by_template = {row["id"] for row in wild.run(CATALOGUE.get(name), params)}
        loop = walk(wild, CATALOGUE, SNAPSHOT, seeds, steps=rules, max_hops=hops)
        assert {one.id for one in loop.reached} == by_template


def test_links_are_all_edges_of_the_seeds_between_seeds_too_whatever_is_walked(
    ring: EmbeddedGraph,
) -> None:
    seeds = ["m.py:a", "m.py:b"]
    rules = [StepRule("step/out", (EdgeKind.INHERITS,)), OUT]
    found = walk(ring, CATALOGUE, SNAPSHOT, seeds, steps=rules, max_hops=1, with_links=True)
    assert [one.id for one in found.reached] == ["m.py:c"]
    assert {(one.seed, one.id, one.kind, one.forward) for one in found.links} == {
        ("m.py:a", "m.py:b", "INVOKES", True),
        ("m.py:a", "m.py:c", "INVOKES", True),
        ("m.py:b", "m.py:c", "INVOKES", True),
        ("m.py:a", "m.py:d", "INVOKES", False),
        ("m.py:b", "m.py:a", "INVOKES", False),
    }
    plain = walk(ring, CATALOGUE, SNAPSHOT, seeds, steps=rules, max_hops=1)
    assert plain.reached == found.reached
    assert plain.links == ()
