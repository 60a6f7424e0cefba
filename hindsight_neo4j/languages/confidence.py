"""How sure an edge is: shares of right edges, measured on recorded runs (`benchmarks/train_confidence.py`).

`ingest/confidence.toml` has a figure for each *case*, a tier with what tells its edges apart: by what they came about,
how many targets their call site has, whether the method that is overridden is abstract, and whether a method calls it on
its own receiver. A case that was not seen often takes its tier's figure.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from hindsight_neo4j.model.graph import How, Tier
from hindsight_neo4j.resources import room

COUNTS: Final = (1, 2, 6, 20)
"""Bounds of the numbers of targets that are told apart."""

LATE: Final = 0.5
"""How sure a call is of a function whose body does not run there: it runs where what the call gives is walked over or awaited,
or inside the project's own kind of property. By a run's account such a call is hardly ever taken, by the text it is always
there; so it is neither, and stays in sight."""


def case_of(tier: Tier, how: How, targets: int, is_abstract: bool, is_own: bool) -> str:
    """Return the case that an edge belongs to.

    >>> case_of(Tier.OVERRIDE, How.OVERRIDE, 4, True, True)
    'override override 6 abstract own'
    """
    count = next((bound for bound in COUNTS if targets <= bound), COUNTS[-1] + 1)
    return f"{tier} {how} {count}{' abstract' if is_abstract else ''}{' own' if is_own else ''}"


class Confidences:
    """The figures, by case."""

    def __init__(self, tiers: Mapping[str, float], cases: Mapping[str, float]) -> None:
        self.tiers = tiers
        self.cases = cases
        self._found: dict[tuple[Tier, How, int, bool, bool], float] = {}

    def of(
        self,
        tier: Tier,
        how: How,
        targets: int = 1,
        is_abstract: bool = False,
        is_own: bool = False,
    ) -> float:
        """Return how sure an edge is that is one of `targets` of its call site."""
        key = (tier, how, targets, is_abstract, is_own)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self.of_case(tier, case_of(*key))
        return found

    def of_case(self, tier: Tier, case: str) -> float:
        """Return the figure of `case`, or that of its tier."""
        return self.cases.get(case, self.tiers[tier])


@lru_cache(maxsize=1)
def measured() -> Confidences:
    """Return the figures that were measured."""
    table = tomllib.loads((room("ingest") / "confidence.toml").read_text(encoding="utf-8"))
    return Confidences(table["tiers"], table["cases"])
