"""Metrics of a ranking, per task, and the paired bootstrap between two conditions.

`file@5` is the strict rule: 1 when all gold files stand among the first 5. `file any@5` is LocAgent's rule: 1 when the
first 5 hold min(5, number of gold files) of them. `file mrr` is 1 / place of the first gold file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hindsight_neo4j.evaluation.task import GRAINS, Task, module_of
from hindsight_neo4j.model.question import Located

CUTS: Final = {"file": (1, 3, 5), "module": (5, 10), "function": (5, 10)}
"""Numbers of first places that are looked at, as in LocAgent's evaluation."""

RESAMPLES: Final = 10_000

_SECOND = re.compile(r"~\d+")

Scores = Mapping[str, float]


def score(task: Task, located: Located) -> dict[str, float]:
    """Return the metrics of a task by name; a grain without gold places has none."""
    functions = [
        _folded(_SECOND.sub("", each.id), task.gold["function"]) for each in located.functions
    ]
    ranked = {
        "file": [each.id for each in located.files],
        "module": [module_of(_SECOND.sub("", each.id)) for each in located.modules],
        "function": functions,
    }
    values = {}
    for grain in GRAINS:
        gold = task.gold[grain]
        if not gold:
            continue
        places = list(dict.fromkeys(ranked[grain]))
        for cut in CUTS[grain]:
            found = len(gold.intersection(places[:cut]))
            values[f"{grain}@{cut}"] = float(found == len(gold))
            values[f"{grain} any@{cut}"] = float(found == min(cut, len(gold)))
        values[f"{grain} mrr"] = next(
            (1.0 / place for place, node in enumerate(places, start=1) if node in gold), 0.0
        )
    return values


def _folded(node: str, gold: frozenset[str]) -> str:
    """Gold folds nested functions into the outer one; so is a function inside a gold one."""
    return next((each for each in gold if node.startswith(f"{each}.")), node)


@dataclass(frozen=True, slots=True)
class Difference:
    """Mean difference between two conditions over the same tasks, with its 95 % interval, and tasks won and lost."""

    mean: float
    low: float
    high: float
    won: int
    lost: int


def difference(ours: Sequence[float], theirs: Sequence[float]) -> Difference:
    """Return the difference of paired values, by a bootstrap over tasks that is the same every time."""
    each = np.asarray(ours, float) - np.asarray(theirs, float)
    drawn = np.random.default_rng(0).integers(0, len(each), (RESAMPLES, len(each)))
    low, high = np.quantile(each[drawn].mean(axis=1), (0.025, 0.975))
    return Difference(
        float(each.mean()), float(low), float(high), int((each > 0).sum()), int((each < 0).sum())
    )
