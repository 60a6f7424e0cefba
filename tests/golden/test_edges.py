"""Floors under how right the edges are: the quick scorers of `benchmarks/calls.py`. Without the benchmark data they skip.

The figures of today are in docs/benchmarks.md; a floor is a little below, so that only a loss is noticed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.calls import RECORDED, calls, gate, graph_of, pycg, write_export
from benchmarks.corpora import fetch, pinned
from benchmarks.measuring import BenchmarkError, bench_data

F1 = {"flask": 0.93, "click": 0.925, "jinja2": 0.835, "sqlparse": 0.91, "mistune": 0.84}
STRICT_PRECISION = {"flask": 0.96, "click": 0.95, "jinja2": 0.95, "sqlparse": 0.95, "mistune": 0.98}
WHOLE_RECALL = {"flask": 0.95, "click": 0.95, "jinja2": 0.93, "sqlparse": 0.9, "mistune": 0.78}


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The exports of the recorded packages."""
    folder = tmp_path_factory.mktemp("exports")
    try:
        bench_data()
        sources = {name: fetch(pinned(name)) for name in RECORDED}
    except BenchmarkError as missing:
        pytest.skip(f"nothing to score edges with: {missing}")
    return {
        name: write_export(graph_of(source), folder / f"{name}.jsonl")
        for name, source in sources.items()
    }


@pytest.fixture(scope="module")
def scored(exports: dict[str, Path]) -> dict[str, Any]:
    """What the recorded runs say."""
    return calls(exports)


@pytest.mark.parametrize("package", RECORDED)
def test_recorded_calls_are_found(scored: dict[str, Any], package: str) -> None:
    views = scored["views"]
    assert views["default"][package]["f1"] >= F1[package]
    assert views["default"][package]["lines"] >= 0.99
    assert views["strict"][package]["precision"] >= STRICT_PRECISION[package]
    assert views["all tiers"][package]["recall"] >= WHOLE_RECALL[package]


def test_confidence_means_what_it_says(scored: dict[str, Any]) -> None:
    calibration = scored["calibration"]
    assert calibration["expected_calibration_error"] <= 0.06
    assert calibration["expected_calibration_error_from_half"] <= 0.06


def test_the_callers_of_url_for_are_all_there_and_no_others(exports: dict[str, Path]) -> None:
    assert gate(exports["flask"])


def test_small_programs_have_their_whole_call_graph(
    exports: dict[str, Path], tmp_path: Path
) -> None:
    found = pycg(tmp_path)
    assert found["complete"] >= 117
    assert found["sound"] >= 115
    assert found["precision"] >= 0.985
    assert found["recall"] >= 0.97
