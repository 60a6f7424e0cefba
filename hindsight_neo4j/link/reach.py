"""Which tests lead to a function most surely: a best-first walk from all tests at once.

A way is as likely as the product of its steps (`languages/steps.py`). Every function keeps its `MOST` surest tests, and
only those are passed on: the whole walk costs at most `MOST` visits of each function, however many tests there are and
however much each of them runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Final

MOST: Final = 16
"""Tests kept for each function."""

LEAST: Final = 0.02
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
        steps: What a function leads to, and how likely each step is taken.
    """
    found: dict[int, dict[int, float]] = {}
    closed = set(tests)
    # What is known from the start is sorted once: only what is found on the way goes through the heap.
    first = [(-sure, test, test) for test, sure in tests.items()]
    first += [(-sure, function, test) for sure, function, test in jumps]
    first.sort(reverse=True)
    waiting: list[Way] = []
    while first or waiting:
        is_first = not waiting or (bool(first) and first[-1] < waiting[0])
        sure, at, test = first.pop() if is_first else heappop(waiting)
        if at != test:
            if at in closed:
                continue
            kept = found.setdefault(at, {})
            if test in kept:
                continue
            kept[test] = -sure
            if len(kept) == MOST:
                closed.add(at)
        for target, taken in steps(at):
            way = sure * taken
            if way > -LEAST or target in closed or test in found.get(target, _NOTHING):
                continue
            heappush(waiting, (way, target, test))
    return found


_NOTHING: Mapping[int, float] = {}
