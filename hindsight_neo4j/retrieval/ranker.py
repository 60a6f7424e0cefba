"""The learned ranking: regression trees over `features`, shipped as data and walked by numpy, all at once.

`ranking_model.json` is made by `benchmarks/train/ranking.py`. It holds a forest per grain. Every tree is complete, in
heap order: the children of node i are 2i + 1 and 2i + 2; a node that was no split sends everything left, to its own
value. A row's score is the sum over trees of the values of the leaves it falls into, and the change of value at each
split on the way is put down to the column that was asked there: so the parts of a score add up to it exactly.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from hindsight_neo4j.retrieval.features import Matrix

MODEL_FILE: Final = "ranking_model.json"
GRAINS: Final = ("file", "module", "function")

BASE: Final = "base"
"""The part of a score that all candidates share."""


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees of one depth. `columns` and `thresholds` are (trees, splits), `values` (trees, nodes)."""

    columns: npt.NDArray[np.int16]
    thresholds: Matrix
    values: Matrix

    def scores(self, rows: Matrix) -> npt.NDArray[np.float64]:
        """Return the score of each row of (n, columns)."""
        sums: npt.NDArray[np.float64] = self._values_at(self._ways(rows)[-1]).sum(1, np.float64)
        return sums

    def parts(self, rows: Matrix, part_of: Sequence[str]) -> list[dict[str, float]]:
        """Return the parts that each row's score adds up from.

        Args:
            rows: (n, columns).
            part_of: The part of each column.
        """
        names = [BASE, *dict.fromkeys(part for part in part_of if part != BASE)]
        number = np.array([names.index(part) for part in part_of])
        part_at = number[self.columns].ravel()
        first_cell = len(names) * np.arange(len(rows))[:, None]  # of each row's sums, laid out flat
        sums = np.zeros(len(rows) * len(names))
        sums[:: len(names)] = self.values[:, 0].sum(dtype=np.float64)
        for node, child in pairwise(self._ways(rows)):
            change = self._values_at(child) - self._values_at(node)
            cell = first_cell + part_at.take(node + self._starts(self.columns))
            sums += np.bincount(cell.ravel(), change.ravel(), len(sums))
        table = sums.reshape(len(rows), len(names)).tolist()
        return [dict(zip(names, each, strict=True)) for each in table]

    def _ways(self, rows: Matrix) -> list[npt.NDArray[np.intp]]:
        """The node (n, trees) that each row is at before each split, and last the leaf."""
        ways = [np.zeros((len(rows), len(self.values)), np.intp)]
        right = rows.take(self.columns[:, 0], axis=1) > self.thresholds[:, 0]
        ways.append(ways[0] + 1 + right)  # a tree asks all rows the same at its root
        # `take` from what is laid out flat: a third of the time of indexing by two arrays.
        first_cell = rows.shape[1] * np.arange(len(rows))[:, None]
        first_split = self._starts(self.columns)
        splits = len(self.columns[0])
        for _ in range(1, splits.bit_length()):
            split = ways[-1] + first_split
            asked = rows.ravel().take(first_cell + self.columns.ravel().take(split))
            right = asked > self.thresholds.ravel().take(split)
            ways.append(2 * ways[-1] + 1 + right)
        return ways

    def _values_at(self, node: npt.NDArray[np.intp]) -> Matrix:
        return self.values.ravel().take(node + self._starts(self.values))

    @staticmethod
    def _starts(of_trees: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
        """Where each tree begins in what is (trees, ...), laid out flat."""
        starts: npt.NDArray[np.intp] = of_trees.shape[1] * np.arange(len(of_trees))
        return starts


@cache
def load_forests() -> dict[str, Forest]:
    """Read the model that ships with the package, once a process: a forest by grain."""
    data = json.loads(files(__package__).joinpath(MODEL_FILE).read_text("utf-8"))
    return {grain: read_forest(each) for grain, each in data["forests"].items()}


def read_forest(data: dict[str, Any]) -> Forest:
    """Return the forest that an entry of the file says: arrays in base64, little-endian."""
    trees = data["trees"]

    def array(name: str, kind: str) -> Any:
        return np.frombuffer(b64decode(data[name]), kind).reshape(trees, -1)

    return Forest(array("columns", "<i2"), array("thresholds", "<f4"), array("values", "<f4"))
