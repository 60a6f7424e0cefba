"""Which tests lead to a function most surely: a best-first walk from all tests at once.

A way is as likely as the product of its steps (`languages/steps.py`). Every function keeps its `MOST` surest tests, and
only those are passed on: the whole walk costs at most `MOST` visits of each function, however many tests there are and
however much each of them runs.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Mapping
from typing import Final

MOST: Final = 16
"""Tests kept for each function.

Fewer cost less, and lose: on five packages .757 of the functions have a right one among their first five, with 12 .755,
with 8 .747.
"""

LEAST: Final = 0.02
"""Ways less sure than this are not followed further."""

GRADES: Final = 256
"""Ways wait in so many heaps of about equally sure ones."""

Way = tuple[float, int, int]
"""How sure, the function reached, the test."""


def surest_tests(
    tests: Mapping[int, float],
    jumps: Iterable[Way],
    steps: Callable[[int], list[tuple[int, float]]],
) -> Mapping[int, Mapping[int, float]]:
    """Return for each function reached its surest tests with how sure each is, 0 to 1, surest first.

    Args:
        tests: Where the walk starts, and how sure each is to get far. It does not go through another test.
        jumps: Ways that are known without walking.
        steps: What a function leads to, and how likely each step is taken.
    """
    found: dict[int, dict[int, float]] = {}
    closed = set(tests)
    # A grade is sorted once, when its turn comes, and where a way leads on mostly lies in a later one: half the cost of a
    # heap. Numbers are negative, so that of equally sure ways the last one, which is next, has the least number.
    waiting: list[list[Way]] = [[] for _ in range(GRADES + 1)]
    for test, sure in tests.items():
        waiting[int(sure * GRADES)].append((sure, -test, -test))
    for sure, function, test in jumps:
        waiting[int(sure * GRADES)].append((sure, -function, -test))
    for grade in reversed(waiting):
        grade.sort()
        while grade:
            sure, at, test = grade.pop()
            at, test = -at, -test
            if at != test:
                if at in closed:
                    continue
                kept = found.get(at)
                if kept is None:
                    kept = found[at] = {}
                elif test in kept:
                    continue
                kept[test] = sure
                if len(kept) == MOST:
                    closed.add(at)
            for target, taken in steps(at):
                way = sure * taken
                if way < LEAST or target in closed:
                    continue
                known = found.get(target)
                if known is not None and test in known:
                    continue
                later = waiting[int(way * GRADES)]
                if later is grade:
                    insort(grade, (way, -target, -test))
                else:
                    later.append((way, -target, -test))
    return found
