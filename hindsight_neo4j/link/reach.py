"""Which tests lead to a function most surely: a best-first walk from all tests at once.

A way is as sure as the product of its edges, and each step after the first costs `DECAY`, since what is called further
on is more often skipped. Every function keeps its `MOST` surest tests, and only those are passed on: the whole walk costs
at most `MOST` visits of each function, however many tests there are and however much each of them runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Final

DECAY: Final = 0.9
"""Share of a way's sureness that is left after each step but the first. From .8 to .9 nothing moves by more than .005."""

MOST: Final = 16
"""Tests kept for each function."""

LEAST: Final = 0.05
"""Ways less sure than this are not followed further."""

Way = tuple[float, int, int]
"""How sure, the function reached, the test."""


def surest_tests(
    tests: Mapping[int, float],
    jumps: Iterable[Way],
    steps: Callable[[int], Sequence[tuple[int, float]]],
) -> Mapping[int, Mapping[int, float]]:
    """Return for each function reached its surest tests with how sure each is, 0 to 1, surest first.

    Args:
        tests: Where the walk starts, and how sure each is to get far. It does not go through another test.
        jumps: Ways that are known without walking.
        steps: What a function leads to, and how sure each step is.
    """
    found: dict[int, dict[int, float]] = {}
    waiting = [(-sure, test, test) for test, sure in tests.items()]
    waiting += [(-sure, function, test) for sure, function, test in jumps]
    heapify(waiting)
    while waiting:
        sure, at, test = heappop(waiting)
        kept = found.setdefault(at, {})
        if test in kept or len(kept) >= MOST:
            continue
        kept[test] = -sure
        left = sure if at == test else sure * DECAY
        for target, certainty in steps(at):
            there = found.get(target, _NOTHING)
            way = left * certainty
            if way > -LEAST or target in tests or test in there or len(there) >= MOST:
                continue
            heappush(waiting, (way, target, test))
    for test in tests:
        found.pop(test, None)
    return found


_NOTHING: Mapping[int, float] = {}
