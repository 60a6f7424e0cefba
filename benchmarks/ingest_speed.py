"""What an ingest costs, against parsing alone and the engines alone; and where its time goes.

    python benchmarks/ingest_speed.py                          # Django
    python benchmarks/ingest_speed.py --corpus flask --rounds 1
    python benchmarks/ingest_speed.py --interpreted            # this checkout instead of the compiled wheel
    python benchmarks/ingest_speed.py --profile

What is measured is the wheel that people install; `--interpreted` and `--profile` run the source as it is. Measured in one run, each in fresh processes: the raw parse of the same files; the engines loading the same nodes, edges
and token documents; whole ingests with one worker and with two, in turn; and a second ingest of the unchanged tree.
"""

from __future__ import annotations

import argparse
import json
import pstats
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.corpora import fetch, pinned
from benchmarks.measuring import (
    GATE_HEADER,
    BenchmarkError,
    Gate,
    Usage,
    cache_folder,
    gates_as_data,
    load_average,
    markdown_table,
    run_measured,
    tool,
    write_result,
)
from benchmarks.wheel import installed_scripts

PROGRAM = "hindsight-ingest"

LIMIT_PARSES = 6.0
LIMIT_EXTRACT = 0.6
LIMIT_WHOLE = 0.8
LIMIT_PEAK_MB = 1000.0
LIMIT_INDEX_MB = 120.0
LIMIT_UNCHANGED_S = 2.0


@dataclass(frozen=True, slots=True)
class Ingest:
    """One whole ingest: what it used and what it reported."""

    usage: Usage
    report: Mapping[str, Any]

    @property
    def extract_s(self) -> float:
        """Wall seconds of what the workers share: extracting, chunking, tokenising."""
        return float(self.report["stage_seconds"]["extract"])


def ingest(
    program: Path, source: Path, index: Path, workers: int, *, sample: bool = False
) -> Ingest:
    """Ingest a source into a folder, from nothing or on top of what is there."""
    command = (
        program,
        source,
        "--index",
        index,
        "--workers",
        str(workers),
        "--json",
    )
    usage = run_measured(command, sample=sample)
    return Ingest(usage, json.loads(usage.stdout))


def alone(name: str, rounds: int, *arguments: str | Path) -> dict[str, float]:
    """Measure one part of an ingest in a fresh process (`alone.py`) and return the least of its CPU seconds."""
    script = Path(__file__).with_name("alone.py")
    command = (sys.executable, script, "--rounds", str(rounds), name, *arguments)
    said: dict[str, list[float]] = json.loads(run_measured(command, sample=False).stdout)
    return {part: min(seconds) for part, seconds in said.items()}


# ---------------------------------------------------------------- the whole


def index_parts(index: Path) -> dict[str, float]:
    """Return the megabytes of an index by part."""
    sizes: dict[str, float] = defaultdict(float)
    for path in index.rglob("*"):
        if path.is_file():
            sizes[_part_of(path.relative_to(index))] += path.lstat().st_size / 1e6
    return dict(sorted(sizes.items()))


def _part_of(path: Path) -> str:
    if path.parts[0] == "generations" and len(path.parts) > 2:
        return path.parts[2]
    return path.parts[0].removesuffix("-wal").removesuffix("-shm")


def measure(program: Path, source: Path, rounds: int) -> tuple[dict[str, Any], list[Gate]]:
    """Return all figures of a source, and the promises about them."""
    cache_folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache_folder()) as folder:
        runs: dict[int, list[Ingest]] = {1: [], 2: []}
        bare: dict[str, list[float]] = defaultdict(list)
        for number in range(rounds + 1):  # the last is for memory
            for workers, taken in runs.items():
                index = Path(folder) / f"index-{workers}"
                shutil.rmtree(index, ignore_errors=True)
                taken.append(ingest(program, source, index, workers, sample=number == rounds))
            if number < rounds:
                found = alone("parse", 1, source)
                found |= alone("engines", 1, source, Path(folder) / f"engines-{number}")
                for part, seconds in found.items():
                    bare[part].append(seconds)
        again = [ingest(program, source, index, 2) for _ in range(rounds)]
        if not all(run.report["unchanged"] for run in again):
            raise BenchmarkError("a second ingest of the same tree says that it changed")
        sizes = index_parts(index)
    return _figures(runs, {part: min(seconds) for part, seconds in bare.items()}, again, sizes)


def _figures(
    runs: Mapping[int, Sequence[Ingest]],
    bare: Mapping[str, float],
    again: Sequence[Ingest],
    sizes: Mapping[str, float],
) -> tuple[dict[str, Any], list[Gate]]:
    """Return the least of all rounds: whatever else the machine does can only add to it."""
    timed = {w: taken[:-1] for w, taken in runs.items()}
    cpu = {w: min(run.usage.cpu_s for run in taken) for w, taken in timed.items()}
    wall = {w: min(run.usage.wall_s for run in taken) for w, taken in timed.items()}
    extract = {w: min(run.extract_s for run in taken) for w, taken in timed.items()}
    peak = {w: taken[-1].usage.peak_mb for w, taken in runs.items()}
    unchanged = min(run.usage.wall_s for run in again)
    report = runs[2][0].report
    figures = {
        "files": report["files"],
        "lines": report["lines"],
        "raw parse, CPU s": bare["parse"],
        "graph engine alone, CPU s": bare["graph"],
        "text engine alone, CPU s": bare["text"],
        **{f"whole, {w} worker(s), CPU s": value for w, value in cpu.items()},
        **{f"whole, {w} worker(s), wall s": value for w, value in wall.items()},
        **{f"extract and chunk, {w} worker(s), wall s": value for w, value in extract.items()},
        **{f"peak memory, {w} worker(s), MB": value for w, value in peak.items()},
        "second, unchanged run, wall s": unchanged,
        **{f"index: {name}, MB": value for name, value in sizes.items()},
        "index: whole, MB": sum(sizes.values()),
    }
    stages = {w: dict(taken[0].report["stage_seconds"]) for w, taken in timed.items()}
    beyond = (max(cpu.values()) - bare["graph"] - bare["text"]) / bare["parse"]
    return {"figures": figures, "stage_seconds": stages, "memory": runs[2][-1].usage.memory}, [
        Gate("CPU beyond the engines / raw parse", beyond, LIMIT_PARSES, "ratio"),
        Gate("extract and chunk, 2 workers / 1", extract[2] / extract[1], LIMIT_EXTRACT, "ratio"),
        Gate("whole wall, 2 workers / 1", wall[2] / wall[1], LIMIT_WHOLE, "ratio"),
        Gate("peak memory, all processes", max(peak.values()), LIMIT_PEAK_MB, "MB"),
        Gate("index", sum(sizes.values()), LIMIT_INDEX_MB, "MB"),
        Gate("second, unchanged run", unchanged, LIMIT_UNCHANGED_S, "s"),
    ]


# ---------------------------------------------------------------- where the time goes


def profile(source: Path) -> dict[str, float]:
    """Return own seconds by module of an ingest with one worker."""
    with tempfile.TemporaryDirectory(dir=cache_folder()) as folder:
        raw = Path(folder) / "profile"
        command = (sys.executable, "-m", "cProfile", "-o", raw, tool(PROGRAM), source,
                   "--index", Path(folder) / "index", "--workers", "1", "--json")  # fmt: skip
        run_measured(command)
        return module_seconds(pstats.Stats(str(raw)))


def shares(seconds: Mapping[str, float]) -> list[tuple[str, float, float]]:
    """Return name, seconds and share of the whole, the dearest first."""
    whole = sum(seconds.values())
    ordered = sorted(seconds.items(), key=lambda entry: -entry[1])
    return [(name, spent, spent / whole) for name, spent in ordered]


def by_room(seconds: Mapping[str, float]) -> dict[str, float]:
    """Return seconds by module added up by room.

    >>> by_room({"link/modules": 1.0, "link/calls": 2.0, "client": 0.5})
    {'link': 3.0, 'client': 0.5}
    """
    rooms: dict[str, float] = {}
    for module, spent in seconds.items():
        room = module.split("/")[0]
        rooms[room] = rooms.get(room, 0.0) + spent
    return rooms


PACKAGE = "hindsight_neo4j"

MODULES_SHOWN = 20

ELSEWHERE = "elsewhere"
"""Starting, importing, and what is too small to follow to its caller."""

Function = tuple[str, int, str]


def module_of(function: Function) -> str | None:
    """Return the module of ours that a profiled function is in, as `room/module`; None for other code.

    >>> module_of(("/x/hindsight_neo4j/link/modules.py", 1, "f"))
    'link/modules'
    """
    parts = Path(function[0]).parts
    if PACKAGE not in parts:
        return None
    inside = parts[len(parts) - parts[::-1].index(PACKAGE) :]
    return "/".join(inside).removesuffix(".py")


def module_seconds(stats: pstats.Stats) -> dict[str, float]:
    """Return own seconds by module of ours; other code's count for the modules that called it."""
    table: Mapping[Function, tuple[int, int, float, float, Mapping[Function, Any]]] = stats.stats  # type: ignore[attr-defined]
    seconds: dict[str, float] = defaultdict(float)

    def charge(function: Function, spent: float, seen: frozenset[Function]) -> None:
        module = module_of(function)
        callers = {c: row[2] for c, row in table[function][4].items() if c not in seen}
        whole = sum(callers.values())
        if module is not None or whole <= 0 or spent < 1e-4:
            seconds[module or ELSEWHERE] += spent
            return
        for caller, own in callers.items():
            charge(caller, spent * own / whole, seen | {function})

    for function, (_, _, own, _, _) in table.items():
        charge(function, own, frozenset())
    return dict(seconds)


# ---------------------------------------------------------------- command line


def main() -> int:
    """Run the benchmark and print its tables; exit 1 when a promise is not kept."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--corpus", default="django", help="a pinned release (default django)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each (default 3)")
    parser.add_argument("--profile", action="store_true", help="profile one ingest instead")
    parser.add_argument(
        "--interpreted", action="store_true", help="measure this checkout, not the compiled wheel"
    )
    options = parser.parse_args()
    release = pinned(options.corpus)
    suffix = "" if options.corpus == "django" else "-part"
    suffix += "-interpreted" if options.interpreted else ""
    load = load_average()
    try:
        source = fetch(release)
        if options.profile:
            return _print_profile(source, release.sdist, release.sha256, load, suffix)
        program = tool(PROGRAM) if options.interpreted else installed_scripts() / PROGRAM
        found, promises = measure(program, source, options.rounds)
    except BenchmarkError as error:
        print(error, file=sys.stderr)
        return 1
    print(markdown_table(("figure", "value"), found["figures"].items()))
    print(f"\n{markdown_table(GATE_HEADER, [gate.row() for gate in promises])}")
    print(f"\nmemory is {found['memory']}; load before {load}, after {load_average()}")
    write_result(
        f"ingest-speed{suffix}",
        data_pin={release.sdist: release.sha256},
        load_before=load,
        figures={**found, "rounds": options.rounds, "promises": gates_as_data(promises)},
    )
    return 0 if all(gate.kept for gate in promises) else 1


def _print_profile(source: Path, sdist: str, sha256: str, load: str, suffix: str) -> int:
    seconds = profile(source)
    tables = {"rooms": shares(by_room(seconds)), "modules": shares(seconds)}
    print(markdown_table(("room", "own s", "share"), tables["rooms"]))
    print()
    print(markdown_table(("module", "own s", "share"), tables["modules"][:MODULES_SHOWN]))
    columns = ("name", "own_s", "share")
    write_result(
        f"ingest-profile{suffix}",
        data_pin={sdist: sha256},
        load_before=load,
        figures={
            title: [dict(zip(columns, row, strict=True)) for row in rows]
            for title, rows in tables.items()
        },
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
