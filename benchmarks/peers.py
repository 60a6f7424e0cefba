"""Our ingest beside two installable code graphs, in one run on one machine: wall, CPU and memory of all processes.

    python benchmarks/peers.py                # flask and Django, three rounds each
    python benchmarks/peers.py --only flask --rounds 1

The peers are installed into the cache by their own package managers (`npm`, `pip`). Each tool gets its own fresh copy of
the source, committed to a Git repository, since one of them reads only what Git tracks, and its own home folder; daemons
and telemetry are off. The tools take turns within a round, and medians over the rounds are compared.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.corpora import environment, fetch, pinned
from benchmarks.measuring import (
    GATE_HEADER,
    BenchmarkError,
    Gate,
    Usage,
    cache_folder,
    gates_as_data,
    load_average,
    markdown_table,
    median,
    run_measured,
    tool,
    write_result,
)

CODEGRAPH = "@colbymchenry/codegraph@1.6.1"
CODE_REVIEW_GRAPH = "code-review-graph==2.3.9"

CPU_RATIO = 1.2
"""Most CPU of ours for one CPU second of the faster peer; its wall time and memory are the other two limits."""


_GIT_IDENTITY = ("-c", "user.name=benchmark", "-c", "user.email=benchmark@localhost")


@dataclass(frozen=True, slots=True)
class Place:
    """Where one run of one tool happens: its copy of the source, and a folder for whatever else it writes."""

    source: Path
    aside: Path

    def env(self) -> dict[str, str]:
        """Return an environment without daemon or telemetry, and with a home folder that is thrown away."""
        return {
            "HOME": str(self.aside),
            "XDG_CACHE_HOME": str(self.aside / "cache"),
            "CODEGRAPH_NO_DAEMON": "1",
            "CODEGRAPH_TELEMETRY": "0",
            "DO_NOT_TRACK": "1",
            "CRG_HOME": str(self.aside / "crg"),
        }


@dataclass(frozen=True, slots=True)
class Size:
    """What a tool says it stored. The tools count different things: these are no measure of quality."""

    files: int
    nodes: int
    edges: int


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool under measurement: the command that ingests, and what it then reports to hold."""

    name: str
    command: Callable[[Place], Sequence[str | Path]]
    size: Callable[[Place], Size]


def _codegraph() -> Path:
    folder = cache_folder() / "environments" / "codegraph"
    program = folder / "node_modules" / ".bin" / "codegraph"
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _install("npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), CODEGRAPH)
    return program


def crg_program() -> Path:
    """Return where code-review-graph is installed; it is, where it was not."""
    return environment("code-review-graph", (CODE_REVIEW_GRAPH,)).parent / "code-review-graph"


def _install(*command: str) -> None:
    if shutil.which(command[0]) is None:
        raise BenchmarkError(f"{command[0]} is not installed here, and a peer needs it")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchmarkError(f"{' '.join(command[:2])}: {done.stderr.strip()[-1500:]}")


def _said(place: Place, *command: str | Path) -> dict[str, Any]:
    """Return the JSON object that a command prints."""
    said: dict[str, Any] = json.loads(
        run_measured(command, cwd=place.source, env=place.env()).stdout
    )
    return said


def _our_size(place: Place) -> Size:
    said = _said(place, tool("hindsight"), "status", "--json", "--index", place.aside / "index")
    return Size(said["nodes"]["File"], sum(said["nodes"].values()), sum(said["edges"].values()))


def _codegraph_size(place: Place) -> Size:
    said = _said(place, _codegraph(), "status", "--json", place.source)
    return Size(said["fileCount"], said["nodeCount"], said["edgeCount"])


def _code_review_graph_size(place: Place) -> Size:
    said = _said(place, crg_program(), "status", "--json", "--repo", place.source)
    return Size(said["files"], said["nodes"], said["edges"])


OURS = Tool(
    "hindsight-ingest, 2 workers",
    lambda place: (
        *(tool("hindsight-ingest"), place.source),
        *("--index", place.aside / "index", "--workers", "2"),
    ),
    _our_size,
)
PEERS = (
    Tool(
        CODEGRAPH,
        lambda place: (_codegraph(), "init", "--yes", place.source),
        _codegraph_size,
    ),
    Tool(
        CODE_REVIEW_GRAPH,
        lambda place: (crg_program(), "build", "--repo", place.source),
        _code_review_graph_size,
    ),
)


@contextmanager
def place_for(source: Path) -> Iterator[Place]:
    """Give a fresh copy of a source tree, committed to a Git repository of its own, and take it away again."""
    # Beside the cache, so that every run of every tool is on the same file system.
    cache_folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache_folder()) as folder:
        place = Place(Path(folder) / source.name, Path(folder) / "aside")
        shutil.copytree(source, place.source, symlinks=True)
        place.aside.mkdir()
        _commit(place.source)
        yield place


def _commit(source: Path) -> None:
    for step in (
        ("init", "--quiet"),
        ("add", "--all", "--force"),
        ("commit", "--quiet", "--message", "as released"),
    ):
        subprocess.run(("git", *_GIT_IDENTITY, *step), cwd=source, check=True, capture_output=True)


def measure(contender: Tool, source: Path) -> tuple[Usage, Size]:
    """Ingest a source tree once with one tool."""
    with place_for(source) as place:
        usage = run_measured(contender.command(place), cwd=place.source, env=place.env())
        return usage, contender.size(place)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One tool on one source: medians over the rounds, and what it reports."""

    tool: str
    wall_s: float
    cpu_s: float
    peak_mb: float
    memory: str
    size: Size

    def row(self) -> tuple[object, ...]:
        """Return a table row (see `HEADER`)."""
        figures = (round(self.wall_s, 2), round(self.cpu_s, 2), round(self.peak_mb))
        return self.tool, *figures, self.size.files, self.size.nodes, self.size.edges

    def data(self) -> dict[str, object]:
        """Return plain data for a result file."""
        return {**dict(zip(HEADER, self.row(), strict=True)), "memory": self.memory}


HEADER = ("tool", "wall s", "CPU s", "peak MB", "files", "nodes", "edges")


def compare(source: Path, rounds: int) -> list[Outcome]:
    """Measure all tools on a source, in turn, and return their medians, ours first."""
    contenders = (OURS, *PEERS)
    taken: dict[str, list[tuple[Usage, Size]]] = {contender.name: [] for contender in contenders}
    for _ in range(rounds):
        for contender in contenders:
            taken[contender.name].append(measure(contender, source))
    return [_outcome(contender.name, taken[contender.name]) for contender in contenders]


def _outcome(name: str, runs: Sequence[tuple[Usage, Size]]) -> Outcome:
    usages = [usage for usage, _ in runs]
    return Outcome(
        name,
        median([usage.wall_s for usage in usages]),
        median([usage.cpu_s for usage in usages]),
        median([usage.peak_mb for usage in usages]),
        usages[0].memory,
        runs[-1][1],
    )


def gates(name: str, outcomes: Sequence[Outcome]) -> list[Gate]:
    """Return the promises: below the faster peer in wall and memory, and at most `CPU_RATIO` times its CPU."""
    ours, *peers = outcomes
    faster = min(peers, key=lambda peer: peer.wall_s)
    return [
        Gate(f"{name}: wall / {faster.tool}", ours.wall_s / faster.wall_s, 1.0, "ratio"),
        Gate(f"{name}: CPU / {faster.tool}", ours.cpu_s / faster.cpu_s, CPU_RATIO, "ratio"),
        Gate(f"{name}: memory / {faster.tool}", ours.peak_mb / faster.peak_mb, 1.0, "ratio"),
    ]


def main() -> int:
    """Run the comparison and print its tables; exit 1 when a promise is not kept."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", choices=("flask", "django"), action="append", help="one source")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each tool (default 3)")
    options = parser.parse_args()
    load = load_average()
    sources = {name: pinned(name) for name in options.only or ("flask", "django")}
    try:
        # Uncounted: installs the peers, and compiles bytecode that no later run pays for.
        compare(fetch(pinned("flask")), 1)
        compared = {n: compare(fetch(corpus), options.rounds) for n, corpus in sources.items()}
    except BenchmarkError as error:
        print(error, file=sys.stderr)
        return 1
    kept = [gate for name, outcomes in compared.items() for gate in gates(name, outcomes)]
    for name, outcomes in compared.items():
        print(f"### {sources[name].pin}\n\n{markdown_table(HEADER, [o.row() for o in outcomes])}\n")
    print(markdown_table(GATE_HEADER, [gate.row() for gate in kept]))
    measured = {outcome.memory for outcomes in compared.values() for outcome in outcomes}
    print(f"\nload before {load}, after {load_average()}; memory is {' and '.join(measured)}")
    write_result(
        "peers" if not options.only else "peers-part",
        data_pin={corpus.sdist: corpus.sha256 for corpus in sources.values()},
        load_before=load,
        figures={
            "rounds": options.rounds,
            "tools": {name: [o.data() for o in found] for name, found in compared.items()},
            "promises": gates_as_data(kept),
        },
    )
    return 0 if all(gate.kept for gate in kept) else 1


if __name__ == "__main__":
    sys.exit(main())
