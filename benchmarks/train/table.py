"""Build the feature table: for every task of the training set its candidates and their features, cached by corpus.

    python -m benchmarks.train.table             # after benchmarks.train.prepare; continues where it stopped
    python -m benchmarks.train.table --fresh

A corpus's part is built again when the names of the columns or the index have changed; after a change of what a column
means, say `--fresh`. The features are those that `locate` computes:
this runs the stages of retrieval up to the ranking, on the task as it is and on its shifted form (`shift`).
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from benchmarks.corpora import Corpus, training_corpora
from benchmarks.measuring import bench_data, cache_folder, json_lines
from benchmarks.train.prepare import index_of
from benchmarks.train.shift import shifted
from hindsight_neo4j import Hindsight
from hindsight_neo4j.errors import StoreError
from hindsight_neo4j.retrieval.expand import expand
from hindsight_neo4j.retrieval.features import NAMES, Table, tabulate
from hindsight_neo4j.retrieval.inside import look_inside
from hindsight_neo4j.retrieval.pipeline import intent_stage, split_stage
from hindsight_neo4j.retrieval.seed import seed
from hindsight_neo4j.retrieval.state import AskOptions, RetrievalState, Sources

Task: TypeAlias = dict[str, Any]

FORMS = ("as it is", "shifted")


@dataclass(frozen=True, slots=True)
class Example:
    """One text of one task: its candidates' ids, and their features (candidates, columns)."""

    task: Task
    form: str
    ids: tuple[str, ...]
    rows: npt.NDArray[np.float32]


def training_tasks() -> list[Task]:
    """Return the commits of the training set, in their order."""
    with gzip.open(bench_data() / "train.jsonl.gz", "rt", encoding="utf-8") as lines:
        return json_lines(lines.read())


def texts_of(task: Task, sources: Sources, tasks: Sequence[Task]) -> dict[str, str]:
    """Return the task's text in each of `FORMS`; the same ones every time."""
    chance = random.Random(task["id"])
    foreign = [
        other["question"] for other in chance.sample(tasks, 8) if other["repo"] != task["repo"]
    ]
    return {FORMS[0]: task["question"], FORMS[1]: shifted(task, sources, foreign, chance)}


def tabulated(question: str, sources: Sources) -> Table:
    """Return what the ranking would be given for a question."""
    state = RetrievalState(question, sources, AskOptions())
    for stage in (split_stage, intent_stage, seed, expand, look_inside):
        state = stage(state)
    return tabulate(state)


def build(corpus: Corpus, tasks: Sequence[Task], everything: Sequence[Task]) -> Iterator[Example]:
    """Yield the examples of a corpus's tasks."""
    with Hindsight.open(index=index_of(corpus)) as client:
        sources = client._sources()
        for task in tasks:
            for form, text in texts_of(task, sources, everything).items():
                table = tabulated(text, sources)
                ids = tuple(place.id for place in table.places)
                if ids:
                    yield Example(task, form, ids, table.rows)


def part_of(corpus: Corpus) -> Path:
    """Return where the corpus's part of the table is, named by all that it depends on."""
    index = index_of(corpus)
    made = sorted((path.name, path.stat().st_mtime_ns) for path in index.glob("*"))
    digest = hashlib.blake2b(repr((NAMES, made)).encode(), digest_size=8).hexdigest()
    return cache_folder() / "table" / f"{corpus.package}-{corpus.version}-{digest}.npz"


def write(part: Path, examples: Sequence[Example]) -> None:
    """Write a part, whole or not at all; any older one of the corpus goes."""
    part.parent.mkdir(parents=True, exist_ok=True)
    for old in part.parent.glob(f"{part.name.rpartition('-')[0]}-*.npz"):
        old.unlink()
    said = [{"task": each.task["id"], "form": each.form, "ids": each.ids} for each in examples]
    draft = part.with_suffix(".draft")
    with draft.open("wb") as file:
        np.savez(
            file,
            rows=np.concatenate([each.rows for each in examples]).astype(np.float16),
            examples=np.frombuffer(json.dumps(said).encode(), np.uint8),
        )
    draft.replace(part)


def read_table() -> list[Example]:
    """Return the examples of every corpus that has a part."""
    tasks = {task["id"]: task for task in training_tasks()}
    found = []
    parts = [part_of(corpus) for corpus in training_corpora()]
    for part in filter(Path.exists, parts):
        with np.load(part) as data:
            rows = data["rows"].astype(np.float32)
            said = json.loads(data["examples"].tobytes())
        at = 0
        for each in said:
            end = at + len(each["ids"])
            found.append(
                Example(tasks[each["task"]], each["form"], tuple(each["ids"]), rows[at:end])
            )
            at = end
    return found


def main() -> int:
    """Build what is missing and say what it cost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--fresh", action="store_true", help="build every part again")
    fresh = parser.parse_args().fresh
    everything = training_tasks()
    began, built, without = time.process_time(), 0, []
    for corpus in training_corpora():
        mine = [
            task
            for task in everything
            if (task["corpus"]["pypi"], task["corpus"]["version"])
            == (corpus.package, corpus.version)
        ]
        part = part_of(corpus)
        if not mine or (part.exists() and not fresh):
            continue
        try:
            examples = list(build(corpus, mine, everything))
        except StoreError as error:
            without.append(f"{corpus.pin}: {error}")
            continue
        write(part, examples)
        built += len(examples)
        print(f"{corpus.pin}: {len(examples)} texts", file=sys.stderr, flush=True)
    print(f"{built} texts, {time.process_time() - began:.0f} CPU s")
    print("\n".join(without), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
