"""What is each part of retrieval worth? 91 real issues and 128 questions, under every condition of `hindsight eval`.

    python -m benchmarks.ladder                          # everything: tables, charts, predictions
    python -m benchmarks.ladder --condition bm25 --condition ours --only msal==1.15.0

The corpora are those of `localize`, ingested into the cache. The tables go to docs/benchmarks/, with charts where matplotlib
is installed; each condition's predictions are kept in the cache, so that two of them can be compared row by row by
`score_locate.py --against`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.corpora import Corpus, localization_corpora
from benchmarks.localize import TASK_SETS, TaskSet, ingest, tasks_of
from benchmarks.measuring import CHECKOUT, BenchmarkError, cache_folder, load_average, write_result
from hindsight_neo4j import Hindsight
from hindsight_neo4j.evaluation import CONDITIONS, Condition, Outcome, report, write_charts
from hindsight_neo4j.evaluation.summary import means
from hindsight_neo4j.evaluation.task import task_of

PAGES = CHECKOUT / "docs" / "benchmarks"


def run(
    corpora: Sequence[Corpus],
    sets: Sequence[TaskSet],
    conditions: Sequence[Condition],
    *,
    fresh: bool,
) -> dict[TaskSet, list[Outcome]]:
    """Return the outcomes of every task set, corpus by corpus."""
    rows = {task_set: task_set.tasks() for task_set in sets}
    outcomes: dict[TaskSet, list[Outcome]] = {task_set: [] for task_set in sets}
    for corpus in corpora:
        if not any(tasks_of(corpus, tasks) for tasks in rows.values()):
            continue
        index, _ = ingest(corpus, fresh=fresh)
        with Hindsight.open(index=index) as client:
            for task_set, tasks in rows.items():
                mine = [task_of(row) for row in tasks_of(corpus, tasks)]
                outcomes[task_set] += client.evaluate(mine, conditions)
        print(corpus.pin, file=sys.stderr, flush=True)
    return {task_set: found for task_set, found in outcomes.items() if found}


def keep_predictions(name: str, outcomes: Sequence[Outcome]) -> None:
    """Write what each condition predicted to the cache, in the order of the tasks."""
    folder = cache_folder() / "predictions"
    folder.mkdir(parents=True, exist_ok=True)
    for condition in dict.fromkeys(each.condition for each in outcomes):
        lines = [
            json.dumps({"id": each.task.id, **each.located.to_dict()}, ensure_ascii=False)
            for each in outcomes
            if each.condition == condition
        ]
        file = folder / f"{name}-{condition.replace(' ', '-')}.jsonl"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return the means by condition, for the result file."""
    names = dict.fromkeys(each.condition for each in outcomes)
    return {name: means(each for each in outcomes if each.condition == name) for name in names}


def write_page(task_set: TaskSet, outcomes: Sequence[Outcome], *, charts: bool) -> Path:
    """Write the tables of a task set, and draw its charts beside them."""
    PAGES.mkdir(exist_ok=True)
    drawn = write_charts(outcomes, PAGES / task_set.name) if charts else []
    shown = "\n".join(f"![{each.stem}]({task_set.name}/{each.name})" for each in drawn)
    page = PAGES / f"{task_set.name}.md"
    page.write_text(
        f"# {task_set.name.capitalize()}: every condition\n\n"
        f"Made by `python -m benchmarks.ladder`; a task counts when the first k places hold all its gold places.\n\n"
        f"{report(outcomes)}\n{shown}\n",
        encoding="utf-8",
    )
    return page


def main() -> int:
    """Run the conditions, write tables and results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", action="append", default=[], metavar="NAME==VERSION")
    parser.add_argument("--tasks", action="append", choices=[each.name for each in TASK_SETS])
    parser.add_argument("--condition", action="append", default=[], choices=list(CONDITIONS))
    parser.add_argument("--fresh", action="store_true", help="ingest every corpus from nothing")
    parser.add_argument("--no-charts", action="store_true", help="tables alone")
    options = parser.parse_args()
    corpora = [
        corpus
        for corpus in localization_corpora()
        if not options.only or corpus.pin in options.only
    ]
    sets = [each for each in TASK_SETS if each.name in (options.tasks or [each.name])]
    conditions = [CONDITIONS[name] for name in options.condition or CONDITIONS]
    load = load_average()
    try:
        by_set = run(corpora, sets, conditions, fresh=options.fresh)
    except BenchmarkError as error:
        print(error, file=sys.stderr)
        return 1
    for task_set, outcomes in by_set.items():
        keep_predictions(task_set.name, outcomes)
        print(report(outcomes))
        if not options.only and not options.condition:
            print(write_page(task_set, outcomes, charts=not options.no_charts), file=sys.stderr)
    name = "ladder" if not options.only and not options.condition else "ladder-part"
    write_result(
        f"{name}-{options.tasks[0]}" if options.tasks else name,
        data_pin={corpus.sdist: corpus.sha256 for corpus in corpora},
        load_before=load,
        figures={task_set.name: figures(outcomes) for task_set, outcomes in by_set.items()},
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
