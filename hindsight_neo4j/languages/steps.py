"""How likely a step is taken once its start runs, measured on recorded runs (`benchmarks/train_steps.py`).

That an edge is right says that some run takes it, not that each does: a function that calls thirty others takes few of
them at a time, and a test that calls two takes both. So the odds of a step rise with how sure its edge is, fall with how
many steps leave its start, and are better where the start is a test. `ingest/steps.toml` has the weights.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from math import exp, log
from typing import Final

import msgspec

from hindsight_neo4j.resources import room

BOUND: Final = 0.02
"""No edge counts as surer or less sure than this from certainty: odds would have no end."""


class Steps(msgspec.Struct, frozen=True):
    """The weights of the logarithm of the odds."""

    base: float
    sure: float
    """For the logarithm of the odds that the edge is right."""
    leaving: float
    """For the logarithm of one more than the steps that leave the start."""
    test: float
    """Where the start is a test."""

    def taken(self, sure: float, leaving: int, is_test: bool) -> float:
        """Return how likely a run of the start takes the step, 0 to 1.

        Args:
            sure: How sure the edge is, 0 to 1.
            leaving: The steps that leave the start, this one included.
            is_test: Whether the start is a test.
        """
        one, certainty, branching, start = traits(sure, leaving, is_test)
        odds = (
            self.base * one + self.sure * certainty + self.leaving * branching + self.test * start
        )
        return 1 / (1 + exp(-odds))


def traits(sure: float, leaving: int, is_test: bool) -> tuple[float, float, float, float]:
    """Return what each weight is multiplied with.

    >>> traits(0.5, 0, True)
    (1.0, 0.0, 0.0, 1.0)
    """
    bounded = min(max(sure, BOUND), 1 - BOUND)
    return 1.0, log(bounded / (1 - bounded)), log(1 + leaving), float(is_test)


@lru_cache(maxsize=1)
def measured_steps() -> Steps:
    """Return the weights that were measured."""
    text = (room("ingest") / "steps.toml").read_bytes()
    return msgspec.convert(tomllib.loads(text.decode("utf-8")), Steps, strict=False)
