"""What was found so far: answers that are kept, what they were made from, and the bounds within which they are sought.

A question is a key: the number of an expression, a name in a scope, a call's function. While it is answered it is
*active*; asking for it again from inside gives nothing. An answer that missed something for that reason is right only
for whoever asked from there, so it is kept only where nothing around it was in its way: the same question gets the same
answer, whatever was asked before.

Some answers rest on *cells*: places that others fill, such as a parameter of which nobody says what it is. Those are
*open*: each knows who read it, and when a cell gets more values, what was made from it is forgotten and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from hindsight_neo4j.link.records import Cell, Passing
from hindsight_neo4j.link.values import NOTHING, Values

MAX_DEPTH = 14
"""Most steps from a question to a fact. Thirty instead find 3 edges more among 225,000 (django 5.1.4)."""

MAX_STEPS = 20_000
"""Most expressions that one question may look at."""

Key = Hashable

_UNBOUND = 1 << 30


class Answers:
    """Keeps answers, and forgets those whose grounds changed."""

    def __init__(self) -> None:
        self._kept: dict[Key, Values] = {}
        """Answers for good."""
        self._open: dict[Key, Values] = {}
        """Answers that rest on cells."""
        self._readers: dict[Key, list[Key]] = {}
        """By open question or cell, the questions that were answered with it."""
        self._active: dict[Key, int] = {}
        """The questions being answered, each with its place among them."""
        self._passing: dict[Key, Passing] = {}
        """Answers that hold as long as what stood in their way is being answered."""
        self._reader: Key = None
        self._steps = 0
        self._opens = 0
        """How often a cell, or what rests on one, was read."""
        self._lowest = _UNBOUND
        """The lowest place in `_active` that stood in the way of the present question, -1 for a bound."""

    def once(self, key: Key, depth: int, compute: Callable[[], Values]) -> Values:
        """Return the answer to `key`: the kept one, else `compute()`."""
        kept = self._kept.get(key)
        return self._find(key, depth, compute) if kept is None else kept

    def kept(self, key: Key) -> Values | None:
        """Return the answer to `key` if it is kept: asked first where that is likely, no `compute` need be made."""
        return self._kept.get(key)

    def _find(self, key: Key, depth: int, compute: Callable[[], Values]) -> Values:
        known = self._known(key, depth)
        if known is not None:
            return known
        reader, opens, lowest = self._reader, self._opens, self._lowest
        place = self._start(key)
        values = compute()
        if self._end(key, place, reader, opens, lowest, values):
            self._kept[key] = values
        return values

    def _known(self, key: Key, depth: int) -> Values | None:
        """Return the answer to `key` as far as it need not or must not be sought, else None."""
        kept = self._open.get(key)
        if kept is not None:
            self._opens += 1
            self._readers[key].append(self._reader)
            return kept
        passing = self._passing.get(key) if self._passing else None
        if passing is not None:
            if passing.lowest < self._lowest:
                self._lowest = passing.lowest
            if passing.is_open:
                self._opens += 1
                self._readers[key].append(self._reader)
            return passing.values
        return NOTHING if self._is_cut(key, depth) else None

    def _is_cut(self, key: Key, depth: int) -> bool:
        """Whether a bound forbids to answer `key` now: it is being answered, or too far from what was asked first."""
        self._steps = self._steps + 1 if depth else 1
        place = self._active.get(key)
        if place is None:
            if depth <= MAX_DEPTH and self._steps <= MAX_STEPS:
                return False
            place = -1
        if place < self._lowest:
            self._lowest = place
        return True

    def _start(self, key: Key) -> int:
        place = len(self._active)
        self._active[key] = place
        self._reader = key
        self._lowest = _UNBOUND
        return place

    def _end(
        self, key: Key, place: int, reader: Key, opens: int, lowest: int, values: Values
    ) -> bool:
        """Take in the answer to `key`, which was begun in the state given; return whether it holds for good."""
        del self._active[key]
        self._reader = reader
        is_open = opens != self._opens
        if is_open:
            self._readers.setdefault(key, []).append(reader)
        own = self._lowest
        if own < place and place:
            self._passing[key] = Passing(values, own, is_open)
            if lowest < own:
                self._lowest = lowest
            return False
        self._lowest = lowest
        if self._passing:
            self._drop_passing(place)
        if is_open:
            self._open[key] = values
        return not is_open

    def _drop_passing(self, place: int) -> None:
        """Drop the answers that the question at `place` stood in the way of: they are the last ones."""
        if not place:
            self._passing.clear()
            return
        while self._passing:
            key, passing = self._passing.popitem()
            if passing.lowest < place:
                self._passing[key] = passing
                return

    # ------------------------------------------------------------------ cells

    def begin(self, reader: Key) -> int:
        """Let `reader` be who asks from here on; return a mark for `is_open`."""
        self._reader = reader
        return self._opens

    def mark(self) -> int:
        """Return a mark for `is_open`."""
        return self._opens

    def is_open(self, mark: int) -> bool:
        """Whether what was asked since `mark` rests on cells."""
        return self._opens != mark

    def read_cell(self, cell: Cell, values: Values) -> Values:
        """Return the `values` of `cell`, noting who reads them."""
        self._opens += 1
        self._readers.setdefault(cell, []).append(self._reader)
        return values

    def forget(self, cells: Iterable[Cell]) -> dict[Key, None]:
        """Forget all that rests on `cells`; return who had asked for it, in the order of asking."""
        found: dict[Key, None] = {}
        queue: list[Key] = list(cells)
        for key in queue:
            for reader in self._readers.pop(key, ()):
                if reader not in found:
                    found[reader] = None
                    if not isinstance(reader, Cell):
                        self._open.pop(reader, None)
                        queue.append(reader)
        return found

    def forget_all(self) -> None:
        """Forget every answer."""
        self._kept.clear()
        self._open.clear()
        self._readers.clear()
