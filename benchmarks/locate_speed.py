"""What a `locate` costs on Django: in one open client, against the bare engine calls, and from a cold shell.

    python benchmarks/locate_speed.py
    python benchmarks/locate_speed.py --corpus flask --rounds 1

Sixty questions of 1 to 190 words (`questions/django.jsonl`) are located in one open client. Then, in the same process
and with nothing else running, what each of them asked of the engines is asked again with the same parameters: its first
search and all its one-hop templates. CPU is that of the whole process, all its threads.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.corpora import fetch, pinned
from benchmarks.measuring import (
    CHECKOUT,
    GATE_HEADER,
    BenchmarkError,
    Gate,
    cache_folder,
    gates_as_data,
    json_lines,
    load_average,
    markdown_table,
    median,
    percentile,
    run_measured,
    tool,
    write_result,
)
from hindsight_neo4j.client import Hindsight
from hindsight_neo4j.model.question import Step
from hindsight_neo4j.resources import room
from hindsight_neo4j.stores.embedded_graph import EmbeddedGraph
from hindsight_neo4j.stores.embedded_text import EmbeddedText
from hindsight_neo4j.stores.index_folder import IndexFolder
from hindsight_neo4j.templates.catalogue import Catalogue

QUESTIONS = CHECKOUT / "benchmarks" / "questions" / "django.jsonl"

ONE_HOP = ("step/out", "step/in", "step/children", "step/siblings")
"""The templates that walk one hop. Reading the properties of nodes (`step/nodes`) is no hop."""

COLD_RUNS = 7

LIMIT_P50_S, LIMIT_P95_S, LIMIT_RATIO, LIMIT_COLD_S = 0.150, 0.400, 2.0, 1.2


@dataclass(frozen=True, slots=True)
class Located:
    """One question's CPU seconds, and what it asked of the engines."""

    question: str
    cpu_s: float
    steps: tuple[Step, ...]


def cpu_of(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU seconds of this process that a call took, and what it returned."""
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


def locate_all(index: Path, questions: Sequence[str], rounds: int) -> list[Located]:
    """Locate every question `rounds` times in one open client; each keeps its median."""
    with Hindsight.open(index=index) as client:
        client.locate(questions[-1])  # uncounted: imports and the first read of the files
        runs = [[cpu_of(partial(client.locate, q)) for q in questions] for _ in range(rounds)]
    return [
        Located(question, median([cpu for cpu, _ in mine]), mine[0][1].steps)
        for question, mine in zip(questions, zip(*runs, strict=True), strict=True)
    ]


class Engines:
    """The stores of an index, opened without any of the pipeline."""

    def __init__(self, index: Path) -> None:
        generation = IndexFolder(index).current()
        self.graph = EmbeddedGraph.open(generation.graph)
        self.chunks = EmbeddedText.open(generation.text)
        self.catalogue = Catalogue.load(room("cypher"))

    def replay(self, steps: Sequence[Step]) -> None:
        """Ask the engines what the steps asked, and drop the answers."""
        for step in steps:
            if step.what == "search":
                self.chunks.search(
                    step.params["words"],
                    snapshot=step.params["snapshot"],
                    limit=step.params["limit"],
                )
            else:
                self.graph.run(self.catalogue.get(step.what), step.params)

    def close(self) -> None:
        """Release both stores."""
        self.graph.close()
        self.chunks.close()


def engine_steps(steps: Sequence[Step]) -> list[Step]:
    """Return the steps that an engine answers: searches and templates."""
    return [step for step in steps if step.what == "search" or "/" in step.what]


def bare_steps(steps: Sequence[Step]) -> list[Step]:
    """Return the first search and every one-hop template."""
    searches = [step for step in steps if step.what == "search"]
    return [*searches[:1], *(step for step in steps if step.what in ONE_HOP)]


def replay_all(index: Path, asked: Sequence[Sequence[Step]], rounds: int) -> list[float]:
    """Return the CPU seconds of each list of steps alone, the median of `rounds`."""
    engines = Engines(index)
    try:
        engines.replay(asked[-1])  # uncounted, as above
        runs = [[cpu_of(partial(engines.replay, s))[0] for s in asked] for _ in range(rounds)]
    finally:
        engines.close()
    return [median(mine) for mine in zip(*runs, strict=True)]


def cold(index: Path, question: str) -> list[float]:
    """Return the CPU seconds of `hindsight locate` from a shell, `COLD_RUNS` times after one uncounted run."""
    command = (tool("hindsight"), "locate", question, "--index", index)
    return [run_measured(command).cpu_s for _ in range(COLD_RUNS + 1)][1:]


def ingested(corpus: str) -> Path:
    """Return the index of a pinned release in the cache, brought up to date."""
    release = pinned(corpus)
    index = cache_folder() / "indexes" / f"{release.package}-{release.version}"
    index.parent.mkdir(parents=True, exist_ok=True)
    run_measured((tool("hindsight-ingest"), fetch(release), "--index", index, "--workers", "2"))
    return index


def measure(index: Path, rounds: int) -> tuple[list[tuple[str, float]], list[Gate]]:
    """Return the figures, named, and the promises about them."""
    questions = [row["question"] for row in json_lines(QUESTIONS.read_text(encoding="utf-8"))]
    located = locate_all(index, questions, rounds)
    bare = replay_all(index, [bare_steps(one.steps) for one in located], rounds)
    every = replay_all(index, [engine_steps(one.steps) for one in located], rounds)
    cold_s = cold(index, questions[4])
    cpu = [one.cpu_s for one in located]
    p50, p95, ratio = percentile(cpu, 0.5), percentile(cpu, 0.95), sum(cpu) / sum(bare)
    by_question = [one / other for one, other in zip(cpu, bare, strict=True)]
    figures = [
        ("locate, CPU ms p50", p50 * 1e3),
        ("locate, CPU ms p95", p95 * 1e3),
        ("locate, CPU ms most", max(cpu) * 1e3),
        ("one search + its one-hop templates alone, CPU ms p50", percentile(bare, 0.5) * 1e3),
        ("all its engine calls alone, CPU ms p50", percentile(every, 0.5) * 1e3),
        ("ratio to one search + one-hop templates, all questions", ratio),
        ("the same, median question", median(by_question)),
        ("ratio to all its engine calls, all questions", sum(cpu) / sum(every)),
        (
            "engine calls a question, median",
            float(median([len(engine_steps(one.steps)) for one in located])),
        ),
        ("cold shell, CPU s least", min(cold_s)),
        ("cold shell, CPU s median", median(cold_s)),
    ]
    return figures, [
        Gate("locate, CPU p50", p50, LIMIT_P50_S, "s"),
        Gate("locate, CPU p95", p95, LIMIT_P95_S, "s"),
        Gate("locate / (one search + its one-hop templates)", ratio, LIMIT_RATIO, "ratio"),
        Gate("hindsight locate from a cold shell, CPU, median", median(cold_s), LIMIT_COLD_S, "s"),
    ]


def main() -> int:
    """Run the benchmark and print its tables; exit 1 when a promise is not kept."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--corpus", default="django", help="a pinned release (default django)")
    parser.add_argument("--rounds", type=int, default=3, help="times each is run (default 3)")
    options = parser.parse_args()
    try:
        index = ingested(options.corpus)
        load = load_average()
        figures, promises = measure(index, options.rounds)
    except BenchmarkError as error:
        print(error, file=sys.stderr)
        return 1
    print(markdown_table(("figure", "value"), figures))
    print(f"\n{markdown_table(GATE_HEADER, [gate.row() for gate in promises])}")
    print(f"\nload before {load}, after {load_average()}")
    release = pinned(options.corpus)
    write_result(
        "locate-speed" if options.corpus == "django" else "locate-speed-part",
        data_pin={release.sdist: release.sha256},
        load_before=load,
        figures={"figures": dict(figures), "promises": gates_as_data(promises)},
    )
    return 0 if all(gate.kept for gate in promises) else 1


if __name__ == "__main__":
    sys.exit(main())
