"""What the benchmarks print and compare is what was measured."""

from __future__ import annotations

import sys

import pytest

from benchmarks.measuring import (
    BenchmarkError,
    Gate,
    json_lines,
    markdown_table,
    median,
    percentile,
    run_measured,
)


def test_a_percentile_is_a_value_that_enough_values_do_not_exceed() -> None:
    values = [float(number) for number in range(100, 0, -1)]
    assert percentile(values, 0.5) == 50
    assert percentile(values, 0.95) == 95
    assert percentile([7.0], 0.95) == 7


def test_the_median_of_an_odd_number_is_its_middle() -> None:
    assert median([9.0, 1.0, 5.0]) == 5.0


def test_a_gate_holds_at_its_limit_and_not_above() -> None:
    assert Gate("x", 0.6, 0.6, "ratio").kept
    assert not Gate("x", 0.61, 0.6, "ratio").kept


def test_a_table_cell_cannot_break_its_row() -> None:
    table = markdown_table(("a", "b"), [("x | y\nz", 1.5), ("w", None)])
    assert table.splitlines() == [
        "| a | b |",
        "| --- | ---: |",
        "| x \\| y z | 1.500 |",
        "| w | – |",
    ]


def test_only_line_feeds_end_a_json_line() -> None:
    assert json_lines('{"a": "x\u2028y\x85z"}\n{"a": 1}\n') == [{"a": "x\u2028y\x85z"}, {"a": 1}]


def test_cpu_and_memory_of_grandchildren_count() -> None:
    burn = "import time; held = bytearray(60_000_000); time.sleep(.5); sum(range(20_000_000))"
    nested = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {burn!r}])"
    usage = run_measured([sys.executable, "-c", nested])
    assert usage.exit_code == 0
    assert usage.peak_mb > 60
    assert usage.cpu_s > 0.05


def test_a_failing_command_ends_the_benchmark_with_what_it_said() -> None:
    with pytest.raises(BenchmarkError, match="ended with 3: no such luck"):
        run_measured([sys.executable, "-c", "import sys; print('no such luck'); sys.exit(3)"])
