"""Learn the ranking from the feature table and write `hindsight_neo4j/retrieval/ranking_model.json`.

    pip install "lightgbm>=4.6,<5"
    python -m benchmarks.train.ranking              # cross-validated figures, then the model of all rows
    python -m benchmarks.train.ranking --without graph --dry-run    # what a part of the features is worth

A forest per grain by LambdaMART, on folds that are whole repositories. Files come first: the file forest's held-out score
is a column of the module and function forests, as `locate` has it. The figures printed are those of the held-out folds,
by score_locate.py's strict rule (all gold places in the first k), on tasks as they are and on their shifted form.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias
from zlib import crc32

import lightgbm
import numpy as np
import numpy.typing as npt

from benchmarks.measuring import markdown_table
from benchmarks.train.table import FORMS, Example, Task, read_table
from hindsight_neo4j.retrieval.features import NAMES, PARTS, grouped
from hindsight_neo4j.retrieval.place import around
from hindsight_neo4j.retrieval.ranker import GRAINS, MODEL_FILE

Matrix: TypeAlias = npt.NDArray[np.float32]

OUTPUT = Path(__file__).parents[2] / "hindsight_neo4j" / "retrieval" / MODEL_FILE

FOLDS = 3
"""The five folds of the training set go round; each forest is learned from about two thirds of the repositories."""

DEPTH = 5
"""Most splits on the way to a leaf."""

SETTINGS: dict[str, Any] = {
    "objective": "lambdarank",
    "lambdarank_truncation_level": 8,
    "learning_rate": 0.08,
    "num_leaves": 14,
    "max_depth": DEPTH,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "max_bin": 63,
    "num_threads": 1,
    "deterministic": True,
    "seed": 1,
    "verbose": -1,
}

RISING = ("bm25", "title bm25", "named", "holder named", "place named", "in frame", "file in frame")
"""Columns that may only speak for a candidate. Commits seldom hold a stack trace: without this, rare accidents of the
training set would decide what one means."""

TREES = {"file": 110, "module": 110, "function": 120}
"""Trees of each forest. Held-out figures do not rise beyond."""

FIRST = 150
REST = 0.25
"""Items of a query to learn from: the first by their words, the right ones, and this share of the rest, which is easy."""

GOLD = {"file": "gold_files", "module": "gold_modules", "function": "gold_functions"}
CUTS = {"file": (1, 5), "module": (5,), "function": (5,)}

_SECOND = re.compile(r"~\d+")


@dataclass(frozen=True, slots=True)
class Query:
    """What is ranked for one text at one grain. `rows` is (items, columns); `gold` says which items are right."""

    task: Task
    form: str
    grain: str
    items: tuple[str, ...]
    rows: Matrix
    gold: npt.NDArray[np.bool_]


def queries(examples: Iterable[Example], grain: str, files: Sequence[Matrix] | None) -> list[Query]:
    """Return the queries of a grain; `files` are the file scores of each example's candidates."""
    made = []
    for at, example in enumerate(examples):
        rows = example.rows
        if files is not None:
            rows = np.hstack([rows, files[at][:, None]])
        items, rows = _items(example.ids, rows, grain)
        gold = set(example.task[GOLD[grain]])
        right = np.array([_SECOND.sub("", item) in gold for item in items], bool)
        made.append(Query(example.task, example.form, grain, tuple(items), rows, right))
    return made


def _items(ids: Sequence[str], rows: Matrix, grain: str) -> tuple[list[str], Matrix]:
    if grain == "function":
        other = rows[:, NAMES.index("class")] + rows[:, NAMES.index("file")] > 0
        return [node for node, skip in zip(ids, other, strict=True) if not skip], rows[~other]
    level = slice(0, 1) if grain == "file" else slice(1, 2)
    return grouped(rows, [around(node)[level] for node in ids])


def fit(train: Sequence[Query], trees: int, columns: Sequence[int]) -> lightgbm.Booster:
    """Return a forest learned from the queries that have a right item among theirs."""
    useful = [_thinned(query) for query in train if query.gold.any() and not query.gold.all()]
    data = lightgbm.Dataset(
        np.concatenate([query.rows[:, columns] for query in useful]),
        np.concatenate([query.gold for query in useful]).astype(int),
        group=[len(query.items) for query in useful],
    )
    rising = [int(_is_rising(column, useful[0].rows.shape[1])) for column in columns]
    return lightgbm.train({**SETTINGS, "monotone_constraints": rising}, data, trees)


def _thinned(query: Query) -> Query:
    fit = query.rows[:, NAMES.index("bm25")] + query.rows[:, NAMES.index("title bm25")]
    fit = fit + 0.3 * query.rows[:, NAMES.index("body coverage")]
    chance = np.random.default_rng(crc32(f"{query.task['id']} {query.form}".encode()))
    kept = query.gold | (chance.random(len(fit)) < REST)
    kept[np.argsort(-fit, kind="stable")[:FIRST]] = True
    items = tuple(item for item, keeps in zip(query.items, kept, strict=True) if keeps)
    return replace(query, items=items, rows=query.rows[kept], gold=query.gold[kept])


def _is_rising(column: int, width: int) -> bool:
    """Whether a column is of `RISING`; a grouped row (module docstring of `features`) has each twice."""
    single = width if width <= len(NAMES) + 1 else width // 2
    return column % single < len(NAMES) and column != width - 1 and NAMES[column % single] in RISING


def held_out(found: Sequence[Query], trees: int, columns: Sequence[int]) -> list[Matrix]:
    """Return each query's scores by the forest that was learned without its fold."""
    scores: list[Matrix] = [np.zeros(0, np.float32)] * len(found)
    for fold in range(FOLDS):
        forest = fit(
            [query for query in found if query.task["fold"] % FOLDS != fold], trees, columns
        )
        for at, query in enumerate(found):
            if query.task["fold"] % FOLDS == fold:
                scores[at] = forest.predict(query.rows[:, columns], num_threads=1)
    return scores


def columns_of(grain: str, without: Sequence[str]) -> list[int]:
    """Return the columns to learn from: all but those of the parts (or with the names) left out."""
    names, parts = list(NAMES), list(PARTS)
    if grain != "file":
        names, parts = [*names, "file score"], [*parts, "file score"]
    kept = [
        at
        for at, (name, part) in enumerate(zip(names, parts, strict=True))
        if part not in without and name not in without
    ]
    if grain == "function":
        return kept
    return [*kept, *(len(names) + at for at in kept), 2 * len(names)]


def hits(query: Query, scores: Matrix, cut: int) -> bool:
    """Say whether the first `cut` items hold every gold place of the task."""
    best = dict.fromkeys(
        _SECOND.sub("", query.items[at]) for at in np.argsort(-scores, kind="stable")
    )
    gold = set(query.task[GOLD[query.grain]])
    return gold <= set(list(best)[:cut])


def slices(query: Query) -> Iterator[str]:
    """Yield the names of the rows that a query counts to in the table of figures."""
    yield query.form
    if query.form == FORMS[0]:
        yield "hint" if query.task["has_location_hint"] else "no hint"
        if query.task["intent"]:
            yield query.task["intent"]
        if query.task["has_body"]:
            yield "with body"


def learn(examples: Sequence[Example], without: Sequence[str]) -> dict[str, Any]:
    """Return the forests of all rows by grain, having printed what held-out ones score."""
    file_scores: list[Matrix] | None = None
    forests = {}
    table: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    right_file: list[bool] = []
    for grain in GRAINS:
        found = queries(examples, grain, file_scores)
        columns = columns_of(grain, without)
        scores = held_out(found, TREES[grain], columns)
        for query, each in zip(found, scores, strict=True):
            for cut in CUTS[grain]:
                for part in slices(query):
                    table[part][f"{grain}@{cut}"].append(hits(query, each, cut))
        if grain == "function":
            print_misses(found, scores, right_file)
        if grain == "file":
            right_file = [hits(query, each, 5) for query, each in zip(found, scores, strict=True)]
            file_scores = [
                _of_candidates(example, query, each)
                for example, query, each in zip(examples, found, scores, strict=True)
            ]
        forests[grain] = (found, columns)
        print(f"{grain}: {time.process_time():.0f} CPU s", file=sys.stderr, flush=True)
    header = ("held out", "texts", *(f"{grain}@{cut}" for grain in GRAINS for cut in CUTS[grain]))
    print(
        markdown_table(
            header,
            [
                (
                    part,
                    len(next(iter(by.values()))),
                    *(float(np.mean(each)) for each in by.values()),
                )
                for part, by in table.items()
            ],
        )
    )
    return forests


def print_misses(
    found: Sequence[Query], scores: Sequence[Matrix], right_file: Sequence[bool]
) -> None:
    """Print where the functions of the tasks were lost that the first 5 do not hold, as shares of all tasks."""
    lost: dict[str, Counter[str]] = defaultdict(Counter)
    for query, each, in_file in zip(found, scores, right_file, strict=True):
        gold = set(query.task["gold_functions"])
        places = {_SECOND.sub("", item) for item in query.items}
        if hits(query, each, 5):
            kind = "found"
        elif not gold <= places:
            kind = "no candidate"
        elif not in_file:
            kind = "file not in the first 5"
        elif len(gold) > 1:
            kind = "some of several"
        else:
            kind = "file right, function not"
        for part in slices(query):
            lost[part][kind] += 1
    kinds = list(dict.fromkeys(kind for counts in lost.values() for kind in sorted(counts)))
    rows = [
        (part, counts.total(), *(counts[kind] / counts.total() for kind in kinds))
        for part, counts in lost.items()
    ]
    print(markdown_table(("functions", "texts", *kinds), rows), end="\n\n")


def _of_candidates(example: Example, query: Query, scores: Matrix) -> Matrix:
    by_path = dict(zip(query.items, scores, strict=True))
    return np.array([by_path[around(node)[0]] for node in example.ids], np.float32)


# --- writing --------------------------------------------------------------------------------------


def packed(forest: lightgbm.Booster, columns: Sequence[int]) -> dict[str, Any]:
    """Return a forest as `retrieval.ranker` reads it: complete trees in heap order."""
    trees = forest.dump_model()["tree_info"]
    splits, nodes = 2**DEPTH - 1, 2 ** (DEPTH + 1) - 1
    asked = np.zeros((len(trees), splits), "<i2")
    thresholds = np.full((len(trees), splits), np.inf, "<f4")
    values = np.zeros((len(trees), nodes), "<f4")
    for number, tree in enumerate(trees):
        _fill(tree["tree_structure"], 0, number, columns, asked, thresholds, values)
    return {
        "trees": len(trees),
        "columns": b64encode(asked.tobytes()).decode(),
        "thresholds": b64encode(thresholds.tobytes()).decode(),
        "values": b64encode(values.tobytes()).decode(),
    }


def _fill(
    node: dict[str, Any], at: int, tree: int, columns: Sequence[int], asked: Any, thresholds: Any,
    values: Any,
) -> None:  # fmt: skip
    values[tree, at] = node.get("internal_value", node.get("leaf_value"))
    if "split_feature" in node:
        asked[tree, at] = columns[node["split_feature"]]
        thresholds[tree, at] = node["threshold"]
        left, right = node["left_child"], node["right_child"]
    elif at < asked.shape[1]:
        left = right = node
    else:
        return
    _fill(left, 2 * at + 1, tree, columns, asked, thresholds, values)
    _fill(right, 2 * at + 2, tree, columns, asked, thresholds, values)


def main() -> int:
    """Learn, report, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--without", action="append", default=[], metavar="PART", help="repeatable")
    parser.add_argument("--dry-run", action="store_true", help="only the held-out figures")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    learned = learn(read_table(), options.without)
    if options.dry_run:
        return 0
    data = {
        "made_by": "benchmarks/train/ranking.py",
        "column_names": list(NAMES),
        "forests": {
            grain: packed(fit(found, TREES[grain], columns), columns)
            for grain, (found, columns) in learned.items()
        },
    }
    options.output.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
