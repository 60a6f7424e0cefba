"""What do intents and TESTS edges bring to who asks what depends on a name? Recorded runs are the gold.

    python -m benchmarks.dependents
    python -m benchmarks.dependents --only flask --condition ours --condition "no intent"

Issues name what to change, and hardly ever ask for what depends on it; these questions do. For functions of the five recorded
packages, evenly drawn: "what breaks if I change `X`?" and "who calls `X`?", whose answer is the functions that were seen to call
it, and "which tests cover `X`?", whose answer is the tests that were seen to run it. The table goes to docs/benchmarks/.
"""

from __future__ import annotations

import argparse
import gzip
import io
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from benchmarks.calls import RECORDED, recorded_run
from benchmarks.corpora import Corpus, pinned
from benchmarks.measuring import (
    CHECKOUT,
    BenchmarkError,
    json_lines,
    load_average,
    markdown_table,
    write_result,
)
from benchmarks.train.prepare import index_of, prepare
from hindsight_neo4j import Hindsight
from hindsight_neo4j.evaluation import CONDITIONS, Condition, Outcome
from hindsight_neo4j.evaluation.task import Task, task_of
from hindsight_neo4j.model.question import Intent

PAGE = CHECKOUT / "docs" / "benchmarks" / "dependents.md"

SHOWN: Final = (
    "bm25",
    "article",
    "ours",
    "no intent",
    "random intent",
    "no graph",
    "no TESTS edges",
)
"""Conditions that differ in what they make of such a question."""

DRAWN: Final = 60
"""Functions of each package that are asked about."""

FIRST: Final = 10
"""Places that are looked at."""

QUESTIONS: Final = {
    "what breaks if I change `{}`?": ("callers", Intent.LEADING),
    "who calls `{}`?": ("callers", Intent.EXPLORATORY),
    "which tests cover `{}`?": ("tests", Intent.EXPLORATORY),
}
"""What is asked, whose answer it wants, and the intent that a reader would name."""

MEASURES: Final = {"found": f"share found in {FIRST}", "first": "1 / place of the first"}


def recorded(corpus: Corpus) -> dict[str, dict[str, set[str]]]:
    """Return what was seen of each function of the package: who called it, which tests ran it."""
    seen: dict[str, dict[str, set[str]]] = {"callers": defaultdict(set), "tests": defaultdict(set)}
    packed = recorded_run(corpus).read_bytes()
    for row in json_lines(gzip.decompress(packed).decode("utf-8")):
        if row["t"] == "edge" and row["caller"] != row["callee"]:
            seen["callers"][node(row["callee"])].add(node(row["caller"]))
        elif row["t"] == "test":
            for function in row["call"]:
                seen["tests"][node(function)].add(node(row["test"]))
    return seen


def node(recorded_id: str) -> str:
    """Return our id of a recorded function or test.

    >>> node("tests/test_a.py::TestBox::test_open")
    'tests/test_a.py:TestBox.test_open'
    """
    path, _, names = recorded_id.partition("::")
    return f"{path}:{names.replace('::', '.')}"


def questions(name: str, corpus: Corpus, known: AbstractSet[str]) -> Iterator[Task]:
    """Yield the tasks of a package; what is no node of its graph is neither asked about nor looked for."""
    seen = recorded(corpus)
    for question, (kind, intent) in QUESTIONS.items():
        wanted = {
            function: found
            for function, others in sorted(seen[kind].items())
            if function.startswith(f"{RECORDED[name]}/")
            and function in known
            and (found := sorted(others & known))
        }
        for function in evenly(list(wanted), DRAWN):
            yield task_of(
                {
                    "id": question.format(function),
                    "question": question.format(function.partition(":")[2]),
                    "gold_functions": wanted[function],
                    "intent": intent,
                    "category": question,
                }
            )


def evenly(items: Sequence[str], most: int) -> list[str]:
    """Return at most `most` of `items`, as far from each other as may be.

    >>> evenly(["a", "b", "c", "d"], 2)
    ['a', 'c']
    """
    count = min(most, len(items))
    return [items[at * len(items) // count] for at in range(count)]


def figures(outcome: Outcome) -> dict[str, float]:
    """Return the measures of one answer."""
    gold = outcome.task.gold["function"]
    places = [each.id for each in outcome.located.functions]
    first = next((place for place, each in enumerate(places, start=1) if each in gold), None)
    found = len(gold.intersection(places[:FIRST]))
    return {"found": found / min(FIRST, len(gold)), "first": 1 / first if first else 0.0}


def run(names: Iterable[str], conditions: Sequence[Condition]) -> list[Outcome]:
    """Return what each condition answers to the questions about the packages `names`."""
    outcomes: list[Outcome] = []
    for name in names:
        corpus = pinned(name)
        prepare(corpus, fresh=False)
        with Hindsight.open(index=index_of(corpus)) as client:
            tasks = list(questions(name, corpus, functions_of(client)))
            outcomes += client.evaluate(tasks, conditions)
        print(corpus.pin, file=sys.stderr, flush=True)
    return outcomes


def functions_of(client: Hindsight) -> set[str]:
    """Return the ids of all functions of an index."""
    out = io.StringIO()
    client.export(out)
    rows = json_lines(out.getvalue())
    return {row["id"] for row in rows if row["type"] == "node" and row["kind"] == "function"}


def means(outcomes: Sequence[Outcome]) -> dict[str, dict[str, dict[str, float]]]:
    """Return the means by question, condition and measure."""
    values: dict[tuple[str, str], list[Mapping[str, float]]] = defaultdict(list)
    for each in outcomes:
        values[each.task.slices["category"], each.condition].append(figures(each))
    found: dict[str, dict[str, dict[str, float]]] = {question: {} for question in QUESTIONS}
    for (question, condition), rows in values.items():
        found[question][condition] = {
            measure: sum(row[measure] for row in rows) / len(rows) for measure in MEASURES
        }
    return found


def report(found: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """Return the table of each question."""
    blocks = []
    for question, by_condition in found.items():
        rows = [
            (condition, *(f"{mean[measure]:.3f}" for measure in MEASURES))
            for condition, mean in by_condition.items()
        ]
        table = markdown_table(("condition", *MEASURES.values()), rows)
        blocks.append(f"**{question.format('X')}**\n\n{table}")
    return "\n\n".join(blocks) + "\n"


def main() -> int:
    """Ask, and write the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", action="append", choices=list(RECORDED), help="only this package")
    parser.add_argument("--condition", action="append", choices=list(CONDITIONS))
    options = parser.parse_args()
    names = options.only or list(RECORDED)
    load = load_average()
    try:
        outcomes = run(names, [CONDITIONS[name] for name in options.condition or SHOWN])
    except BenchmarkError as error:
        print(error, file=sys.stderr)
        return 1
    found = means(outcomes)
    print(report(found))
    if not (options.only or options.condition):
        count = len({each.task.id for each in outcomes})
        PAGE.write_text(
            "# Dependents: what intents and TESTS edges bring\n\nMade by `python -m benchmarks.dependents`, which says what is "
            f"asked and what is right: {count} questions about functions of {', '.join(pinned(name).pin for name in names)}.\n\n"
            f"{report(found)}",
            encoding="utf-8",
        )
        write_result(
            "dependents",
            data_pin={pinned(name).sdist: pinned(name).sha256 for name in names},
            load_before=load,
            figures={"questions": count, **found},
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
