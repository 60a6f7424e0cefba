"""The tool under measurement sees the question only, and the tables show the scorer's figures."""

from __future__ import annotations

import json

from benchmarks.corpora import Corpus
from benchmarks.localize import METRICS, batch_line, comparison_rows, score_rows, tasks_of

TOY = Corpus("toy", "1.0", "toy-1.0.tar.gz", "toy-1.0", "")


def _task(version: str) -> dict[str, object]:
    return {
        "id": "a",
        "question": "why?\u2028really",
        "gold_files": ["x.py"],
        "corpus": {"pypi": "toy", "version": version},
    }


def test_a_corpus_gets_the_tasks_of_its_version_only() -> None:
    assert tasks_of(TOY, [_task("1.0"), _task("2.0")]) == [_task("1.0")]


def test_gold_places_are_never_handed_to_the_tool() -> None:
    assert json.loads(batch_line(_task("1.0"))) == {"id": "a", "question": "why?\u2028really"}
    assert "\n" not in batch_line(_task("1.0"))


def test_a_row_holds_the_metrics_of_each_part_in_order() -> None:
    values = {name: place / 10 for place, (_, name) in enumerate(METRICS)}
    scored = {
        "rows": 3,
        "all": values,
        "splits": [{"split": "hint", "value": "True", "rows": 2, **values}],
    }
    expected = [place / 10 for place in range(len(METRICS))]
    assert score_rows("bm25", scored) == [
        ("bm25", "all (3)", *expected),
        ("bm25", "hint (2)", *expected),
    ]


def test_a_comparison_shows_rows_won_and_lost() -> None:
    entry = {"metric": METRICS[0][1], "difference": 0.1, "low95": 0.0, "high95": 0.2}
    scored = {"comparison": [{**entry, "won": 3, "lost": 1}]}
    assert comparison_rows("ours", scored) == [("ours", "file@1", 0.1, 0.0, 0.2, 3, 1)]
