"""What facts and linking cost: lines per CPU second, memory per 1,000 lines, growth, and the ratio to two type checkers.

    python benchmarks/link_speed.py                 # everything, about ten minutes
    python benchmarks/link_speed.py --no-peers      # without ty and pyrefly

Each source is read in a process of its own, by one thread: bytes to facts, then facts to the graph. CPU seconds are those
of that process without its start; memory is its peak above what it held before reading. Releases differ more in what a line
costs than sizes do, so growth is told by linking the same releases one by one as well: what all at once cost beyond the sum
is due to size. The type checkers are asked where each call site of the same files leads; their CPU seconds begin with the process, since checking begins there.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.corpora import environment, fetch, localization_corpora, pinned
from benchmarks.language_server import LanguageServer
from benchmarks.measuring import (
    CHECKOUT,
    GATE_HEADER,
    BenchmarkError,
    Gate,
    gates_as_data,
    load_average,
    markdown_table,
    write_result,
)
from benchmarks.peer_edges import SERVERS, call_spots, with_requirements
from hindsight_neo4j.extract import extract
from hindsight_neo4j.ingest.rules import Rules
from hindsight_neo4j.ingest.walk import walk
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.link import link
from hindsight_neo4j.model.facts import FileFacts

PACKAGES: Final = ("flask", "click", "jinja2", "sqlparse", "mistune")
SIZES: Final = (10_000, 100_000, 300_000, 1_000_000)
LEAST_LINES_PER_S: Final = 20_000
MOST_MB_PER_1000: Final = 1.5
MOST_FILE_BYTES: Final = 2_000_000
MOST_GROWTH: Final = 1.1
"""Most that linking many releases at once may cost beside linking them one by one; .1 is what rounds differ by."""
HEADER = ("source", "files", "lines", "facts s", "link s", "lines per CPU s", "MB per 1,000 lines")
GROWTH_HEADER = (
    "size",
    "lines",
    "releases",
    "link s",
    "one by one, s",
    "at once / one by one",
    "µs a line",
)


def standard_library() -> Path:
    """Return the standard library of this interpreter."""
    return Path(sysconfig.get_path("stdlib"))


def paths_of(root: Path) -> list[Path]:
    """Return the files that an ingest of `root` reads."""
    found = walk(root, LanguageSet.load(), Rules.load(), max_file_bytes=MOST_FILE_BYTES)
    return [root / file.path for file in found.files if "site-packages" not in file.path]


def many_sources() -> Iterator[tuple[str, Path]]:
    """Yield files of different releases, each with a path that keeps the releases apart."""
    roots = [fetch(corpus) for corpus in (*localization_corpora(), pinned("django"))]
    for root in dict.fromkeys(roots):
        for path in paths_of(root):
            yield f"{root.name}/{path.relative_to(root).as_posix()}", path


def sources(what: str, most_lines: int) -> list[tuple[str, bytes]]:
    """Return the path and content of the files of a root folder, or of many roots up to so many lines."""
    if what != "many":
        root = Path(what)
        return [(p.relative_to(root).as_posix(), p.read_bytes()) for p in paths_of(root)]
    taken: list[tuple[str, bytes]] = []
    lines = 0
    for path, place in many_sources():
        content = place.read_bytes()
        lines += content.count(b"\n")
        if lines > most_lines:
            break
        taken.append((path, content))
    return taken


def measure_here(what: str, most_lines: int) -> dict[str, Any]:
    """Return the figures of one source, read and linked in this process."""
    languages = LanguageSet.load()
    read = sources(what, most_lines)
    extract(b"x = 1\n", "x.py", languages.of_path("x.py"), digest="")  # loads the grammar
    before = _peak_mb()
    started = time.process_time()
    facts: list[FileFacts] = []
    for path, content in read:
        language = languages.of_path(path)
        if language is not None:
            facts.append(extract(content, path, language, digest=""))
    made = time.process_time()
    graph = link(facts, languages)
    ended = time.process_time()
    found = {
        "files": len(facts),
        "lines": sum(one.line_count for one in facts),
        "facts_s": made - started,
        "link_s": ended - made,
        "mb": _peak_mb() - before,
        "edges": len(graph.edges),
    }
    return found | one_by_one(facts, languages) if what == "many" else found


def one_by_one(facts: Sequence[FileFacts], languages: LanguageSet) -> dict[str, Any]:
    """Return the CPU seconds of linking each release by itself, the first folder of a path being its release."""
    releases: dict[str, list[FileFacts]] = {}
    for one in facts:
        releases.setdefault(one.path.partition("/")[0], []).append(one)
    started = time.process_time()
    for files in releases.values():
        link(files, languages)
    return {"releases": len(releases), "one_by_one_s": time.process_time() - started}


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(what: str | Path, most_lines: int = 0, rounds: int = 3) -> dict[str, Any]:
    """Return the figures of one source, the fastest of some rounds, each in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.link_speed", "--one", str(what)]
    runs = []
    for _ in range(rounds):
        done = subprocess.run(
            [*command, "--lines", str(most_lines)],
            cwd=CHECKOUT,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise BenchmarkError(f"{what}: {done.stderr.strip()[-1500:]}")
        runs.append(json.loads(done.stdout))
    return min(runs, key=lambda run: run["facts_s"] + run["link_s"])  # type: ignore[no-any-return]


def row(name: str, run: dict[str, Any]) -> tuple[object, ...]:
    """Return a table row (see `HEADER`)."""
    spent = run["facts_s"] + run["link_s"]
    return (
        *(name, run["files"], run["lines"]),
        *(round(run["facts_s"], 2), round(run["link_s"], 2), round(run["lines"] / spent)),
        round(run["mb"] / run["lines"] * 1000, 2),
    )


def growth_row(size: int, run: dict[str, Any]) -> tuple[object, ...]:
    """Return a row of the table of growth (see `GROWTH_HEADER`)."""
    return (
        *(f"{size:,} lines", run["lines"], run["releases"]),
        *(round(run["link_s"], 2), round(run["one_by_one_s"], 2)),
        round(run["link_s"] / run["one_by_one_s"], 2),
        round(run["link_s"] / run["lines"] * 1e6, 1),
    )


def promise_of_growth(growth: dict[int, dict[str, Any]]) -> Gate:
    """Return the promise that the largest size costs no more than its releases one by one."""
    largest = growth[max(growth)]
    ratio = largest["link_s"] / largest["one_by_one_s"]
    return Gate("linking a million lines at once / release by release", ratio, MOST_GROWTH, "ratio")


def promises(runs: dict[str, dict[str, Any]]) -> list[Gate]:
    """Return the promises on speed and memory of each source."""
    kept = []
    for name, run in runs.items():
        spent = run["facts_s"] + run["link_s"]
        per_line = spent / run["lines"] * LEAST_LINES_PER_S
        kept.append(Gate(f"{name}: CPU s for 20,000 lines", per_line, 1.0, "s"))
        memory = run["mb"] / run["lines"] * 1000
        kept.append(Gate(f"{name}: MB per 1,000 lines", memory, MOST_MB_PER_1000, "MB"))
    return kept


def peers(names: Sequence[str], runs: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what the type checkers spend on the call sites of each package, beside ours."""
    rows = []
    for name in names:
        root = fetch(pinned(name))
        spots = [site.spot for site in call_spots(root)]
        ours = runs[name]["facts_s"] + runs[name]["link_s"]
        for peer, (requirement, arguments) in SERVERS.items():
            program = environment(peer, (requirement,)).parent / peer
            with LanguageServer((program, *arguments), root, with_requirements()) as server:
                server.definitions(spots)
            rows.append(
                {
                    "package": name,
                    "tool": requirement,
                    "call sites": len(spots),
                    "CPU s": round(server.cpu_s, 2),
                    "ours CPU s": round(ours, 2),
                    "ratio": round(server.cpu_s / ours, 1),
                    "peak MB": round(server.peak_mb),
                }
            )
    return rows


def main() -> int:
    """Measure, print the tables, write the result; exit 1 when a promise is not kept."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--no-peers", action="store_true", help="without ty and pyrefly")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each source (default 3)")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--lines", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure_here(options.one, options.lines)))
        return 0
    load = load_average()
    try:
        roots = {name: fetch(pinned(name)) for name in (*PACKAGES, "django")}
        roots["standard library"] = standard_library()
        runs = {name: measured(root, rounds=options.rounds) for name, root in roots.items()}
        growth = {size: measured("many", size, options.rounds) for size in SIZES}
        asked = [] if options.no_peers else peers(PACKAGES, runs)
    except BenchmarkError as error:
        print(error, file=sys.stderr)
        return 1
    kept = [*promises(runs), promise_of_growth(growth)]
    print(markdown_table(HEADER, [row(name, run) for name, run in runs.items()]), end="\n\n")
    print(markdown_table(GROWTH_HEADER, [growth_row(s, r) for s, r in growth.items()]), end="\n\n")
    if asked:
        print(markdown_table(tuple(asked[0]), [tuple(one.values()) for one in asked]), end="\n\n")
    print(markdown_table(GATE_HEADER, [gate.row() for gate in kept]))
    write_result(
        "link-speed",
        data_pin={pinned(n).sdist: pinned(n).sha256 for n in (*PACKAGES, "django")},
        load_before=load,
        figures={
            "sources": runs,
            "growth": {str(size): run for size, run in growth.items()},
            "peers": asked,
            "promises": gates_as_data(kept),
        },
    )
    return 0 if all(gate.kept for gate in kept) else 1


if __name__ == "__main__":
    sys.exit(main())
