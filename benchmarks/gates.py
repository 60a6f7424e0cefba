"""The promises about the graph itself, on flask, Django and this repository.

    python benchmarks/gates.py
    python benchmarks/gates.py --only flask

For each source: the counts of the summary, of the database and of the export are equal; a second ingest changes nothing;
a copy whose files were made in the reverse order gives the same export, byte for byte. On flask, also the callers of its
two `url_for` functions, against the list of the benchmark data (`HINDSIGHT_BENCH`).
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.corpora import fetch, pinned
from benchmarks.measuring import (
    CHECKOUT,
    BenchmarkError,
    bench_data,
    cache_folder,
    json_lines,
    load_average,
    markdown_table,
    run_measured,
    tool,
    write_result,
)

OURSELVES = "hindsight-neo4j"
SOURCES = ("flask", "django", OURSELVES)


@dataclass(frozen=True, slots=True)
class Check:
    """A promise, whether it was kept, and what was seen."""

    source: str
    promise: str
    kept: bool
    seen: str

    def row(self) -> tuple[str, str, bool, str]:
        """Return a table row."""
        return self.source, self.promise, self.kept, self.seen


def ingest(source: Path, index: Path) -> dict[str, Any]:
    """Ingest a source and return the summary as data."""
    command = (tool("hindsight-ingest"), source, "--index", index, "--workers", "2", "--json")
    summary: dict[str, Any] = json.loads(run_measured(command).stdout)
    return summary


def export(index: Path) -> str:
    """Return the exported graph."""
    command = (tool("hindsight"), "export", "--format", "jsonl", "--index", index)
    return run_measured(command).stdout


def counts(by_kind: Mapping[str, int]) -> Counter[str]:
    """Return counts by kind as the export writes kinds, without those that are zero."""
    return Counter({kind.lower(): number for kind, number in by_kind.items() if number})


def exported_counts(exported: str) -> tuple[Counter[str], Counter[str]]:
    """Return nodes and edges of an export by kind."""
    lines = json_lines(exported)
    nodes = Counter(line["kind"] for line in lines if line["type"] == "node")
    edges = Counter(line["kind"] for line in lines if line["type"] == "edge")
    return nodes, edges


def database_counts(index: Path) -> tuple[Counter[str], Counter[str]]:
    """Return nodes and edges by kind as the graph store counts them."""
    command = (tool("hindsight"), "status", "--json", "--index", index)
    said = json.loads(run_measured(command).stdout)
    return counts(said["nodes"]), counts(said["edges"])


def files_of(source: Path) -> list[Path]:
    """Return the regular files below a folder, relative to it, in sorted order."""
    return sorted(
        path.relative_to(source)
        for path in source.rglob("*")
        if path.is_file() and not path.is_symlink()
    )


def our_files() -> list[Path]:
    """Return the files of this checkout that Git tracks or would track, relative to it, in sorted order."""
    command = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    listed = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    names = set(filter(None, listed.stdout.split("\0")))
    return sorted(Path(name) for name in names if (CHECKOUT / name).is_file())


def copy(source: Path, files: Iterable[Path], target: Path) -> Path:
    """Copy files into a new tree, made in the order given, and return it."""
    for file in files:
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / file, target / file)
    return target


def check_source(name: str, folder: Path) -> Iterable[Check]:
    """Yield the checks of one source, working in an empty folder."""
    origin = CHECKOUT if name == OURSELVES else fetch(pinned(name))
    files = our_files() if name == OURSELVES else files_of(origin)
    source = copy(origin, files, folder / "forwards" / name)
    index = folder / "index"
    summary = ingest(source, index)
    exported = export(index)
    three = {
        "summary": (counts(summary["nodes"]), counts(summary["edges"])),
        "database": database_counts(index),
        "export": exported_counts(exported),
    }
    nodes, edges = (sum(part.values()) for part in three["export"])
    equal = three["summary"] == three["database"] == three["export"]
    yield Check(name, "summary = database = export", equal, f"{nodes} nodes, {edges} edges")
    again = ingest(source, index)
    same = bool(again["unchanged"]) and export(index) == exported
    yield Check(name, "a second ingest changes nothing", same, f"{again['seconds']:.2f} s")
    ingest(copy(origin, reversed(files), folder / "backwards" / name), folder / "index-backwards")
    backwards = export(folder / "index-backwards")
    yield Check(
        name,
        "another file order, the same export",
        backwards == exported,
        _difference(exported, backwards),
    )
    if name == "flask":
        yield _url_for(folder, exported)


def _difference(one: str, other: str) -> str:
    apart = set(one.split("\n")) ^ set(other.split("\n"))
    return f"{len(apart)} lines differ" if apart else f"{one.count(chr(10))} lines"


def _url_for(folder: Path, exported: str) -> Check:
    edges = folder / "flask.jsonl"
    edges.write_text(exported, encoding="utf-8")
    gate = bench_data() / "tools" / "gate_flask_url_for.py"
    command = (sys.executable, gate, "--json", "--edges", edges)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchmarkError(f"gate_flask_url_for.py: {done.stderr.strip()[-1500:]}")
    said = json.loads(done.stdout)
    return Check("flask", "who calls url_for", bool(said["passed"]), json.dumps(said)[:300])


def main() -> int:
    """Check the promises and print them; exit 1 when one is not kept."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", choices=SOURCES, action="append", help="one source")
    chosen = parser.parse_args().only or SOURCES
    load = load_average()
    checks: list[Check] = []
    cache_folder().mkdir(parents=True, exist_ok=True)
    try:
        for name in chosen:
            with tempfile.TemporaryDirectory(dir=cache_folder()) as folder:
                checks += check_source(name, Path(folder))
    except BenchmarkError as error:
        print(error, file=sys.stderr)
        return 1
    header = ("source", "promise", "kept", "seen")
    print(markdown_table(header, [check.row() for check in checks]))
    write_result(
        "gates" if chosen == SOURCES else "gates-part",
        data_pin={pinned(n).sdist: pinned(n).sha256 for n in chosen if n != OURSELVES},
        load_before=load,
        figures={"promises": [dict(zip(header, check.row(), strict=True)) for check in checks]},
    )
    return 0 if all(check.kept for check in checks) else 1


if __name__ == "__main__":
    sys.exit(main())
