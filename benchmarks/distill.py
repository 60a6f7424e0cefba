"""A training set from the offline teacher: commits of packages that nothing is measured with, run, sieved and exported.

    python -m benchmarks.distill --output training                 # all corpora that are ingested
    python -m benchmarks.distill --output training --only lark==1.2.1 --only httpx==0.24.0

Takes the corpora of `benchmarks.train.prepare`. The measured sets (`localization.jsonl`, `qa.jsonl`) are given to the sieve.
The ranking was learned from the same commits, so the share kept says nothing of how well it does on others.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.corpora import Corpus, training_corpora
from benchmarks.localize import tasks_of
from benchmarks.measuring import (
    bench_data,
    json_lines,
    load_average,
    markdown_table,
    run_measured,
    tool,
    write_result,
)
from benchmarks.train.prepare import index_of

NOTHING_KEPT: Final = 1
"""How `hindsight distill traces` ends where no run found its places."""


def teach(corpus: Corpus, tasks: Sequence[dict[str, Any]], folder: Path) -> str:
    """Write the lessons of a corpus into `folder` and return what the command said of them.

    What a run before has finished is left as it is.
    """
    file = folder / f"{corpus.package}-{corpus.version}.tasks"
    finished = file.with_suffix(".said")
    if finished.exists():
        return finished.read_text(encoding="utf-8")
    file.write_text("".join(json.dumps(task) + "\n" for task in tasks), encoding="utf-8")
    command = (tool("hindsight"), "distill", "traces", file, "--index", index_of(corpus))
    ran = run_measured(command, check=False, sample=False)
    said = ran.stderr.strip().splitlines()[-1] if ran.stderr.strip() else ""
    if ran.exit_code in (0, NOTHING_KEPT):
        file.with_suffix(".jsonl").write_text(ran.stdout, encoding="utf-8")
        finished.write_text(said, encoding="utf-8")
    return said


def counts_of(said: str) -> Counter[str]:
    """Read "3 tasks: 1 files not found, 2 kept".

    >>> counts_of("3 tasks: 1 files not found, 2 kept")
    Counter({'kept': 2, 'files not found': 1})
    """
    parts = said.partition(": ")[2].split(", ")
    return Counter(
        {why: int(number) for number, _, why in (part.partition(" ") for part in parts) if why}
    )


def main() -> int:
    """Teach, export, and print what was left out and why."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, required=True, help="the folder of the training set")
    parser.add_argument("--only", action="append", metavar="NAME==VERSION", help="only this corpus")
    chosen = parser.parse_args()
    lessons: Path = chosen.output / "lessons"
    load = load_average()
    lessons.mkdir(parents=True, exist_ok=True)
    packed = (bench_data() / "train.jsonl.gz").read_bytes()
    rows = json_lines(gzip.decompress(packed).decode("utf-8"))
    ran: Counter[str] = Counter()
    corpora = [
        corpus
        for corpus in training_corpora()
        if index_of(corpus).is_dir() and (not chosen.only or corpus.pin in chosen.only)
    ]
    for corpus in corpora:
        said = teach(corpus, tasks_of(corpus, rows), lessons)
        print(f"{corpus.pin}: {said}", file=sys.stderr, flush=True)
        ran += counts_of(said)
    measured = [bench_data() / name for name in ("localization.jsonl", "qa.jsonl")]
    evaluation = [word for file in measured for word in ("--evaluation", file)]
    command = (tool("hindsight"), "distill", "export", *sorted(lessons.glob("*.jsonl")),
               "--output", chosen.output, *evaluation, "--json")  # fmt: skip
    done = json.loads(run_measured(command, sample=False).stdout)
    write_result(
        "distill",
        data_pin=[corpus.pin for corpus in corpora],
        load_before=load,
        figures={"runs": dict(ran), "export": done},
    )
    table = [(why, number) for why, number in (*ran.items(), *done["left_out"].items())]
    table += [("for training", done["train"]), ("for validation", done["validation"])]
    print(markdown_table(("runs and lessons", "number"), table))
    return 0


if __name__ == "__main__":
    sys.exit(main())
