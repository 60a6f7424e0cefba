"""Measure how sure edges are, and write `ingest/confidence.toml`.

    HINDSIGHT_BENCH=../shared/bench python benchmarks/train_confidence.py

The recorded runs of five packages' own tests judge the INVOKES edges of each case (`hindsight_neo4j.languages.confidence`).
A case's figure is its share of right edges, drawn toward what is believed of its tier where it was seen seldom; no package counts for more
than `MOST` edges of a case, so that none speaks for all. What is printed is the calibration error of each package under
figures that were measured on the other four.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.calls import RECORDED, graph_of, recorded, write_export
from benchmarks.measuring import CHECKOUT, bench_data, markdown_table
from hindsight_neo4j.languages.confidence import Confidences
from hindsight_neo4j.model.graph import Tier

OUTPUT = CHECKOUT / "ingest" / "confidence.toml"

ORDER = {
    Tier.DIRECT: 0.95,
    Tier.TYPED: 0.95,
    Tier.FLOW: 0.85,
    Tier.UNIQUE: 0.9,
    Tier.OVERRIDE: 0.5,
    Tier.MANY: 0.4,
    Tier.DECLARED: 0.05,
    Tier.SCIP: 1.0,
    Tier.TRACE: 1.0,
}
"""Figures that only rank the tiers, while cases are gathered."""

START = ORDER | {Tier.FLOW: 0.7, Tier.OVERRIDE: 0.45, Tier.MANY: 0.3}
"""What is believed of a tier before anything is seen: a rough resolver's shares on seven packages, rounded down."""

OWN = 0.6
"""The same of overrides of what a method calls on its own receiver: on four packages
beside the five nine in ten were right, on jinja2 four in ten."""

MOST = 20.0
"""Edges that one package adds to a case at most."""

DRAWN = 12.0
"""Edges of the starting share that are mixed into each case and each tier."""

LEAST = 4
"""Edges that must have been seen for a case to get a figure of its own."""

Judged = dict[str, list[tuple[str, bool]]]
"""By package, the case of each judged edge and whether it was right."""


class Coding(Confidences):
    """Figures that tell which case they stand for."""

    def __init__(self) -> None:
        super().__init__({str(tier): sure for tier, sure in ORDER.items()}, {})
        self.coded: dict[float, str] = {}

    def of_case(self, tier: Tier, case: str) -> float:
        """Return a figure that no other case has, near its tier's, so that the surest site still decides."""
        code = super().of_case(tier, case) - len(self.coded) * 1e-6
        self.coded[code] = case
        return code


def judge(name: str, folder: Path) -> list[tuple[str, bool]]:
    """Return the case of each judged edge of a package and whether it was right; `LATE` is no case."""
    score_calls = import_module("score_calls")
    coding = Coding()
    source = recorded(name, Path())[3]
    export = write_export(graph_of(Path(source), coding), folder / f"{name}.jsonl")
    truth = score_calls.read_truth(str(recorded(name, export)[1]))
    index = score_calls.SourceIndex(str(source), RECORDED[name])
    edges = score_calls.read_edges(str(export), "invokes")
    said = score_calls.score_package(truth, index, RECORDED[name], edges, 0.0)
    judged = [(coding.coded.get(code), right) for _, code, right in said["judged"]]
    return [(case, right) for case, right in judged if case]


def fit(judged: Mapping[str, Iterable[tuple[str, bool]]]) -> Confidences:
    """Return the figures that the judged edges give."""
    cases, tiers = shares(judged)
    start = {str(tier): sure for tier, sure in START.items()}
    by_tier = {tier: drawn(*tiers.get(tier, (0.0, 0.0)), sure) for tier, sure in start.items()}
    by_tier |= {tier: start[tier] for tier in (Tier.SCIP, Tier.TRACE)}
    by_case = {
        case: drawn(right, count, OWN if case.endswith(" own") else start[case.partition(" ")[0]])
        for case, (right, count) in cases.items()
        if count >= LEAST
    }
    return Confidences(by_tier, by_case)


def shares(
    judged: Mapping[str, Iterable[tuple[str, bool]]],
) -> tuple[dict[str, tuple[float, float]], dict[str, tuple[float, float]]]:
    """Return the right edges and all edges by case and by tier, each package's share of a case bounded."""
    cases: dict[str, tuple[float, float]] = {}
    tiers: dict[str, tuple[float, float]] = {}
    for edges in judged.values():
        counted: dict[str, list[bool]] = defaultdict(list)
        for case, is_right in edges:
            counted[case].append(is_right)
        for case, rights in counted.items():
            scale = min(1.0, MOST / len(rights))
            add(cases, case, sum(rights) * scale, len(rights) * scale)
            add(tiers, case.partition(" ")[0], sum(rights) * scale, len(rights) * scale)
    return cases, tiers


def add(table: dict[str, tuple[float, float]], key: str, right: float, count: float) -> None:
    """Add to a table's entry."""
    old = table.get(key, (0.0, 0.0))
    table[key] = (old[0] + right, old[1] + count)


def drawn(right: float, count: float, toward: float) -> float:
    """Return a share that lies the nearer to `toward` the fewer were counted."""
    return round((right + DRAWN * toward) / (count + DRAWN), 3)


def error(stated: Iterable[tuple[float, bool]]) -> float:
    """Return the expected calibration error over ten equal buckets, as the scorer of the benchmark data does."""
    bench_common = import_module("bench_common")
    said: dict[str, Any] = bench_common.calibration(stated)
    return float(said["expected_calibration_error"])


def report(judged: Judged) -> None:
    """Print each package's error under figures of the others."""
    rows = []
    pooled: list[tuple[float, bool]] = []
    for name, edges in judged.items():
        others = fit({other: judged[other] for other in judged if other != name})
        stated = [
            (others.of_case(Tier(case.partition(" ")[0]), case), is_right)
            for case, is_right in edges
        ]
        pooled += stated
        rows.append((name, len(stated), error(stated), error(upper(stated))))
    rows.append(("all", len(pooled), error(pooled), error(upper(pooled))))
    print(markdown_table(("left out", "edges", "error", "error from .5 up"), rows))


def upper(stated: Iterable[tuple[float, bool]]) -> list[tuple[float, bool]]:
    """Return what the default view shows."""
    return [pair for pair in stated if pair[0] >= 0.5]


def write(figures: Confidences, target: Path) -> None:
    """Write the figures."""
    lines = [
        "# How sure edges are: made by benchmarks/train_confidence.py, read by hindsight_neo4j/languages/confidence.py.",
        "",
        "[tiers]",
    ]
    lines += [f"{tier} = {figures.tiers[tier]}" for tier in map(str, Tier)]
    lines += ["", "[cases]"]
    lines += [f'"{case}" = {sure}' for case, sure in sorted(figures.cases.items())]
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    """Measure, report, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--output", type=Path, default=OUTPUT)
    output = parser.parse_args().output
    sys.path.insert(0, str(bench_data() / "tools"))
    with tempfile.TemporaryDirectory() as folder:
        judged: Judged = {name: judge(name, Path(folder)) for name in RECORDED}
    report(judged)
    write(fit(judged), output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
