"""The frontier loop: a walk through the graph, hop by hop, by the one-hop templates of `cypher/step/`.

One template run takes a whole frontier, and the visited set lives here, so no path is walked twice and the number of
paths never matters. Each node found keeps the edges that led to it, and they are the evidence:

    walk(store, catalogue, "demo", ["app.py:main"], steps=[StepRule("step/out", (EdgeKind.INVOKES,))], max_hops=2)
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import msgspec

from hindsight_neo4j.model.graph import EdgeKind
from hindsight_neo4j.model.question import Hop, Step
from hindsight_neo4j.model.template import Row, Template, Value, number, whole
from hindsight_neo4j.stores.protocols import GraphStore
from hindsight_neo4j.templates.catalogue import Catalogue

ROWS_PER_STEP = 5_000
"""Most rows that one template run may return; a step that returned as many was cut, the least sure edges first."""

SEEDS_PER_RUN = 1_000
"""Nodes per template run, so that the size of a query stays bounded."""

MOST_LINKS = 1_000
"""Edges of the seeds that are read each way, the surest first: a name used everywhere has thousands."""

_LINK_KINDS = tuple(kind for kind in EdgeKind if kind is not EdgeKind.CONTAINS)


@dataclass(frozen=True, slots=True)
class StepRule:
    """One way to leave the frontier.

    `template` is one of `step/out`, `step/in`, `step/children`, `step/siblings`. `kinds` are the edge kinds walked by
    `out` and `in`, empty for all. The rule applies up to hop number `last_hop`. Nodes it finds are walked on from only
    if it `expands`. `cap` is the most new nodes it may add per edge kind and hop, the surest first; 0 for no cap.
    """

    template: str
    kinds: tuple[EdgeKind, ...] = ()
    last_hop: int = 99
    expands: bool = True
    cap: int = 0


class Reached(msgspec.Struct, frozen=True, gc=False):
    """A node that a walk found, `distance` steps from `seed`.

    `hops` are the edges from `seed` to it (two for a step to a sibling); `lines` and `line_path` say where the last one
    stands; `confidence` is the weakest one's.
    """

    id: str
    kind: str
    name: str
    path: str
    start_line: int
    end_line: int
    signature: str
    doc: str
    is_test: bool
    unresolved: int
    seed: str
    distance: int
    hops: tuple[Hop, ...]
    lines: tuple[int, ...]
    line_path: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Walk:
    """What a walk found, nearest first and surest first within a hop, and the template runs it took."""

    reached: tuple[Reached, ...]
    steps: tuple[Step, ...]
    links: tuple[Link, ...] = ()


class Link(msgspec.Struct, frozen=True, gc=False):
    """An edge between the seed `seed` and the node `id`, which may be a seed as well; `forward` if it leaves the seed."""

    seed: str
    id: str
    kind: str
    forward: bool
    confidence: float


def walk(
    store: GraphStore,
    catalogue: Catalogue,
    snapshot: str,
    seeds: Sequence[str],
    *,
    steps: Sequence[StepRule],
    max_hops: int,
    min_confidence: float = 0.0,
    until: str | None = None,
    with_links: bool = False,
) -> Walk:
    """Walk from `seeds` (node ids) and return every other node met, with the edges that led there.

    A node met twice in one hop keeps the earlier rule's edge, then the surer one. Seeds are never results.

    Args:
        store: Where the graph is.
        catalogue: Where the step templates are.
        snapshot: The snapshot to walk in.
        seeds: Ids to start from.
        steps: The rules, each applied to the whole frontier at every hop it covers.
        max_hops: Most edges from a seed.
        min_confidence: Least confidence of an edge that `step/out` and `step/in` may walk.
        until: Stop after the hop in which this id is met.
        with_links: Read every edge of the seeds but CONTAINS, at most `MOST_LINKS` each way, whichever of them the rules
            walk; the first hop takes its edges from among these.
    """
    runner = _Runner(store, catalogue, snapshot, min_confidence)
    frontier = tuple(dict.fromkeys(seeds))
    links = runner.read_links(frontier) if with_links else ()
    reached: dict[str, Reached] = {}
    walked = set(seeds)
    for distance in range(1, max_hops + 1):
        following: dict[str, None] = {}  # an ordered set
        for rule in steps:
            if distance > rule.last_hop:
                continue
            for row in _admitted(runner.rows(rule, frontier), rule.cap, reached, seeds):
                found = str(row["id"])
                if found not in reached:
                    reached[found] = _reached(row, reached.get(str(row["seed"])), distance)
                if rule.expands and found not in walked:
                    walked.add(found)
                    following[found] = None
        frontier = tuple(following)
        if not frontier or until in reached:
            break
    return Walk(tuple(reached.values()), tuple(runner.steps), links)


class _Runner:
    """Runs step templates over frontiers of any size and keeps a record of each run."""

    def __init__(
        self, store: GraphStore, catalogue: Catalogue, snapshot: str, min_confidence: float
    ) -> None:
        self._store = store
        self._catalogue = catalogue
        self._snapshot = snapshot
        self._min_confidence = min_confidence
        self._read: dict[str, list[Row]] = {}  # by template, the rows of the seeds
        self._seeds: Sequence[str] = ()
        self.steps: list[Step] = []

    def read_links(self, seeds: Sequence[str]) -> tuple[Link, ...]:
        """Read the edges of the seeds both ways and keep the rows for the first hop."""
        self._seeds = seeds
        for name in ("step/out", "step/in"):
            rule = StepRule(name, _LINK_KINDS)
            self._read[name] = self._run(self._catalogue.get(name), rule, seeds, MOST_LINKS)
        return tuple(
            Link(
                seed=str(row["seed"]),
                id=str(row["id"]),
                kind=str(row["edge"]),
                forward=name == "step/out",
                confidence=number(row["confidence"]),
            )
            for name, rows in self._read.items()
            for row in rows
        )

    def rows(self, rule: StepRule, frontier: Sequence[str]) -> list[Row]:
        if frontier is self._seeds and rule.template in self._read:
            kinds = set(rule.kinds)
            return [row for row in self._read[rule.template] if row["edge"] in kinds]
        template = self._catalogue.get(rule.template)
        batches = range(0, len(frontier), SEEDS_PER_RUN)
        runs = [self._run(template, rule, frontier[at : at + SEEDS_PER_RUN]) for at in batches]
        return runs[0] if len(runs) == 1 else sorted(chain.from_iterable(runs), key=_surest_first)

    def _run(
        self,
        template: Template,
        rule: StepRule,
        ids: Sequence[str],
        limit: int = ROWS_PER_STEP,
    ) -> list[Row]:
        known: dict[str, Value] = {
            "snapshot": self._snapshot,
            "ids": list(ids),
            "kinds": [kind.value for kind in rule.kinds],
            "min_confidence": self._min_confidence,
            "limit": limit,
        }
        params = {param.name: known[param.name] for param in template.params}
        started = time.perf_counter()
        rows = self._store.run(template, params)
        took = (time.perf_counter() - started) * 1000
        self.steps.append(Step("expand", template.name, params, len(rows), took))
        return rows


def _surest_first(row: Row) -> tuple[float, str, str, str]:
    """Return the key by which step templates order their rows."""
    return (-number(row["confidence"]), str(row["id"]), str(row["edge"]), str(row["seed"]))


def _admitted(
    rows: Sequence[Row], cap: int, reached: Container[str], seeds: Container[str]
) -> Iterator[Row]:
    """Yield the rows whose nodes are no seeds, with at most `cap` new nodes for each edge kind."""
    new: Counter[str] = Counter()
    counted: set[str] = set()
    for row in rows:
        found, edge = str(row["id"]), str(row["edge"])
        if found in seeds:
            continue
        if found not in reached and found not in counted:
            if cap and new[edge] == cap:
                continue
            new[edge] += 1
            counted.add(found)
        yield row


def _reached(row: Row, parent: Reached | None, distance: int) -> Reached:
    seed = parent.seed if parent else str(row["seed"])
    lines = _lines(row)
    hops = (*(parent.hops if parent else ()), *_hops(row, lines[0] if lines else 0))
    return Reached(
        id=str(row["id"]),
        kind=str(row["kind"]),
        name=str(row["name"]),
        path=str(row["path"]),
        start_line=whole(row["start_line"]),
        end_line=whole(row["end_line"]),
        signature=str(row["signature"]),
        doc=str(row["doc"]),
        is_test=bool(row["is_test"]),
        unresolved=whole(row["unresolved"]),
        seed=seed,
        distance=distance,
        hops=hops,
        lines=lines,
        line_path=str(row["line_path"]),
        confidence=min(hop.confidence for hop in hops),
    )


def _hops(row: Row, line: int) -> tuple[Hop, ...]:
    """Return the edges of a row: one, or two for a sibling, which is reached through the parent."""
    last = Hop(
        src=str(row["src"]),
        dst=str(row["dst"]),
        kind=str(row["edge"]),
        forward=row["dst"] == row["id"],
        path=str(row["line_path"]),
        line=line,
        how=str(row["how"]),
        tier=str(row["tier"]),
        confidence=number(row["confidence"]),
    )
    if row["seed"] in (row["src"], row["dst"]):
        return (last,)
    return (replace(last, dst=str(row["seed"]), forward=False, line=0), last)


def _lines(row: Row) -> tuple[int, ...]:
    lines = row["lines"]
    return tuple(int(line) for line in lines) if isinstance(lines, list) else ()
