"""Rankings, question by question, against the stored ones, so that a change of ranking shows as a readable diff.

`HINDSIGHT_UPDATE_GOLDENS=1 pytest tests/golden` writes them anew; then read the diff.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from lightglue_repository import CONDITION, MODEL, QUESTION, TEST, write_repository

from hindsight_neo4j import Hindsight
from hindsight_neo4j.model.question import Located

GOLDEN = Path(__file__).with_name("rankings.txt")
SHOWN = 5
ASKED = (
    (QUESTION, CONDITION),
    (QUESTION, MODEL),
    ("What breaks if I change device_ready?", TEST),
    ("How does LightGlue pair descriptors that look alike?", MODEL),
    ("Where is the oldest usable driver version decided, and who asks for it?", CONDITION),
    ("video_in_batches drops the last group", "vision/video.py"),
    ("Add a size limit to tiles_in_batches in vision/tiles.py", "vision/tiles.py"),
    (
        'Traceback (most recent call last):\n  File "/srv/vision/lightglue_model.py", line 15, in match\n'
        "ValueError: 3 is not in list",
        MODEL,
    ),
    ("matches are not sorted", MODEL),
    ("attention", MODEL),
)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hindsight]:
    root = write_repository(tmp_path_factory.mktemp("lightglue"))
    with Hindsight.of_repository(root) as hindsight:
        hindsight.ingest()
        yield hindsight


def test_rankings_are_those_that_were_stored(index: Hindsight) -> None:
    text = _report(index)
    if os.environ.get("HINDSIGHT_UPDATE_GOLDENS"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def _report(index: Hindsight) -> str:
    ranks, blocks = [], []
    for question, wanted in ASKED:
        located = index.locate(question)
        files = [file.id for file in located.files]
        ranks.append(files.index(wanted) + 1 if wanted in files else 0)
        blocks.append(_block(located, wanted, ranks[-1]))
    return "\n".join([_stats(ranks), *blocks])


def _stats(ranks: list[int]) -> str:
    def within(k: int) -> float:
        return sum(0 < rank <= k for rank in ranks) / len(ranks)

    mean = sum(1 / rank for rank in ranks if rank) / len(ranks)
    return f"Acc@1 {within(1):.3f}  Acc@5 {within(5):.3f}  MRR {mean:.3f}  questions {len(ranks)}\n"


def _block(located: Located, wanted: str, rank: int) -> str:
    lines = [
        f"question  {located.question.splitlines()[-1]}",
        f"policy    {located.policy}",
        f"wanted    {wanted} at {rank or 'no rank'}",
        *(f"file      {one.id} | {one.reason}" for one in located.files[:SHOWN]),
        *(f"function  {one.id}" for one in located.functions[:SHOWN]),
    ]
    return "\n".join(lines) + "\n"
