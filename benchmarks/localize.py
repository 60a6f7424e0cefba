"""Does `locate` put the places of the real fix first? 23 real packages, 91 real issues, by policy.

    python benchmarks/localize.py                          # every corpus, every policy
    python benchmarks/localize.py --only msal==1.15.0 --policy bm25 --policy default

Fetches each corpus, ingests it into the cache (again only when it changed: `--fresh` starts over), runs
`hindsight locate --batch` over its tasks and scores the predictions with `score_locate.py` of the benchmark data
(`HINDSIGHT_BENCH`). The tool is given each task's id and text, nothing else.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks.corpora import Corpus, fetch, localization_corpora
from benchmarks.measuring import (
    BenchmarkError,
    bench_data,
    cache_folder,
    json_lines,
    load_average,
    markdown_table,
    run_measured,
    tool,
    write_result,
)

Task: TypeAlias = dict[str, Any]

POLICIES = ("bm25", "article", "default")

METRICS = (
    ("file@1", "file locagent@1"),
    ("file@3", "file locagent@3"),
    ("file@5", "file locagent@5"),
    ("module@5", "module locagent@5"),
    ("module@10", "module locagent@10"),
    ("function@5", "function locagent@5"),
    ("function@10", "function locagent@10"),
)
"""Column title and the scorer's name. LocAgent's rule: the first k hold min(k, number of gold items) gold items."""

PARTS = (
    ("all", "all", ""),
    ("hint", "hint", "True"),
    ("no hint", "hint", "False"),
    ("leading", "intent", "leading"),
    ("lagging", "intent", "lagging"),
)
"""Row title, and the scorer's split and value."""


@dataclass(frozen=True, slots=True)
class TaskSet:
    """A file of tasks with their gold places."""

    name: str
    file: str

    def tasks(self) -> list[Task]:
        """Return all its tasks, in their order."""
        return json_lines((bench_data() / self.file).read_text(encoding="utf-8"))


TASK_SETS = (TaskSet("localization", "localization.jsonl"), TaskSet("questions", "qa.jsonl"))


def tasks_of(corpus: Corpus, tasks: Iterable[Task]) -> list[Task]:
    """Return the tasks that are asked against a corpus."""
    return [
        task
        for task in tasks
        if (task["corpus"]["pypi"], task["corpus"]["version"]) == (corpus.package, corpus.version)
    ]


def batch_line(task: Task) -> str:
    """Return what the tool is given of a task: its id and its text."""
    return json.dumps({"id": task["id"], "question": task["question"]}, ensure_ascii=False)


def ingest(corpus: Corpus, *, fresh: bool, dense: bool = False) -> tuple[Path, float]:
    """Bring the corpus's index up to date, with vectors if `dense`, and return its folder and the seconds it took."""
    index = cache_folder() / "indexes" / f"{corpus.package}-{corpus.version}"
    if fresh:
        shutil.rmtree(index, ignore_errors=True)
    index.parent.mkdir(parents=True, exist_ok=True)
    command = [tool("hindsight-ingest"), fetch(corpus), "--index", index, "--workers", "2"]
    command += ["--dense"] if dense else []
    return index, run_measured(command).wall_s


def locate(index: Path, tasks: Sequence[Task], policy: str) -> list[Task]:
    """Return the predictions for tasks, one a task in their order.

    Raises:
        BenchmarkError: The command failed, or a prediction is missing.
    """
    batch = index.parent / f"{index.name}.batch.jsonl"
    batch.write_text("".join(batch_line(task) + "\n" for task in tasks), encoding="utf-8")
    command = (tool("hindsight"), "locate", "--index", index, "--policy", policy, "--json",
               "--batch", batch)  # fmt: skip
    found = json_lines(run_measured(command).stdout)
    if [prediction["id"] for prediction in found] != [task["id"] for task in tasks]:
        raise BenchmarkError(f"{index.name}: {len(tasks)} tasks, {len(found)} predictions")
    return found


def score(gold: Sequence[Task], predictions: Path, against: Path | None = None) -> dict[str, Any]:
    """Score predictions with the benchmark data's own scorer, beside another prediction file when given."""
    gold_file = predictions.with_suffix(".gold.jsonl")
    gold_file.write_text("".join(json.dumps(task) + "\n" for task in gold), encoding="utf-8")
    scorer = bench_data() / "tools" / "score_locate.py"
    command: list[str | Path] = [
        sys.executable,
        scorer,
        "--json",
        "--gold",
        gold_file,
        "--pred",
        predictions,
    ]
    if against:
        command += ["--against", against]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchmarkError(f"score_locate.py: {done.stderr.strip()[-1500:]}")
    scored: dict[str, Any] = json.loads(done.stdout)
    return scored


def part_scores(scored: Mapping[str, Any]) -> Iterator[tuple[str, int, Mapping[str, float]]]:
    """Yield title, number of rows and metrics of each of `PARTS` that the scored rows have."""
    for title, split, value in PARTS:
        if split == "all":
            yield title, scored["rows"], scored["all"]
        for block in scored["splits"]:
            if (block["split"], block["value"]) == (split, value):
                yield title, block["rows"], block


def score_rows(policy: str, scored: Mapping[str, Any]) -> list[tuple[object, ...]]:
    """Return table rows: policy, part with its size, and the metrics."""
    return [
        (policy, f"{title} ({rows})", *(values.get(metric) for _, metric in METRICS))
        for title, rows, values in part_scores(scored)
    ]


def comparison_rows(policy: str, scored: Mapping[str, Any]) -> list[tuple[object, ...]]:
    """Return table rows of a paired comparison: metric, difference, its 95 % interval, rows won and lost."""
    by_name = {entry["metric"]: entry for entry in scored.get("comparison", ())}
    return [
        (
            policy,
            title,
            *(by_name[metric][key] for key in ("difference", "low95", "high95", "won", "lost")),
        )
        for title, metric in METRICS
        if metric in by_name
    ]


def run(corpora: Sequence[Corpus], policies: Sequence[str], *, fresh: bool) -> dict[str, Any]:
    """Locate every task of the corpora under every policy, and score each task set."""
    sets = {task_set: task_set.tasks() for task_set in TASK_SETS}
    predictions: dict[tuple[str, str], list[Task]] = {}
    seconds: list[tuple[str, float, int, float]] = []
    for corpus in corpora:
        index, ingest_s = ingest(corpus, fresh=fresh)
        asked, began = 0, time.perf_counter()
        for task_set, tasks in sets.items():
            mine = tasks_of(corpus, tasks)
            for policy in policies if mine else ():
                found = locate(index, mine, policy)
                predictions.setdefault((task_set.name, policy), []).extend(found)
                asked += len(found)
        seconds.append((corpus.pin, ingest_s, asked, time.perf_counter() - began))
        print(f"{corpus.pin}: ingest {ingest_s:.1f} s, {asked} located", file=sys.stderr)
    scores = {
        task_set.name: _score_set(
            task_set.name,
            [task for c in corpora for task in tasks_of(c, tasks)],
            policies,
            predictions,
        )
        for task_set, tasks in sets.items()
    }
    return {"scores": scores, "seconds": seconds}


def _score_set(
    name: str,
    gold: Sequence[Task],
    policies: Sequence[str],
    predictions: Mapping[tuple[str, str], Sequence[Task]],
) -> dict[str, Any]:
    """Write the predictions of one task set to the cache and score them, each policy beside the first."""
    if not gold:
        return {}
    folder = cache_folder() / "predictions"
    folder.mkdir(parents=True, exist_ok=True)
    files = {policy: folder / f"{name}-{policy}.jsonl" for policy in policies}
    for policy, file in files.items():
        lines = (
            json.dumps(found, ensure_ascii=False) + "\n" for found in predictions[name, policy]
        )
        file.write_text("".join(lines), encoding="utf-8")
    first = files[policies[0]]
    return {
        policy: score(gold, file, against=None if file == first else first)
        for policy, file in files.items()
    }


def report(scores: Mapping[str, Mapping[str, Any]], policies: Sequence[str]) -> str:
    """Return the Markdown tables of all task sets."""
    blocks = []
    for name, by_policy in scores.items():
        if not by_policy:
            continue
        header = ("policy", "rows", *(title for title, _ in METRICS))
        rows = [row for policy in policies for row in score_rows(policy, by_policy[policy])]
        blocks.append(f"### {name}\n\n{markdown_table(header, rows)}")
        paired = [row for policy in policies for row in comparison_rows(policy, by_policy[policy])]
        if paired:
            header = (
                "policy",
                "metric",
                f"minus {policies[0]}",
                "low 95 %",
                "high 95 %",
                "won",
                "lost",
            )
            blocks.append(markdown_table(header, paired))
    return "\n\n".join(blocks)


def main() -> int:
    """Run the benchmark and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME[==VERSION]", help="repeat for several"
    )
    parser.add_argument(
        "--policy",
        action="append",
        metavar="NAME",
        help=f"repeat for several ({', '.join(POLICIES)})",
    )
    parser.add_argument("--fresh", action="store_true", help="ingest every corpus from nothing")
    options = parser.parse_args()
    policies = options.policy or list(POLICIES)
    corpora = [
        corpus
        for corpus in localization_corpora()
        if not options.only or {corpus.pin, corpus.package} & set(options.only)
    ]
    if not corpora:
        parser.error(f"no corpus is called {' or '.join(options.only)}")
    load = load_average()
    try:
        outcome = run(corpora, policies, fresh=options.fresh)
    except BenchmarkError as error:
        print(error, file=sys.stderr)
        return 1
    print(report(outcome["scores"], policies))
    times = markdown_table(("corpus", "ingest s", "located", "locate s"), outcome["seconds"])
    print(f"\n### Seconds (load {load})\n\n{times}")
    kept = write_result(
        "localize" if not options.only else "localize-part",
        data_pin={corpus.sdist: corpus.sha256 for corpus in corpora},
        load_before=load,
        figures=outcome,
    )
    print(f"written: {kept.name}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
