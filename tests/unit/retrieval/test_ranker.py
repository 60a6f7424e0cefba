"""The learned ranking adds up, and its file is what inference expects."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
import pytest

from hindsight_neo4j.retrieval.features import GROUPED_PARTS, NAMES, PARTS, grouped
from hindsight_neo4j.retrieval.ranker import GRAINS, MODEL_FILE, Forest, load_forests

# Two trees of depth 2: a split of column 0 at .5 with a split of column 1 at 2 to its right, and no split at all.
SMALL = Forest(
    columns=np.array([[0, 0, 1], [0, 0, 0]], np.int16),
    thresholds=np.array([[0.5, np.inf, 2.0], [np.inf] * 3], np.float32),
    values=np.array([[0.0, -1.0, 1.0, -1.0, -1.0, 0.5, 4.0], [0.25] * 7], np.float32),
)


@pytest.mark.parametrize(
    ("row", "score"), [((0.5, 9.0), -0.75), ((0.6, 2.0), 0.75), ((0.6, 2.1), 4.25)]
)
def test_a_row_scores_the_sum_of_its_leaves(row: tuple[float, float], score: float) -> None:
    assert SMALL.scores(np.array([row], np.float32)).tolist() == [score]


def test_each_split_counts_for_the_part_of_its_column() -> None:
    (parts,) = SMALL.parts(np.array([[0.6, 2.1]], np.float32), ("text", "graph"))
    assert parts == {"base": 0.25, "text": 1.0, "graph": 3.0}


@pytest.mark.parametrize("grain", GRAINS)
def test_the_shipped_parts_add_up_to_the_shipped_scores(grain: str) -> None:
    part_of = (*PARTS, "file")
    if grain == "file":
        part_of = GROUPED_PARTS
    elif grain == "module":
        part_of = (*part_of, *part_of, "shape")
    forest = load_forests()[grain]
    rows = np.random.default_rng(0).random((50, len(part_of)), np.float32) * 4
    added = [sum(parts.values()) for parts in forest.parts(rows, part_of)]
    assert added == pytest.approx(forest.scores(rows).tolist(), abs=1e-4)


def test_the_shipped_model_was_trained_on_these_columns_and_is_small() -> None:
    text = files("hindsight_neo4j.retrieval").joinpath(MODEL_FILE).read_text("utf-8")
    assert json.loads(text)["column_names"] == list(NAMES)
    assert len(text) < 2_000_000


def test_a_group_has_the_greatest_values_and_its_best_members() -> None:
    rows = np.zeros((3, len(NAMES)), np.float32)
    rows[:, NAMES.index("bm25")] = (0.2, 0.9, 0.1)
    rows[:, NAMES.index("lines")] = (5.0, 1.0, 3.0)
    names, found = grouped(rows, [("b.py", "a.py"), ("b.py",), ()])
    assert names == ["a.py", "b.py"]
    lines = NAMES.index("lines")
    assert found[:, lines].tolist() == [5.0, 5.0]
    assert found[:, len(NAMES) + lines].tolist() == [5.0, 1.0]
    assert found[:, -1].tolist() == [1.0, 2.0]
    assert grouped(rows, [(), (), ()])[0] == []
