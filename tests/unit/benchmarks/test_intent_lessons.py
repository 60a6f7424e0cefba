"""The lessons of our own are sound: known labels, nothing said twice, all four labels in fair number."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import benchmarks.train
from hindsight_neo4j.retrieval.classify import LABELS

FOLDER = Path(benchmarks.train.__file__ or "").parent


def _pairs(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


def test_every_question_has_one_known_label_and_is_asked_once() -> None:
    pairs, scopes = _pairs("questions.tsv"), _pairs("scopes.tsv")
    assert {len(pair) for pair in pairs + scopes} == {2}
    asked = Counter(text for _, text in pairs + scopes)
    assert [text for text, count in asked.items() if count > 1] == []
    counts = Counter(label for label, _ in pairs)
    assert set(counts) == set(LABELS)
    assert min(counts.values()) > len(pairs) / 6
    broad, deep = (sum(label == each for label, _ in scopes) for each in LABELS[2:])
    assert broad + deep == len(scopes)
    assert abs(broad - deep) < len(scopes) / 20


def test_every_title_that_was_read_is_one_commit_with_an_intent() -> None:
    pairs = _pairs("titles.tsv")
    assert {label for label, _ in pairs} == {"leading", "lagging"}
    assert len({commit for _, commit in pairs}) == len(pairs)
