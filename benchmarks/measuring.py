"""What the benchmarks share: running a command under measurement, tables, and result files.

Figures of one run are comparable with each other; a shared machine's load moves them all, so each result file says the
load average, and claims are ratios within one run.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]

CHECKOUT = Path(__file__).resolve().parent.parent
RESULTS = CHECKOUT / "benchmarks" / "results"

SAMPLE_EVERY_S = 0.1
"""How often memory is sampled. A peak shorter than this can be missed."""

_REPORTED_PACKAGES = ("hindsight-neo4j", "tree-sitter", "tree-sitter-python", "ladybug", "tantivy")


class BenchmarkError(Exception):
    """A benchmark cannot go on; the message says why, in one line."""


def cache_folder() -> Path:
    """Return the folder for downloads and indexes, outside the checkout: `HINDSIGHT_CACHE` or the user's cache."""
    chosen = os.environ.get("HINDSIGHT_CACHE")
    if chosen:
        return Path(chosen).expanduser().resolve()
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser().resolve() / "hindsight-neo4j"


def bench_data() -> Path:
    """Return the folder of benchmark data: `HINDSIGHT_BENCH`, or `../shared/bench` beside the checkout.

    Raises:
        BenchmarkError: There is no such folder.
    """
    folder = Path(os.environ.get("HINDSIGHT_BENCH") or CHECKOUT.parent / "shared" / "bench")
    if not folder.is_dir():
        raise BenchmarkError("the benchmark data is not here; say where with HINDSIGHT_BENCH")
    return folder.resolve()


def json_lines(text: str) -> list[dict[str, Any]]:
    """Return the objects of JSON Lines, which only line feeds separate: texts may hold other line ends."""
    return [json.loads(line) for line in text.split("\n") if line]


# ---------------------------------------------------------------- one command


@dataclass(frozen=True, slots=True)
class Usage:
    """What one command used, over all the processes it started.

    `cpu_s` is what the kernel accounts to the command and the descendants it waited for, or what sampling saw if that is
    more (a command that leaves a daemon behind). `peak_mb` is the highest sum over the process tree of `memory`
    ("PSS", which counts shared pages once, or "RSS" where the system has no PSS).
    """

    wall_s: float
    cpu_s: float
    peak_mb: float
    memory: str
    exit_code: int
    stdout: str
    stderr: str

    def figures(self) -> dict[str, float | str]:
        """Return the figures alone, rounded for a result file."""
        return {
            "wall_s": round(self.wall_s, 2),
            "cpu_s": round(self.cpu_s, 2),
            "peak_mb": round(self.peak_mb, 1),
            "memory": self.memory,
        }


class _TreeSampler(threading.Thread):
    """Samples memory and CPU of a process and its descendants until told to stop."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._root = psutil.Process(pid)
        self._halt = threading.Event()
        self._cpu: dict[int, float] = {}
        self.peak_bytes = 0
        self.memory = "PSS" if Path("/proc/self/smaps").exists() else "RSS"

    def run(self) -> None:
        while not self._halt.wait(SAMPLE_EVERY_S):
            self.peak_bytes = max(self.peak_bytes, self._sample())

    def stop(self) -> None:
        self._halt.set()
        self.join()

    @property
    def cpu_s(self) -> float:
        return sum(self._cpu.values())

    def _sample(self) -> int:
        total = 0
        with contextlib.suppress(psutil.NoSuchProcess):
            for process in [self._root, *self._root.children(recursive=True)]:
                with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                    times = process.cpu_times()
                    self._cpu[process.pid] = times.user + times.system
                    total += self._memory_of(process)
        return total

    def _memory_of(self, process: psutil.Process) -> int:
        if self.memory == "PSS":
            return int(process.memory_full_info().pss)
        return int(process.memory_info().rss)


def run_measured(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    check: bool = True,
    sample: bool = True,
) -> Usage:
    """Run a command to its end and measure it and all its descendants.

    Args:
        command: Program and arguments.
        cwd: Folder to run in.
        env: Environment variables to add to ours.
        check: Raise when it fails.
        sample: Look at its memory while it runs. That takes a third of a core from a big command with workers, so what
            times them leaves it out; the peak is 0 then.

    Raises:
        BenchmarkError: It failed and `check` is set; the message holds the end of what it printed.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.perf_counter()
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
        )
        sampler = _TreeSampler(process.pid)
        if sample:
            sampler.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if sample:
            sampler.stop()
        out.seek(0)
        err.seek(0)
        measured = Usage(
            wall_s=wall,
            cpu_s=max(usage.ru_utime + usage.ru_stime, sampler.cpu_s),
            peak_mb=sampler.peak_bytes / 1e6,
            memory=sampler.memory,
            exit_code=process.returncode,
            stdout=out.read().decode("utf-8", "replace"),
            stderr=err.read().decode("utf-8", "replace"),
        )
    if check and measured.exit_code != 0:
        said = (measured.stderr.strip() or measured.stdout.strip())[-1500:]
        raise BenchmarkError(
            f"{shlex.join(map(str, command))} ended with {measured.exit_code}: {said}"
        )
    return measured


def tool(name: str) -> Path:
    """Return the path of a console script of this interpreter's environment.

    Raises:
        BenchmarkError: It is not installed there.
    """
    path = Path(sys.executable).parent / name
    if not path.exists():
        raise BenchmarkError(f"{name} is not installed beside {Path(sys.executable).name}")
    return path


# ---------------------------------------------------------------- what is printed and kept


def median(values: Sequence[float]) -> float:
    """Return the middle value, the upper one of two."""
    return sorted(values)[len(values) // 2]


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least `share` (0 to 1) of the values do not exceed."""
    ordered = sorted(values)
    place = -(-len(ordered) * share // 1)  # ceiling
    return ordered[max(0, int(place) - 1)]


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; numbers stand to the right, floats have at most three places."""
    shown = [[_cell(value) for value in row] for row in rows]
    numeric = [
        bool(shown) and all(_is_number(row[place]) for row in shown) for place in range(len(header))
    ]
    rule = ["---:" if right else "---" for right in numeric]
    return "\n".join("| " + " | ".join(line) + " |" for line in [list(header), rule, *shown])


def _cell(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "pass" if value else "FAIL"
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < 10 else f"{value:.1f}"
    return str(value).replace("|", "\\|").replace("\n", " ")


def _is_number(text: str) -> bool:
    return text == "–" or text.replace(".", "", 1).replace("-", "", 1).replace(",", "").isdigit()


@dataclass(frozen=True, slots=True)
class Gate:
    """A promise about a figure: `value` must not be above `limit`."""

    name: str
    value: float
    limit: float
    unit: str

    @property
    def kept(self) -> bool:
        """Whether the promise holds."""
        return self.value <= self.limit

    def row(self) -> tuple[str, float, float, str, bool]:
        """Return the gate as a table row (see `GATE_HEADER`)."""
        return self.name, round(self.value, 3), self.limit, self.unit, self.kept


GATE_HEADER = ("promise", "measured", "at most", "unit", "kept")


def gates_as_data(gates: Iterable[Gate]) -> list[dict[str, object]]:
    """Return gates as plain data for a result file."""
    return [dict(zip(GATE_HEADER, gate.row(), strict=True)) for gate in gates]


def load_average() -> str:
    """Return the 1, 5 and 15 minute load averages, and the number of processors they are to be set against."""
    one, five, fifteen = os.getloadavg()
    return f"{one:.1f} {five:.1f} {fifteen:.1f} on {os.cpu_count()} processors"


def write_result(
    name: str, *, data_pin: object, load_before: str, figures: Mapping[str, Any]
) -> Path:
    """Write `benchmarks/results/NAME.json` and return its path.

    It holds the command, the versions, the load before and after, what data was measured, and the figures; no path of
    the machine it ran on.
    """
    result = {
        "command": command_line(),
        "measured": time.strftime("%Y-%m-%d %H:%M", time.gmtime()) + " UTC",
        "commit": _commit(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "versions": {name: _version(name) for name in _REPORTED_PACKAGES},
        "load_before": load_before,
        "load_after": load_average(),
        "data": data_pin,
        **figures,
    }
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def command_line() -> str:
    """Return the command that runs now, from the checkout's folder and without a path of this machine."""
    script = Path(sys.argv[0]).name
    arguments = [_portable(argument) for argument in sys.argv[1:]]
    return shlex.join(["python", f"benchmarks/{script}", *arguments])


def _portable(argument: str) -> str:
    path = Path(argument)
    return path.name if path.is_absolute() else argument


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def _commit() -> str:
    shown = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    return shown.stdout.strip() or "unknown"
