"""Our calls beside those of other tools, on five recorded packages: recall, precision and F1, all measured here.

    python benchmarks/peer_edges.py                  # all tools that can be installed, about fifteen minutes
    python benchmarks/peer_edges.py --only flask     # one package

Every tool's edges are scored by `score_calls.py` of the benchmark data, in one table:

    bare names            a call is an edge to every function or class of the package that is called so
    reachable names       the same, but only to those in the caller's file and in those it imports from (LocAgent's rule)
    PyCG                  its call graph
    code-review-graph     its CALLS edges that lead to a node of its own; the others are bare names
    scip-python, ty, pyrefly   where they say that each of our call sites leads; a class means its constructor
    ours                  strict (tiers direct and typed), default view (confidence from .5), all tiers

The packages' own requirements are installed for the tools that want them.
A tool that cannot be installed here, or gives nothing within `GIVE_UP_S`, has an empty row.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.calls import NEEDED, RECORDED, VIEWS, graph_of, recorded, score, write_export
from benchmarks.corpora import environment, fetch, pinned
from benchmarks.language_server import LanguageServer, Spot
from benchmarks.measuring import (
    BenchmarkError,
    cache_folder,
    load_average,
    markdown_table,
    run_measured,
    write_result,
)
from benchmarks.peers import crg_program, place_for
from hindsight_neo4j.evidence import EvidenceFiles
from hindsight_neo4j.extract import extract
from hindsight_neo4j.ingest.rules import Rules
from hindsight_neo4j.ingest.walk import walk
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.link import link
from hindsight_neo4j.model.facts import FileFacts, Op, ScopeKind
from hindsight_neo4j.model.graph import EdgeKind, Graph

SERVERS: Final = {"ty": ("ty==0.0.108", ("server",)), "pyrefly": ("pyrefly==1.5.0", ("lsp",))}
"""Type checkers: the release, and the arguments that make it a language server."""

SCIP_PYTHON: Final = "@sourcegraph/scip-python@0.6.6"
PYCG: Final = ("pycg==0.0.8", "setuptools<81")
CRG_CALLS: Final = """
    SELECT caller.file_path, CASE caller.kind WHEN 'File' THEN 0 ELSE caller.line_start END,
        callee.file_path, callee.line_start, edge.line
    FROM edges edge
    JOIN nodes caller ON caller.qualified_name = edge.source_qualified
    JOIN nodes callee ON callee.qualified_name = edge.target_qualified
    WHERE edge.kind = 'CALLS' AND callee.kind <> 'File'
"""
"""Both ends with the line that they start on; a file, which calls at its top level, has line 0."""
GIVE_UP_S: Final = 150
MOST_FILE_BYTES: Final = 2_000_000

Edges = dict[tuple[str, str], set[int]]
"""(caller, callee) -> call-site lines."""


@dataclass(frozen=True, slots=True)
class Site:
    """A call site: where its callee's last name stands, what that name is, and who calls."""

    spot: Spot
    name: str
    caller: str


def with_requirements() -> dict[str, str]:
    """Return an environment in which the packages' own requirements are installed."""
    python = environment("imports", NEEDED)
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "VIRTUAL_ENV": str(python.parent.parent), "PATH": path}


def facts_of(root: Path) -> list[FileFacts]:
    """Return the facts of all files below a root."""
    languages = LanguageSet.load()
    found = walk(root, languages, Rules.load(), max_file_bytes=MOST_FILE_BYTES)
    return [
        extract((root / file.path).read_bytes(), file.path, language, digest="")
        for file in found.files
        if (language := languages.of_path(file.path)) is not None
    ]


def call_spots(root: Path) -> list[Site]:
    """Return the call sites of a source tree."""
    return [site for facts in facts_of(root) for site in sites_of(facts)]


def sites_of(facts: FileFacts) -> Iterator[Site]:
    """Yield the call sites of a file; those of lambdas belong to the function around."""
    for expr in facts.exprs:
        if expr.op == Op.CALL:
            callee = facts.exprs[expr.args[0]]
            if callee.op in (Op.NAME, Op.ATTRIBUTE):
                scope = facts.scopes[expr.scope]
                caller = f"{facts.path}:{scope.qualname}" if scope.qualname else facts.path
                yield Site(Spot(facts.path, callee.line, callee.column), callee.text, caller)


def definitions(files: Iterable[FileFacts]) -> dict[tuple[str, int], str]:
    """Return the id of the function or class whose name stands on each line."""
    return {
        (facts.path, scope.name_line): f"{facts.path}:{scope.qualname}"
        for facts in files
        for scope in facts.scopes
        if scope.kind in (ScopeKind.CLASS, ScopeKind.FUNCTION)
    }


# ---------------------------------------------------------------- the tools


def bare_names(files: list[FileFacts], _: Path) -> Edges:
    """Return an edge from each call site to all that is called so."""
    return _by_name(files, lambda _, __: True)


def reachable_names(files: list[FileFacts], _: Path) -> Edges:
    """Return an edge from each call site to all of that name in the caller's file and in those it imports from."""
    imported = _imports(files)
    return _by_name(files, lambda caller, callee: callee in imported[caller])


def _by_name(files: list[FileFacts], fits: Callable[[str, str], bool]) -> Edges:
    named: dict[str, list[tuple[str, str]]] = {}
    for (path, _), symbol in definitions(files).items():
        name = symbol.rpartition(":")[2].rpartition(".")[2].partition("~")[0]
        named.setdefault(name, []).append((path, symbol))
    edges: Edges = {}
    for facts in files:
        for site in sites_of(facts):
            for path, symbol in named.get(site.name, ()):
                if fits(facts.path, path):
                    edges.setdefault((site.caller, symbol), set()).add(site.spot.line)
    return edges


def _imports(files: list[FileFacts]) -> dict[str, set[str]]:
    """Return the files that each file imports from, itself among them, by our own IMPORTS edges."""
    direct = {facts.path: {facts.path} for facts in files}
    for edge in link(files, LanguageSet.load()).edges:
        if edge.kind is EdgeKind.IMPORTS:
            target = edge.dst.partition(":")[0]
            if target in direct:
                direct[edge.src].add(target)
    return direct


def of_server(peer: str) -> Callable[[list[FileFacts], Path], Edges]:
    """Return what asks a type checker where each call site leads."""

    def edges_of(files: list[FileFacts], root: Path) -> Edges:
        requirement, arguments = SERVERS[peer]
        program = environment(peer, (requirement,)).parent / peer
        sites = [site for facts in files for site in sites_of(facts)]
        defined = definitions(files)
        with LanguageServer((program, *arguments), root, with_requirements()) as server:
            found = server.definitions(site.spot for site in sites)
        edges: Edges = {}
        for site in sites:
            for place in found[site.spot]:
                if place in defined:
                    edges.setdefault((site.caller, defined[place]), set()).add(site.spot.line)
        return edges

    return edges_of


def scip_python(files: list[FileFacts], root: Path) -> Edges:
    """Return what scip-python's index says about each call site."""
    folder = cache_folder() / "environments" / "scip-python"
    program = folder / "node_modules" / ".bin" / "scip-python"
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _run(("npm", "install", "--no-audit", "--no-fund", "--prefix", folder, SCIP_PYTHON), root)
    with tempfile.TemporaryDirectory() as scratch:
        index = Path(scratch) / "index.scip"
        named = ("--project-name", "x", "--project-version", "1", "--output", index)
        _run((program, "index", ".", *named), root)
        (evidence,) = EvidenceFiles(scip=(index,)).read(root)
    defined = definitions(files)
    symbols = {
        mention.symbol: defined[path, mention.line]
        for path, mentions in evidence.mentions.items()
        for mention in mentions
        if mention.is_definition and (path, mention.line) in defined
    }
    used = {
        Spot(path, mention.line, mention.column): symbols[mention.symbol]
        for path, mentions in evidence.mentions.items()
        for mention in mentions
        if mention.symbol in symbols
    }
    edges: Edges = {}
    for facts in files:
        for site in sites_of(facts):
            if site.spot in used:
                edges.setdefault((site.caller, used[site.spot]), set()).add(site.spot.line)
    return edges


def pycg(files: list[FileFacts], root: Path) -> Edges:
    """Return PyCG's call graph. It has no lines, and names start inside the package."""
    python = environment("pycg", PYCG)
    for installed in python.parent.parent.glob("lib/*/site-packages/PyCG"):
        # It imports itself in lower case, and so runs as installed only where case does not count.
        installed.with_name("pycg").unlink(missing_ok=True)
        installed.with_name("pycg").symlink_to(installed.name)
    (package,) = {folder for folder in RECORDED.values() if (root / folder).is_dir()}
    above = (root / package).parent
    entries = [root / facts.path for facts in files if facts.path.startswith(f"{package}/")]
    command = (python, "-m", "pycg", "--package", Path(package).name, *entries)
    said: dict[str, list[str]] = json.loads(_run(command, above))
    dotted = {}
    for facts in files:
        module = facts.path.removeprefix(f"{package}/").removesuffix(".py").replace("/", ".")
        for scope in facts.scopes:
            symbol = f"{facts.path}:{scope.qualname}" if scope.qualname else facts.path
            parts = (module.removesuffix(".__init__"), *filter(None, (scope.qualname,)))
            dotted.setdefault(".".join(parts), symbol)
    return {
        (dotted[caller], dotted[callee]): set()
        for caller, callees in said.items()
        for callee in callees
        if caller in dotted and callee in dotted
    }


def code_review_graph(files: list[FileFacts], root: Path) -> Edges:
    """Return the calls that code-review-graph's database holds with both ends resolved."""
    with place_for(root) as place:
        run_measured(
            (crg_program(), "build", "--repo", place.source), cwd=place.source, env=place.env()
        )
        database = place.source / ".code-review-graph" / "graph.db"
        with closing(sqlite3.connect(database)) as connection:
            rows = connection.execute(CRG_CALLS).fetchall()
        above = f"{place.source}/"
    # It names functions inside functions otherwise than we do, so lines tell which is meant.
    known: dict[tuple[str, int], str] = {
        (facts.path, scope.start_line): f"{facts.path}:{scope.qualname}"
        for facts in files
        for scope in facts.scopes
        if scope.kind in (ScopeKind.CLASS, ScopeKind.FUNCTION)
    }
    known |= definitions(files)
    edges: Edges = {}
    for caller, caller_line, callee, callee_line, line in rows:
        source, target = caller.removeprefix(above), callee.removeprefix(above)
        src = known.get((source, caller_line), source)
        dst = known.get((target, callee_line))
        if dst is not None:
            edges.setdefault((src, dst), set()).add(line)
    return edges


def _run(command: Iterable[str | Path], cwd: Path) -> str:
    try:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=cwd,
            capture_output=True,
            text=True,
            check=False,
            timeout=GIVE_UP_S,
            env=with_requirements(),
        )
    except subprocess.TimeoutExpired as error:
        raise BenchmarkError(f"no end within {GIVE_UP_S} s") from error
    except OSError as error:
        raise BenchmarkError(f"it does not start ({error.strerror})") from error
    if done.returncode != 0:
        raise BenchmarkError(f"exit code {done.returncode}")
    return done.stdout


TOOLS: Final[Mapping[str, Callable[[list[FileFacts], Path], Edges]]] = {
    "bare names": bare_names,
    "reachable names (LocAgent's rule)": reachable_names,
    "PyCG 0.0.8": pycg,
    "code-review-graph 2.3.9": code_review_graph,
    "scip-python 0.6.6": scip_python,
    "ty 0.0.108": of_server("ty"),
    "pyrefly 1.5.0": of_server("pyrefly"),
}

# ---------------------------------------------------------------- scoring


def scored(name: str, export: Path, *options: str) -> dict[str, float]:
    """Return recall, precision and F1 of one export."""
    said = score("score_calls.py", *recorded(name, export), *options)
    (found,) = said["packages"].values()
    return {key: found[key] for key in ("recall", "precision", "f1")}


def compare(name: str, folder: Path) -> dict[str, dict[str, float] | str]:
    """Return the figures of every tool on one package, or why there are none."""
    root = fetch(pinned(name))
    files = facts_of(root)
    ours = graph_of(root)
    rows: dict[str, dict[str, float] | str] = {}
    for tool, edges_of in TOOLS.items():
        try:
            export = _export(ours, edges_of(files, root), folder / f"{name}-{len(rows)}.jsonl")
            rows[tool] = scored(name, export)
        except BenchmarkError as error:
            rows[tool] = f"no result: {error}"
    export = write_export(ours, folder / f"{name}-ours.jsonl")
    for view, options in VIEWS.items():
        rows[f"ours, {view}"] = scored(name, export, *options)
    return rows


def _export(ours: Graph, edges: Edges, target: Path) -> Path:
    """Write our nodes with a tool's edges."""
    rows: list[dict[str, Any]] = [
        {"type": "node", "id": node.id, "kind": node.kind.lower()} for node in ours.nodes
    ]
    rows += [
        {
            "type": "edge",
            "kind": "invokes",
            "src": src,
            "dst": dst,
            "lines": sorted(lines),
            "tier": "direct",
            "confidence": 1.0,
        }
        for (src, dst), lines in edges.items()
    ]
    target.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return target


def _cell(figures: dict[str, float] | str) -> str:
    if isinstance(figures, str):
        return "no result"
    return f"{figures['recall']:.2f} / {figures['precision']:.2f} ({figures['f1']:.2f})"


def main() -> int:
    """Compare, print the table and write the result."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", choices=tuple(RECORDED), action="append", help="one package")
    names = parser.parse_args().only or list(RECORDED)
    load = load_average()
    try:
        with tempfile.TemporaryDirectory() as scratch:
            found = {name: compare(name, Path(scratch)) for name in names}
    except BenchmarkError as error:
        print(error, file=sys.stderr)
        return 1
    tools = list(found[names[0]])
    print(
        markdown_table(
            ("recall / precision (F1)", *names),
            [(tool, *(_cell(found[name][tool]) for name in names)) for tool in tools],
        )
    )
    write_result(
        "peer-edges" if len(names) == len(RECORDED) else "peer-edges-part",
        data_pin={pinned(name).sdist: pinned(name).sha256 for name in names},
        load_before=load,
        figures=found,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
