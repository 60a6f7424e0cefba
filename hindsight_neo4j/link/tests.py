"""TESTS edges: from a test to what it exercises.

    calls, fixtures              each its own edge, as sure as the call is
    reached over other code      the surest few tests of each function that few tests call themselves (`link/reach.py`)
    spoken of                    likewise, where the words of a test are a function's own (`link/topics.py`)

The last two are stored for the function's sake, so their number is bounded by functions, not by tests: a suite that runs
everything from everywhere would else be the larger part of the graph. A fixture that asks for another one INVOKES it, so
the way from a test to what its fixtures run is in the graph as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from heapq import heapify, heappop, heappush
from math import log
from typing import Final

from hindsight_neo4j.languages.steps import measured_steps
from hindsight_neo4j.link.edges import CERTAIN, EdgeTable
from hindsight_neo4j.link.infer import Inference
from hindsight_neo4j.link.reach import MOST, Way, surest_tests
from hindsight_neo4j.link.topics import Topics
from hindsight_neo4j.model.graph import EdgeKind, How, Tier
from hindsight_neo4j.model.numbers import FUNCTION

KEPT: Final = 5
"""Tests linked to a function, those that call it themselves included; each of those has its edge in any case."""

NEAR_BEST: Final = 0.8
"""A test is linked only if its score is this share of the function's best.

With .7 the share of right tests among the first five is .019 less on five packages and .024 on eight others, and the share of
functions with a right one .019 and .016 more.
"""

SHORT: Final = 0.2
"""What the shortest test is behind the longest one that leads to a function as surely: a longer test runs more of it."""

SAME_FILE: Final = 0.8
"""What a test is worth after another one of its file."""

WALKED: Final = 0.5
"""Edges less sure are not walked, nor are a test's own that are no more than possible overrides: of those .09 were right on
nine packages together, and of a test's other calls .99."""

HANDED_OVER: Final = 0.8
"""How sure a test runs what it only mentions or defines: a view, a command, a callback."""

SPOKEN: Final = 0.7
"""How sure a test is that says all words of a function: .79 are right on five packages and .59 on eight others."""

LEAST_SPOKEN: Final = 0.3
"""Least share of a function's words that link a test to it; with .25 or .35 no share of `NEAR_BEST` moves by more than .01."""

WAYS: Final = 2
"""Chances that a test gets to a function: where there is one way there mostly are others, of which the walk keeps only the
surest. With it what is stated is what was right, within .11 in all tenths but one, on five packages and on eight others."""

UNSPOKEN: Final = 0.6
"""What is left of a reached test's score when it says no word of the function."""


def add_tests(
    inference: Inference, edges: EdgeTable, observed: AbstractSet[int] = frozenset()
) -> None:
    """Add the TESTS edges of every test; INVOKES and REFERENCES edges must be there already.

    Of the tests `observed` it is known what they run, so nothing is guessed about them.
    """
    linkage = Linkage(inference, edges)
    linkage.add_called()
    linkage.add_fixtures()
    linkage.add_reached(observed)


class Linkage:
    """Links the tests of one project to its functions."""

    def __init__(self, inference: Inference, edges: EdgeTable) -> None:
        self._project = inference.project
        self._fixtures = inference.fixtures
        self._inference = inference
        self._invokes = edges.of_kind(EdgeKind.INVOKES)
        self._references = edges.of_kind(EdgeKind.REFERENCES)
        self._tests = edges.of_kind(EdgeKind.TESTS)
        self._taken = cache(
            measured_steps().taken
        )  # edges are of few kinds, and so are their starts
        functions = [n for n, scope in enumerate(self._project.scopes) if scope.kind == FUNCTION]
        self._starts = [n for n in functions if self._fixtures.is_test(n)]
        self._is_start = frozenset(self._starts)
        self._fixture_functions = [n for n in functions if self._fixtures.is_fixture(n)]
        self._tested = [
            n
            for n in functions
            if not self._project.file_of[n].is_test and not inference.stubs.is_merged(n)
        ]

    def add_called(self) -> None:
        """Add the edges to what tests call."""
        for test in self._starts:
            for dst, found in self._invokes.found.get(test, {}).items():
                if not isinstance(dst, int) or self._project.file_of[dst].is_test:
                    continue
                if found.tier not in _POSSIBLE and found.confidence > WALKED:
                    self._tests.copy(test, dst, found)

    def add_fixtures(self) -> None:
        """Add the edges to fixtures: TESTS from tests, INVOKES from other fixtures."""
        for number in (*self._starts, *self._fixture_functions):
            kind = self._tests if number in self._is_start else self._invokes
            for fixture, line in self._fixtures.used_by(number):
                kind.add(number, fixture, line, How.FIXTURE)

    def add_reached(self, observed: AbstractSet[int]) -> None:
        """Add the edges to what tests reach over other code or speak of."""
        if not self._starts:
            return
        steps = cache(self._steps)
        topics = Topics(self._project, self._is_start)
        spoken = list(self._spoken(topics))
        reached = surest_tests(self._lengths(), spoken, steps)
        spoken_of = {(function, test): sure for sure, function, test in spoken}
        called = self._called_by()
        for function in self._tested:
            found = reached.get(function)
            direct = called.get(function, _NOBODY)
            if found is None or len(direct) >= KEPT:
                continue
            topical = {
                test for test, sure in found.items() if sure <= spoken_of.get((function, test), 0.0)
            }
            scores = {
                test: self._score(sure, topics.overlap(function, test), test in topical)
                for test, sure in found.items()
            }
            least = NEAR_BEST * max(scores.values(), default=0.0)
            scores = {
                test: score
                for test, score in scores.items()
                if score >= least and test not in direct and test not in observed
            }
            for test in self._spread(scores, KEPT - len(direct)):
                how, tier = _TOPIC if test in topical else _REACH
                self._tests.add(test, function, 0, how, tier, round(scores[test], 3))

    def _score(self, sure: float, overlap: float, is_topical: bool) -> float:
        """Return how likely a test runs a function, by its surest way and its words' share."""
        score = sure * (UNSPOKEN + (1 - UNSPOKEN) * overlap)
        return score if is_topical else 1 - (1 - score) ** WAYS

    def _spread(self, scores: Mapping[int, float], most: int) -> Iterator[int]:
        """Yield the best tests, at most `most`, and rather from different files: what one misses its neighbours miss."""
        file_of = self._project.file_of
        worth: dict[int, float] = {}
        # A test is worth less once another one of its file is taken, so a worth that still holds is the best left.
        waiting = [(-score, test) for test, score in scores.items()]
        heapify(waiting)
        while waiting and most > 0:
            score, test = heappop(waiting)
            file = file_of[test].number
            now = -scores[test] * worth.get(file, 1.0)
            if score != now:
                heappush(waiting, (now, test))
                continue
            worth[file] = worth.get(file, 1.0) * SAME_FILE
            most -= 1
            yield test

    def _lengths(self) -> Mapping[int, float]:
        """Return how much of what it leads to each test runs, 1 for the longest test."""
        scopes = self._project.scopes
        lines = {n: scopes[n].end_line - scopes[n].start_line + 1 for n in self._starts}
        most = log(1 + max(lines.values()))
        return {n: 1 - SHORT * (1 - log(1 + count) / most) for n, count in lines.items()}

    def _called_by(self) -> Mapping[int, AbstractSet[int]]:
        """Return the tests that have an edge to each function."""
        called: dict[int, set[int]] = {}
        for test, targets in self._tests.found.items():
            for dst in targets:
                if isinstance(dst, int) and isinstance(test, int):
                    called.setdefault(dst, set()).add(test)
        return called

    def _spoken(self, topics: Topics) -> Iterator[Way]:
        """Yield the tests that speak of a function, as ways to it."""
        for function in self._tested:
            speaking = [each for each in topics.speaking_of(function) if each[0] >= LEAST_SPOKEN]
            speaking.sort(reverse=True)
            for overlap, test in speaking[:MOST]:
                yield SPOKEN * overlap, function, test

    def _steps(self, number: int) -> list[tuple[int, float]]:
        """Return the functions that `number` may run, each with how likely it does."""
        scopes = self._project.scopes
        found: dict[int, float] = {}
        kinds = [self._invokes, self._tests] if number in self._is_start else [self._invokes]
        for kind in kinds:
            for dst, edge in kind.found.get(number, {}).items():
                is_own = number not in self._is_start or edge.tier not in _POSSIBLE
                if is_own and isinstance(dst, int) and scopes[dst].kind == FUNCTION:
                    found[dst] = edge.confidence
        if number in self._is_start:
            around = self._project.parent(number)
            found.update(dict.fromkeys(self._fixtures.set_up(self._inference, around), CERTAIN))
        if self._project.file_of[number].is_test:
            for dst in (*self._references.found.get(number, ()), *self._project.children(number)):
                if isinstance(dst, int) and scopes[dst].kind == FUNCTION:
                    found.setdefault(dst, HANDED_OVER)
        walked = [(dst, sure) for dst, sure in found.items() if sure >= WALKED]
        count, is_start = len(walked), number in self._is_start
        return [(dst, self._taken(sure, count, is_start)) for dst, sure in walked]


_POSSIBLE = frozenset({Tier.OVERRIDE, Tier.MANY})
_REACH, _TOPIC = (How.REACH, Tier.FLOW), (How.TOPIC, Tier.MANY)
_NOBODY: frozenset[int] = frozenset()
