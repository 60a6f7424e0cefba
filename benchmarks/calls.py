"""Are the edges right? Every scorer of edges in the benchmark data, on exports of the five recorded packages.

    python benchmarks/calls.py                # all figures and benchmarks/results/calls.json
    python benchmarks/calls.py --exports DIR  # keep the exports, to look at single edges with the scorers

Calls are compared with what the packages' own tests were seen to call (`score_calls.py`: the default view, the strict
tiers, all tiers), tests with the functions that they were seen to run (`score_tests.py`), PyCG's 119 small programs with their whole call graphs, `url_for` of flask with its 40 callers, and
imports, inheritance and overrides with the interpreter, which imports the packages for that.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.corpora import Corpus, environment, fetch, pinned
from benchmarks.measuring import (
    BenchmarkError,
    bench_data,
    json_lines,
    load_average,
    markdown_table,
    write_result,
)
from hindsight_neo4j.extract import extract
from hindsight_neo4j.ingest.rules import Rules
from hindsight_neo4j.ingest.walk import walk
from hindsight_neo4j.languages.confidence import Confidences
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.link import link
from hindsight_neo4j.model.graph import Graph
from hindsight_neo4j.settings import IngestOptions

RECORDED = {
    "flask": "src/flask",
    "click": "src/click",
    "jinja2": "src/jinja2",
    "sqlparse": "sqlparse",
    "mistune": "src/mistune",
}
"""The packages with recorded runs, and the folder of each that the runs are about."""

VIEWS: Mapping[str, tuple[str, ...]] = {
    "default": (),
    "strict": ("--tiers", "direct,typed"),
    "all tiers": ("--min-confidence", "0"),
}
"""What a reader may look at: edges from .5 up, those without guesses, and everything."""

NEEDED = (
    "markupsafe",
    "werkzeug",
    "itsdangerous",
    "blinker",
    "importlib-metadata",
    "click",
    "jinja2",
    "typing-extensions",
)
"""What the recorded packages import, for the interpreter that imports them."""


def graph_of(source: Path, confidences: Confidences | None = None) -> Graph:
    """Return the graph of a source tree, as an ingest would make it."""
    languages, options = LanguageSet.load(), IngestOptions.load()
    found = walk(source, languages, Rules.load(), max_file_bytes=options.max_file_bytes)
    facts = [
        extract(
            (source / file.path).read_bytes(), file.path, languages.of_path(file.path), digest=""
        )
        for file in found.files
    ]
    return link(facts, languages, confidences=confidences)


def write_export(graph: Graph, target: Path) -> Path:
    """Write a graph as `hindsight export --format jsonl` writes it, and return the file."""
    rows = [{"type": "node", **msgspec.structs.asdict(node)} for node in graph.nodes]
    rows += [{"type": "edge", **msgspec.structs.asdict(edge)} for edge in graph.edges]
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps({**row, "kind": row["kind"].lower()}) + "\n")
    return target


def score(script: str, *arguments: str | Path) -> dict[str, Any]:
    """Return what a scorer of the benchmark data says.

    Raises:
        BenchmarkError: It failed.
    """
    command = (sys.executable, bench_data() / "tools" / script, "--json", *arguments)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchmarkError(f"{script}: {done.stderr.strip()[-1500:]}")
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def recorded_run(corpus: Corpus) -> Path:
    """Return the file of what was seen when the tests of a release ran."""
    return bench_data() / "dynamic" / f"{corpus.root.lower()}.jsonl.gz"


def recorded(name: str, export: Path) -> list[str | Path]:
    """Return the options of `score_calls.py` for one package."""
    corpus = pinned(name)
    return [
        "--truth",
        recorded_run(corpus),
        "--source",
        fetch(corpus),
        "--package",
        RECORDED[name],
        "--edges",
        export,
    ]


def calls(exports: Mapping[str, Path]) -> dict[str, Any]:
    """Return what the recorded runs say about each view."""
    options = [option for name, export in exports.items() for option in recorded(name, export)]
    said = {view: score("score_calls.py", *options, *more) for view, more in VIEWS.items()}
    by_folder = {folder: name for name, folder in RECORDED.items()}
    kept = ("truth", "found", "right", "wrong", "unjudged", "recall", "precision", "f1")
    return {
        "views": {
            view: {
                by_folder[folder]: {
                    **{key: row[key] for key in kept},
                    "lines": row["call_sites"]["share_with_every_line"],
                }
                for folder, row in one["packages"].items()
            }
            for view, one in said.items()
        },
        "tiers": said["all tiers"]["tiers"],
        "calibration": said["all tiers"]["calibration"],
    }


def tests(exports: Mapping[str, Path]) -> dict[str, Any]:
    """Return by package how right the first five tests of each function are that some test ran."""
    kept = ("functions", "with_a_test_given", "right_test_in_5", "given_precision_at_5", "map")
    said = {
        name: score("score_tests.py", *recorded(name, export))["functions"]
        for name, export in exports.items()
    }
    return {name: {key: row[key] for key in kept} for name, row in said.items()}


def pycg(folder: Path) -> dict[str, Any]:
    """Return the figures of PyCG's programs: their `in_project` reading, and what is wrong in which."""
    cases = bench_data() / "pycg" / "cases.jsonl"
    for case in json_lines(cases.read_text(encoding="utf-8")):
        source = folder / "programs" / case["id"]
        for path, text in case["files"].items():
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            (source / path).write_text(text, encoding="utf-8")
        write_export(graph_of(source), folder / "pycg" / f"{case['id']}.jsonl")
    said = score("score_pycg.py", "--cases", cases, "--exports", folder / "pycg")
    return {
        **said["in_project"]["all"],
        "not_right": {
            row["id"]: {"missed": row["missed"], "false": row["false"]}
            for row in said["cases"]
            if row["reading"] == "in_project" and (row["missed"] or row["false"])
        },
    }


def gate(export: Path) -> bool:
    """Return whether all callers of flask's two `url_for` are there, and none that is wrong."""
    return bool(score("gate_flask_url_for.py", "--edges", export)["passed"])


def interpreter(name: str, export: Path, python: Path) -> dict[str, Any]:
    """Return precision and recall by edge kind of what importing a package shows."""
    said = score(
        "score_inherits_imports.py",
        *("--python", python, "--source", fetch(pinned(name)), "--package", RECORDED[name]),
        *("--edges", export),
    )
    return {
        kind: {key: said[kind][key] for key in ("precision", "recall")}
        for kind in ("inherits", "overrides", "imports")
    }


def figures(folder: Path, names: Iterable[str]) -> dict[str, Any]:
    """Return all figures, with the exports written below `folder`."""
    exports = {
        name: write_export(graph_of(fetch(pinned(name))), folder / f"{name}.jsonl")
        for name in names
    }
    python = environment("imports", NEEDED)
    return {
        "calls": calls(exports),
        "tests": tests(exports),
        "pycg": pycg(folder),
        "url_for": gate(exports["flask"]),
        "interpreter": {
            name: interpreter(name, export, python) for name, export in exports.items()
        },
    }


def print_figures(found: Mapping[str, Any]) -> None:
    """Print the figures as the tables of docs/benchmarks.md."""
    for view, packages in found["calls"]["views"].items():
        header = (view, "recall", "precision", "F1", "call-site lines")
        rows = [
            (name, row["recall"], row["precision"], row["f1"], row["lines"])
            for name, row in packages.items()
        ]
        print(markdown_table(header, rows), end="\n\n")
    tiers = [(row["tier"], row["judged"], row["precision"]) for row in found["calls"]["tiers"]]
    print(markdown_table(("tier", "judged", "precision"), tiers), end="\n\n")
    buckets = [
        (row["confidence"], row["judged"], row["stated"], row["observed"])
        for row in found["calls"]["calibration"]["buckets"]
    ]
    print(markdown_table(("confidence", "edges", "stated", "observed"), buckets), end="\n\n")
    said = found["calls"]["calibration"]
    print(
        f"calibration error {said['expected_calibration_error']:.3f}, from .5 up {said['expected_calibration_error_from_half']:.3f}\n"
    )
    given = [(name, *row.values()) for name, row in found["tests"].items()]
    header = (
        "package",
        "functions",
        "with a test",
        "a right one in 5",
        "right of those given",
        "MAP",
    )
    print(markdown_table(header, given), end="\n\n")
    row = found["pycg"]
    print(
        f"PyCG: complete {row['complete']}, sound {row['sound']} of {row['cases']}, precision {row['precision']:.3f}, recall {row['recall']:.3f}\n"
    )
    print(f"url_for: {'pass' if found['url_for'] else 'FAIL'}\n")
    kinds = [
        (name, kind, row["precision"], row["recall"])
        for name, by_kind in found["interpreter"].items()
        for kind, row in by_kind.items()
    ]
    print(markdown_table(("package", "edges", "precision", "recall"), kinds))


def main() -> int:
    """Score everything, print it and write the result."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--exports", type=Path, help="keep the exports in this folder")
    kept = parser.parse_args().exports
    load = load_average()
    try:
        with tempfile.TemporaryDirectory() as scratch:
            found = figures(kept or Path(scratch), RECORDED)
    except BenchmarkError as error:
        print(error, file=sys.stderr)
        return 1
    print_figures(found)
    pins = {pinned(name).sdist: pinned(name).sha256 for name in RECORDED}
    write_result("calls", data_pin=pins, load_before=load, figures=found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
