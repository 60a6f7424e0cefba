"""Measure how likely a step is taken once its start runs, and write `ingest/steps.toml`.

    HINDSIGHT_BENCH=../shared/bench python benchmarks/train_steps.py

The recorded runs of five packages say which functions each test ran. A step of the graph (a call or a fixture at least as
sure as `link/tests.py` walks) whose start a test ran, or is, was taken if that test ran its end too. Each package counts
alike, and each start that is no test counts at most `MOST` times, so that what every test runs does not speak for all.
What is printed is the mean loss (natural logarithm) of each package under weights of the other four, beside what its own
share of taken steps alone would give.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.calls import RECORDED, graph_of, recorded
from benchmarks.measuring import CHECKOUT, bench_data, markdown_table
from hindsight_neo4j.languages.steps import Steps, traits
from hindsight_neo4j.link.tests import WALKED
from hindsight_neo4j.model.graph import EdgeKind, How, NodeKind

OUTPUT = CHECKOUT / "ingest" / "steps.toml"

MOST = 8.0
"""Runs of a step that count; from 4 to 16 no weight moves by more than a tenth."""

OF_A_TEST = 0.3
"""What a test's own step counts: most are taken, and there are more of them than of all others."""

DRAWN = 1e-3
"""Weight of the pull towards no effect, against all observations of weight 1."""

Rows = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
"""Traits, share taken and weight of each step that was tried."""


def observed(name: str) -> Rows:
    """Return the steps of a package that were tried."""
    score_tests, common = import_module("score_tests"), import_module("bench_common")
    _, truth, _, source, *_ = recorded(name, Path())
    known = common.SourceIndex(str(source), RECORDED[name]).kinds
    functions = {function for function, kind in known.items() if kind == "function"}
    ran: Mapping[str, set[str]] = score_tests.executed_functions(str(truth), functions)
    leaving = steps_of(Path(source))
    tried: Counter[tuple[str, str]] = Counter()
    taken: Counter[tuple[str, str]] = Counter()
    for test, functions_run in ran.items():
        for start in (test, *functions_run):
            ends = leaving.get(start, {}).keys() & functions
            tried.update((start, end) for end in ends)
            taken.update((start, end) for end in ends & functions_run)
    rows = [
        (
            traits(leaving[start][end], len(leaving[start]), start in ran),
            taken[start, end] / count,
            OF_A_TEST if start in ran else min(float(count), MOST),
        )
        for (start, end), count in sorted(tried.items())
    ]
    features, shares, weights = zip(*rows, strict=True)
    total = np.array(weights)
    return np.array(features), np.array(shares), total / total.sum()


def steps_of(source: Path) -> Mapping[str, Mapping[str, float]]:
    """Return by start and end how sure each step between functions is; namesakes of one file count as one."""
    folded = import_module("bench_common").fold_definitions
    graph = graph_of(source)
    functions = {node.id for node in graph.nodes if node.kind == NodeKind.FUNCTION}
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for edge in graph.edges:
        is_step = edge.kind == EdgeKind.INVOKES or (
            edge.kind == EdgeKind.TESTS and edge.how == How.FIXTURE
        )
        if is_step and edge.confidence >= WALKED and {edge.src, edge.dst} <= functions:
            ends = found[folded(edge.src)]
            end = folded(edge.dst)
            ends[end] = max(edge.confidence, ends.get(end, 0.0))
    return found


def fit(rows: Iterable[Rows]) -> Steps:
    """Return the weights under which what was seen is likeliest, by Newton's method."""
    features, shares, amounts = (np.concatenate(part) for part in zip(*rows, strict=True))
    weights = np.zeros(features.shape[1])
    pull = DRAWN * np.eye(len(weights))
    for _ in range(50):
        likely = 1 / (1 + np.exp(-features @ weights))
        slope = features.T @ (amounts * (shares - likely)) - pull @ weights
        curve = (features.T * (amounts * likely * (1 - likely))) @ features + pull
        move = np.linalg.solve(curve, slope)
        weights += move
        if np.abs(move).max() < 1e-9:
            break
    return Steps(*(round(float(weight), 3) for weight in weights))


def loss(steps: Steps | None, rows: Rows) -> float:
    """Return the mean loss of `steps`, or of the share taken if there are none."""
    features, shares, amounts = rows
    if steps is None:
        likely = np.full(len(shares), (shares * amounts).sum())
    else:
        weights = np.array((steps.base, steps.sure, steps.leaving, steps.test))
        likely = 1 / (1 + np.exp(-features @ weights))
    said = shares * np.log(likely) + (1 - shares) * np.log(1 - likely)
    return float(-(said * amounts).sum())


def main() -> int:
    """Measure, report, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--output", type=Path, default=OUTPUT)
    output = parser.parse_args().output
    sys.path.insert(0, str(bench_data() / "tools"))
    seen = {name: observed(name) for name in RECORDED}
    table = []
    for name, rows in seen.items():
        others = fit(seen[other] for other in seen if other != name)
        table.append((name, len(rows[1]), loss(others, rows), loss(None, rows)))
    print(markdown_table(("left out", "steps", "loss", "loss of the share"), table))
    found = fit(seen.values())
    output.write_text(
        "# How likely a step is taken: made by benchmarks/train_steps.py, read by hindsight_neo4j/languages/steps.py.\n\n"
        f"base = {found.base}\nsure = {found.sure}\nleaving = {found.leaving}\ntest = {found.test}\n",
        encoding="utf-8",
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
