"""Train the intent classifier and write `hindsight_neo4j/retrieval/intent_model.json`.

    pip install "scikit-learn>=1.6,<2"
    HINDSIGHT_BENCH=../shared/bench python -m benchmarks.train.intent

Reads the train rows of `$HINDSIGHT_BENCH/intents.jsonl`, the questions of our own beside this file (`questions.tsv`, and
for the scope alone `scopes.tsv`; a label and a text a line), and titles of the training set's commits, of the
repositories that intents.jsonl trains on: those whose first cue word tells leading from lagging, and those that were
read and labelled one by one (`titles.tsv`, a label and a commit a line; they win over the cue word). Two logistic
regressions over the hashed features of `hindsight_neo4j.retrieval.classify`, one of the four labels, one of the scope
alone; validated, and calibrated by a temperature each, on the train rows of intents.jsonl in folds that are whole
repositories. The figures printed are those of the folds.

Two choices guard against learning form instead of meaning: the rows whose form does not give their label away count
`HONEST_WEIGHT` times, and each row is seen a second time in lower case without its last mark.
"""

from __future__ import annotations

import argparse
import json
import os
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.sparse import csr_matrix, vstack
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression

from benchmarks.train.table import training_tasks
from hindsight_neo4j.retrieval.classify import LABELS, READ_LENGTH, hashed, hashed_for_scope

BUCKETS = 1 << 16
EXPLORING = 2
"""The first of the two labels that explore; of the intents, the one that does."""

INVERSE_PENALTY = 2.0
SCOPE_PENALTIES = (2.0, 0.5, 0.1)  # inverse as well: letters, shapes, flags
HONEST_WEIGHT = 4.0
PLAIN_WEIGHT = 0.5
OWN_WEIGHT = 2.0
READ_WEIGHT = 1.0
CUE_WEIGHT = 0.3  # one in twenty is wrong, says the set's README
FOLDS = 8
HONEST = ("written for this set", "commit title rewritten as a question by a model")
OUTPUT = Path(__file__).parents[2] / "hindsight_neo4j" / "retrieval" / "intent_model.json"
OWN_QUESTIONS = Path(__file__).with_name("questions.tsv")
SCOPE_QUESTIONS = Path(__file__).with_name("scopes.tsv")
READ_TITLES = Path(__file__).with_name("titles.tsv")


def main() -> None:
    """Train, report, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=OUTPUT)
    output = parser.parse_args().output
    rows = read_train_rows()
    labels = np.array([LABELS.index(row["label"]) for row in rows])
    honest = np.array([row["source"] in HONEST for row in rows])
    texts = [row["text"] for row in rows]
    own, of_scope_only = (
        _lessons(*read_questions(path), OWN_WEIGHT, asked_plainly=True)
        for path in (OWN_QUESTIONS, SCOPE_QUESTIONS)
    )
    repositories, titles, labels_of_titles, weights = read_commit_titles()
    commits = _lessons(titles, labels_of_titles, weights, asked_plainly=False)
    asked = Features.of([text[:READ_LENGTH] for text in texts])
    sums, scopes = np.zeros((len(rows), len(LABELS))), np.zeros((len(rows), 1))
    folds = fold_of_rows(rows)
    for fold in range(FOLDS):
        known, held_out = np.flatnonzero(folds != fold), folds == fold
        unseen = {rows[at]["repo"] for at in np.flatnonzero(held_out)}
        lessons = [
            _lessons_of_rows(texts, labels, honest, known),
            own,
            commits.only(np.array([each not in unseen for each in repositories])),
        ]
        of_intent, of_scope = fit(lessons, of_scope_only)
        sums[held_out] = of_intent.sums(asked.of_intent[held_out])
        scopes[held_out] = of_scope.sums(sum(asked.of_scope)[held_out])
    exploring = labels >= EXPLORING
    scopes = np.column_stack([np.zeros(len(rows)), scopes])  # of deep against broad
    temperatures = (
        best_temperature(sums, np.minimum(labels, EXPLORING), intent_shares),
        best_temperature(scopes[exploring], labels[exploring] - EXPLORING, scope_shares),
    )
    report(intent_shares(sums / temperatures[0]), scopes, labels, honest)
    everything = _lessons_of_rows(texts, labels, honest, np.arange(len(rows)))
    write(output, fit([everything, own, commits], of_scope_only), temperatures)


@dataclass(frozen=True, slots=True)
class Features:
    """What texts are told by, each as (texts, buckets); those of the scope by family."""

    of_intent: csr_matrix
    of_scope: tuple[csr_matrix, ...]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Features:
        """Return the features of `texts`."""
        families = zip(*(hashed_for_scope(text, BUCKETS) for text in texts), strict=True)
        return cls(matrix([hashed(text, BUCKETS) for text in texts]), tuple(map(matrix, families)))

    def only(self, kept: Any) -> Features:
        """Return those of the texts that are kept."""
        return Features(self.of_intent[kept], tuple(family[kept] for family in self.of_scope))

    @staticmethod
    def joined(parts: Sequence[Features]) -> Features:
        """Return the features of all parts' texts, in their order."""
        families = zip(*(each.of_scope for each in parts), strict=True)
        return Features(
            vstack([each.of_intent for each in parts]).tocsr(),
            tuple(vstack(family).tocsr() for family in families),
        )


@dataclass(frozen=True, slots=True)
class Lessons:
    """What is learned from: texts by their features, labels and weights."""

    features: Features
    labels: Any
    weights: Any

    def only(self, kept: Any) -> Lessons:
        """Return the lessons that are kept."""
        return Lessons(self.features.only(kept), self.labels[kept], self.weights[kept])

    @staticmethod
    def joined(parts: Sequence[Lessons]) -> Lessons:
        """Return the lessons of all parts, in their order."""
        return Lessons(
            Features.joined([each.features for each in parts]),
            np.concatenate([each.labels for each in parts]),
            np.concatenate([each.weights for each in parts]),
        )


def _lessons(texts: list[str], labels: Any, weight: Any, *, asked_plainly: bool) -> Lessons:
    weights = np.broadcast_to(weight, len(texts))
    features = Features.of([text[:READ_LENGTH] for text in texts])
    if not asked_plainly:
        return Lessons(features, labels, weights)
    plain = Features.of([plain_form(text[:READ_LENGTH]) for text in texts])
    said = Lessons(features, labels, weights)
    return Lessons.joined([said, Lessons(plain, labels, weights * PLAIN_WEIGHT)])


def _lessons_of_rows(texts: list[str], labels: Any, honest: Any, known: Any) -> Lessons:
    weights = np.where(honest[known], HONEST_WEIGHT, 1.0)
    return _lessons([texts[at] for at in known], labels[known], weights, asked_plainly=True)


def read_questions(path: Path) -> tuple[list[str], Any]:
    r"""Return the texts and labels of questions of our own; `\n` in a text stands for a line break."""
    lines = path.read_text(encoding="utf-8").splitlines()
    pairs = [line.split("\t") for line in lines]
    texts = [text.replace("\\n", "\n") for _, text in pairs]
    return texts, np.array([LABELS.index(label) for label, _ in pairs])


def read_commit_titles() -> tuple[list[str], list[str], Any, Any]:
    """Return the repositories, titles, labels and weights of the training set's commits that have a label."""
    lines = READ_TITLES.read_text(encoding="utf-8").splitlines()
    read = {commit: label for label, commit in (line.split("\t") for line in lines)}
    tasks = [
        task
        for task in training_tasks()
        if task["intent_split"] == "train" and (task["id"] in read or _has_cue(task))
    ]
    return (
        [task["repo"] for task in tasks],
        [task["title"] for task in tasks],
        np.array([LABELS.index(read.get(task["id"]) or task["intent"]) for task in tasks]),
        np.array([READ_WEIGHT if task["id"] in read else CUE_WEIGHT for task in tasks]),
    )


def _has_cue(task: dict[str, Any]) -> bool:
    return bool(task["intent"]) and task["intent_rule"].startswith("title")


def read_train_rows() -> list[dict[str, Any]]:
    """Return the train rows of the intents set; no other row is kept."""
    path = Path(os.environ.get("HINDSIGHT_BENCH", "../shared/bench")) / "intents.jsonl"
    with path.open(encoding="utf-8") as lines:
        return [row for row in map(json.loads, lines) if row["split"] == "train"]


def plain_form(text: str) -> str:
    """Return `text` without the marks that tell its form."""
    return text.rstrip("?.! ").lower()


def matrix(vectors: Sequence[dict[int, float]]) -> csr_matrix:
    """Return vectors by bucket as (vectors, buckets)."""
    starts, columns, values = [0], [], []
    for vector in vectors:
        columns.extend(vector)
        values.extend(vector.values())
        starts.append(len(columns))
    return csr_matrix((values, columns, starts), shape=(len(vectors), BUCKETS))


def fold_of_rows(rows: list[dict[str, Any]]) -> np.ndarray[Any, Any]:
    """Return a fold per row: whole repositories; rows written for the set, which have none, go round."""
    groups = [row["repo"] or f"written {at % FOLDS}" for at, row in enumerate(rows)]
    names = sorted(set(groups))
    np.random.RandomState(0).shuffle(names)
    place = {name: at % FOLDS for at, name in enumerate(names)}
    return np.array([place[group] for group in groups])


@dataclass(frozen=True, slots=True)
class Fitted:
    """A linear model: weights as (choices, buckets) and a bias a choice."""

    weights: Any
    bias: Any

    def sums(self, features: csr_matrix) -> Any:
        """Return the sum of each choice for each text."""
        return features @ self.weights.T + self.bias


def fit(lessons: list[Lessons], of_scope_only: Lessons) -> tuple[Fitted, Fitted]:
    """Return the regression of the labels on `lessons`, and that of the scope on all that explore.

    The latter is the mean of one a family of features.
    """
    told = Lessons.joined(lessons)
    exploring = Lessons.joined([told.only(told.labels >= EXPLORING), of_scope_only])
    families = [
        _regression(features, exploring.labels, exploring.weights, inverse_penalty)
        for features, inverse_penalty in zip(
            exploring.features.of_scope, SCOPE_PENALTIES, strict=True
        )
    ]
    return (
        _regression(told.features.of_intent, told.labels, told.weights, INVERSE_PENALTY),
        Fitted(
            np.mean([each.weights for each in families], axis=0),
            np.mean([each.bias for each in families], axis=0),
        ),
    )


def _regression(features: csr_matrix, labels: Any, weights: Any, inverse_penalty: float) -> Fitted:
    model = LogisticRegression(C=inverse_penalty, max_iter=1_000)
    model.fit(features, labels, sample_weight=weights)
    return Fitted(model.coef_, model.intercept_)


def intent_shares(sums: Any) -> Any:
    """Return the probabilities of the three intents, given the sums of the four labels."""
    shares = softmax(sums, axis=1)
    return np.column_stack([shares[:, :EXPLORING], shares[:, EXPLORING:].sum(axis=1)])


def scope_shares(sums: Any) -> Any:
    """Return the probabilities of broad and deep, given their sums."""
    return softmax(sums, axis=1)


def best_temperature(sums: Any, choices: Any, shares: Callable[[Any], Any]) -> float:
    """Return the temperature with the least log loss on the held-out sums."""

    def loss(temperature: float) -> float:
        chosen = shares(sums / temperature)[np.arange(len(choices)), choices]
        return float(-np.log(chosen).mean())

    return float(minimize_scalar(loss, bounds=(0.1, 10.0), method="bounded").x)


def report(shares: Any, scopes: Any, labels: Any, honest: Any) -> None:
    """Print held-out accuracy for four labels and for three, of all rows and of the honest ones."""
    given = shares.argmax(axis=1)
    three = given == np.minimum(labels, EXPLORING)
    four = np.where(given < EXPLORING, given, EXPLORING + scopes.argmax(axis=1)) == labels
    for name, rows in (("all", np.ones_like(honest)), ("honest", honest)):
        print(
            f"{name:7} rows={rows.sum()} four={four[rows].mean():.3f} three={three[rows].mean():.3f}"
        )
    confidence = shares.max(axis=1)
    for low in np.arange(0.3, 1.0, 0.1):
        bin_ = (confidence >= low) & (confidence < low + 0.1)
        if bin_.any():
            print(
                f"stated {low:.1f}-{low + 0.1:.1f} rows={bin_.sum()} right={three[bin_].mean():.3f}"
            )


def write(
    output: Path,
    models: tuple[Fitted, Fitted],
    temperatures: tuple[float, float],
) -> None:
    """Write the weights, each as one signed byte, with what inference needs to read them."""
    intent, scope = map(_as_data, models, temperatures)
    data = {
        "made_by": "benchmarks/train/intent.py",
        "buckets": BUCKETS,
        "intent": intent,
        "scope": scope,
    }
    output.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def _as_data(model: Fitted, temperature: float) -> dict[str, Any]:
    scale = float(np.abs(model.weights).max()) / 127
    quantised = np.rint(model.weights / scale).astype(np.int8)
    return {
        "temperature": round(temperature, 4),
        "scale": scale,
        "bias": [round(float(value), 6) for value in model.bias],
        "weights": [b64encode(row.tobytes()).decode() for row in quantised],
    }


if __name__ == "__main__":
    main()
