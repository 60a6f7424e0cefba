"""What is each part of retrieval worth? 91 real issues and 128 questions, under every condition of `hindsight eval`.

    python -m benchmarks.ladder                          # everything: tables, charts, predictions
    python -m benchmarks.ladder --condition bm25 --condition ours --only msal==1.15.0
    python -m benchmarks.ladder --dense                  # with vectors too: 45 CPU-minutes more, the first time

The corpora are those of `localize`, ingested into the cache. The tables and charts go to docs/benchmarks/, those of the packed
context (`benchmarks.context`) among them. Each condition's predictions are kept in the cache, so that two of them can be
compared row by row by `score_locate.py --against`; what keyword search alone predicts stays with the results, as the floor.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import context
from benchmarks.corpora import Corpus, localization_corpora
from benchmarks.localize import TASK_SETS, TaskSet, ingest, tasks_of
from benchmarks.measuring import (
    CHECKOUT,
    RESULTS,
    BenchmarkError,
    cache_folder,
    load_average,
    write_result,
)
from hindsight_neo4j import Hindsight
from hindsight_neo4j.evaluation import (
    CONDITIONS,
    Condition,
    Outcome,
    need_vectors,
    report,
    write_charts,
)
from hindsight_neo4j.evaluation.report import FLOOR
from hindsight_neo4j.evaluation.summary import by_condition, means
from hindsight_neo4j.evaluation.task import task_of

PAGES = CHECKOUT / "docs" / "benchmarks"

KEPT_PLACES = 20
"""Places of each grain that are kept of the floor; figures look at ten, after places in one function are made one."""


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
        index, _ = ingest(corpus, fresh=fresh, dense=need_vectors(conditions))
        with Hindsight.open(index=index) as client:
            for task_set, tasks in rows.items():
                mine = [task_of(row) for row in tasks_of(corpus, tasks)]
                outcomes[task_set] += client.evaluate(mine, conditions)
        print(corpus.pin, file=sys.stderr, flush=True)
    return {task_set: found for task_set, found in outcomes.items() if found}


def keep_floor(name: str, outcomes: Sequence[Outcome]) -> None:
    """Write the first places that keyword search predicts beside the results, in the order of the tasks."""
    lines = [
        json.dumps({"id": each.task.id, **_first_places(each)}, ensure_ascii=False)
        for each in by_condition(outcomes).get(FLOOR, ())
    ]
    RESULTS.mkdir(parents=True, exist_ok=True)
    file = RESULTS / f"{name}-{FLOOR}.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _first_places(outcome: Outcome) -> dict[str, list[dict[str, str]]]:
    located = outcome.located
    rankings = {
        "files": located.files,
        "modules": located.modules,
        "functions": located.functions,
    }
    return {
        grain: [{"id": each.id} for each in ranking[:KEPT_PLACES]]
        for grain, ranking in rankings.items()
    }


def keep_predictions(name: str, outcomes: Sequence[Outcome]) -> None:
    """Write what each condition predicted to the cache, in the order of the tasks."""
    folder = cache_folder() / "predictions"
    folder.mkdir(parents=True, exist_ok=True)
    for condition, mine in by_condition(outcomes).items():
        lines = [
            json.dumps({"id": each.task.id, **each.located.to_dict()}, ensure_ascii=False)
            for each in mine
        ]
        file = folder / f"{name}-{condition.replace(' ', '-')}.jsonl"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return the means by condition, for the result file."""
    return {name: means(mine) for name, mine in by_condition(outcomes).items()}


def write_page(name: str, tables: str, charts: Sequence[Path]) -> Path:
    """Write the tables of a task set with its charts below them."""
    PAGES.mkdir(exist_ok=True)
    shown = "\n".join(f"![{each.stem}]({each.parent.name}/{each.name})" for each in charts)
    page = PAGES / f"{name}.md"
    page.write_text(
        f"# {name.capitalize()}: every condition\n\nMade by `python -m benchmarks.ladder`. {SAID[name]}\n\n"
        f"{tables.strip()}\n\n{shown}\n",
        encoding="utf-8",
    )
    return page


SAID = {
    "localization": "A task counts at k when the first k places hold all its gold places.",
    "questions": "A question counts at k when the first k places hold all its gold places.",
    "context": "Shares over all questions; what each measure is: `benchmarks/context.py`.",
}


def main() -> int:
    """Run the conditions, write tables, charts and results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", action="append", default=[], metavar="NAME==VERSION")
    parser.add_argument("--tasks", action="append", choices=[each.name for each in TASK_SETS])
    parser.add_argument("--condition", action="append", default=[], choices=list(CONDITIONS))
    parser.add_argument("--dense", action="store_true", help="the conditions with vectors, too")
    parser.add_argument("--fresh", action="store_true", help="ingest every corpus from nothing")
    options = parser.parse_args()
    whole = not (options.only or options.tasks or options.condition)
    corpora = [
        corpus
        for corpus in localization_corpora()
        if not options.only or corpus.pin in options.only
    ]
    sets = [each for each in TASK_SETS if each.name in (options.tasks or [each.name])]
    names = options.condition or [
        each.name for each in CONDITIONS.values() if options.dense or not each.needs_vectors
    ]
    conditions = [CONDITIONS[name] for name in names]
    load = load_average()
    try:
        by_set = run(corpora, sets, conditions, fresh=options.fresh)
        contexts = context.run() if whole else {}
    except BenchmarkError as error:
        print(error, file=sys.stderr)
        return 1
    for task_set, outcomes in by_set.items():
        keep_predictions(task_set.name, outcomes)
        print(report(outcomes))
        if whole:
            keep_floor(task_set.name, outcomes)
            write_page(
                task_set.name, report(outcomes), write_charts(outcomes, PAGES / task_set.name)
            )
    if whole:
        print(context.report(contexts))
        write_page("context", context.report(contexts), context.draw(contexts))
    write_result(
        "ladder" if whole else "ladder-part",
        data_pin={corpus.sdist: corpus.sha256 for corpus in corpora},
        load_before=load,
        figures={
            **{task_set.name: figures(outcomes) for task_set, outcomes in by_set.items()},
            "context": {name: scored["all"] for name, scored in contexts.items()},
        },
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
