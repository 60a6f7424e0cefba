"""What training hands over is what inference reads, and shifted texts are issues of the same change."""

from __future__ import annotations

import random

import numpy as np
import pytest

from benchmarks.train.shift import NAMES_DROPPED, _reworded
from hindsight_neo4j.retrieval.ranker import MODEL_FILE, read_forest

pytest.importorskip("lightgbm")

from benchmarks.train import ranking
from benchmarks.train.table import FORMS


def made_up(fold: int, chance: np.random.Generator) -> ranking.Query:
    rows = chance.random((12, len(ranking.NAMES) + 1), np.float32)
    gold = np.zeros(12, bool)
    gold[int(np.argmax(rows[:, 5] - rows[:, 7]))] = True
    items = tuple(f"a.py:f{number}" for number in range(12))
    task = {
        "id": f"shop@{fold}",
        "fold": fold,
        "gold_functions": [items[int(np.argmax(gold))]],
        "has_location_hint": False,
        "intent": "lagging",
        "has_body": True,
    }
    return ranking.Query(task, FORMS[0], "function", items, rows, gold)


@pytest.fixture(scope="module")
def queries() -> list[ranking.Query]:
    chance = np.random.default_rng(0)
    return [made_up(number % ranking.FOLDS, chance) for number in range(60)]


def test_a_packed_forest_scores_as_the_one_that_was_learned(
    queries: list[ranking.Query],
) -> None:
    columns = ranking.columns_of("function", ["file score"])
    learned = ranking.fit(queries, 8, columns)
    forest = read_forest(ranking.packed(learned, columns))
    rows = queries[0].rows
    assert forest.scores(rows) == pytest.approx(learned.predict(rows[:, columns]), abs=1e-5)


def test_the_right_and_the_best_items_are_learned_from_and_a_share_of_the_rest() -> None:
    count = 2_000
    rows = np.zeros((count, len(ranking.NAMES) + 1), np.float32)
    rows[:, ranking.NAMES.index("bm25")] = np.linspace(1.0, 0.0, count)
    gold = np.zeros(count, bool)
    gold[-1] = True
    items = tuple(f"a.py:f{number}" for number in range(count))
    whole = ranking.Query({"id": "shop@1"}, FORMS[0], "function", items, rows, gold)
    thinned = ranking._thinned(whole)
    assert thinned.items[: ranking.FIRST] == items[: ranking.FIRST]
    assert thinned.items[-1] == items[-1]
    assert thinned.gold.tolist() == [False] * (len(thinned.items) - 1) + [True]
    assert len(thinned.items) == pytest.approx(ranking.FIRST + ranking.REST * count, rel=0.15)
    assert ranking._thinned(whole).items == thinned.items


def test_a_part_left_out_is_in_no_column() -> None:
    assert len(ranking.columns_of("file", [])) == 2 * len(ranking.NAMES) + 1
    graph = ranking.PARTS.count("graph")
    assert graph
    assert len(ranking.columns_of("file", ["graph"])) == 2 * (len(ranking.NAMES) - graph) + 1


def test_a_text_loses_names_and_words_but_never_everything() -> None:
    text = "Fix `load_all` in Store.put for empty keys and stale records of every kind"
    forms = [_reworded(text, random.Random(seed)) for seed in range(200)]
    assert (
        pytest.approx(sum("load all" not in form for form in forms) / len(forms), abs=0.15)
        == NAMES_DROPPED
    )
    assert all("load_all" not in form for form in forms)
    assert _reworded("fix", random.Random(0)) == "fix"


def test_the_model_ships_in_the_room_that_reads_it() -> None:
    assert (ranking.OUTPUT.name, ranking.OUTPUT.parent.name) == (MODEL_FILE, "retrieval")
