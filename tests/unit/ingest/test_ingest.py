"""An ingest from files to live stores: what it reads, what it says, and what it leaves when it fails."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from ingest_types import Ingest, Write

from hindsight_neo4j import Hindsight
from hindsight_neo4j.errors import SettingsError, SourceError, StoreUnavailable, WriteFailed
from hindsight_neo4j.ingest.pipeline import ingest
from hindsight_neo4j.model.graph import Graph
from hindsight_neo4j.settings import IngestOptions
from hindsight_neo4j.stores.embedded_graph import EmbeddedGraph
from hindsight_neo4j.stores.embedded_text import EmbeddedText
from hindsight_neo4j.stores.index_folder import FOLDER_NAME, Generation, IndexFolder

Export = Callable[[Path], list[str]]

SHOP: dict[str, str | bytes] = {
    "b.py": "def f():\n    return 1\n",
    "a.py": "from b import f\n\ndef g():\n    return f()\n",
}


def ids(lines: list[str]) -> set[str]:
    return {row["id"] for row in map(json.loads, lines) if row["type"] == "node"}


def edges(lines: list[str], kind: str) -> set[tuple[str, str]]:
    rows = map(json.loads, lines)
    return {(r["src"], r["dst"]) for r in rows if r["type"] == "edge" and r["kind"] == kind}


def test_the_numbers_reported_are_those_in_the_database(
    write: Write, run_ingest: Ingest, export: Export
) -> None:
    root = write(SHOP)

    report = run_ingest(root)

    rows = [json.loads(line) for line in export(root)]
    kinds = Counter((row["type"], row["kind"]) for row in rows)
    assert {("node", kind.lower()): n for kind, n in report.nodes.items()} | {
        ("edge", kind.lower()): n for kind, n in report.edges.items() if n
    } == dict(kinds)
    assert (report.files, report.lines, report.extracted, report.unchanged) == (2, 6, 2, False)
    assert report.chunks == 3
    assert report.index_bytes > 0


def test_a_second_ingest_changes_nothing(write: Write, run_ingest: Ingest, export: Export) -> None:
    root = write(SHOP)
    first = run_ingest(root)
    before = (root / FOLDER_NAME / "CURRENT").read_text(), export(root)

    second = run_ingest(root)

    assert second.unchanged
    assert second.extracted == 0
    assert (second.nodes, second.edges, second.chunks) == (first.nodes, first.edges, first.chunks)
    assert ((root / FOLDER_NAME / "CURRENT").read_text(), export(root)) == before


def test_only_changed_files_are_read_again_and_the_graph_is_that_of_a_clean_ingest(
    write: Write, run_ingest: Ingest, export: Export, tmp_path: Path
) -> None:
    """Bug case 7."""
    root = write(SHOP)
    run_ingest(root, snapshot="s")

    write({"b.py": "def f():\n    return 1\n# a comment\n"})
    report = run_ingest(root, snapshot="s")

    assert report.extracted == 1
    assert ("a.py:g", "b.py:f") in edges(export(root), "invokes")
    clean = IndexFolder(tmp_path / "clean")
    again = run_ingest(root, clean, snapshot="s")
    assert (again.nodes, again.edges, again.chunks) == (report.nodes, report.edges, report.chunks)


def test_a_file_rewritten_at_the_same_time_and_size_is_noticed(
    write: Write, run_ingest: Ingest, export: Export
) -> None:
    root = write(SHOP)
    run_ingest(root)
    status = (root / "b.py").stat()

    write({"b.py": "def h():\n    return 1\n"})
    os.utime(root / "b.py", ns=(status.st_atime_ns, status.st_mtime_ns))
    run_ingest(root)

    assert "b.py:h" in ids(export(root))


def test_a_renamed_file_leaves_no_ghost(write: Write, run_ingest: Ingest, export: Export) -> None:
    """Bug case 8."""
    root = write(SHOP)
    run_ingest(root)

    (root / "b.py").rename(root / "c.py")
    write({"a.py": "from c import f\n\ndef g():\n    return f()\n"})
    report = run_ingest(root)

    lines = export(root)
    assert not [line for line in lines if '"b.py' in line]
    assert ("a.py:g", "c.py:f") in edges(lines, "invokes")
    chunks = EmbeddedText.open(IndexFolder.of_repository(root).current().text)
    hits = chunks.search("def return f", snapshot=report.snapshot, limit=10)
    assert {hit.chunk.path for hit in hits} == {"a.py", "c.py"}
    chunks.close()


def test_encodings_are_read_or_skipped_with_the_reason(
    write: Write, run_ingest: Ingest, export: Export
) -> None:
    """Bug case 9."""
    root = write(
        {
            "l.py": b'# -*- coding: latin-1 -*-\nX = "caf\xe9"\ndef lire():\n    return X\n',
            "bom.py": b"\xef\xbb\xbfdef marked():\n    pass\n",
            "wide.py": "def wide(): pass\n".encode("utf-16"),
            "nul.py": b"def nul(): pass\n\0",
        }
    )

    report = run_ingest(root)

    rows = {row["id"]: row for row in map(json.loads, export(root)) if row["type"] == "node"}
    assert (rows["l.py:lire"]["start_line"], rows["l.py:lire"]["end_line"]) == (3, 4)
    assert rows["bom.py:marked"]["start_line"] == 1
    assert [(s.path, s.reason) for s in report.skipped] == [
        ("nul.py", "binary"),
        ("wide.py", "encoding"),
    ]
    assert report.files == 2


def test_files_with_errors_are_read_and_listed(
    write: Write, run_ingest: Ingest, export: Export
) -> None:
    """Bug case 10."""
    root = write(
        {
            "broken.py": (
                "def good():\n    return 1\n\ndef broken(:\n    pass\n\n"
                "def also_good():\n    return good()\n"
            ),
            "two.py": 'def old():\n    print "two"\n',
        }
    )

    report = run_ingest(root)

    lines = export(root)
    assert {"broken.py:good", "broken.py:also_good", "two.py:old"} <= ids(lines)
    assert ("broken.py:also_good", "broken.py:good") in edges(lines, "invokes")
    assert [(p.path, p.line) for p in report.problems] == [("broken.py", 4), ("two.py", 2)]


@pytest.mark.skipif(os.name != "posix", reason="needs symbolic links")
def test_a_link_loop_ends_and_each_file_is_read_once(
    write: Write, run_ingest: Ingest, export: Export
) -> None:
    """Bug case 11."""
    root = write({"pkg/x.py": "def f(): pass\n"})
    (root / "pkg/loop").symlink_to(".")
    (root / "pkg/y.py").symlink_to("x.py")

    report = run_ingest(root)

    assert report.files == 1
    assert [(s.path, s.reason) for s in report.skipped] == [("pkg/y.py", "symbolic link")]
    assert ids(export(root)) == {".", "pkg", "pkg/x.py", "pkg/x.py:f"}


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "holds no files"),
        ({"README.md": "#", "data.csv": "1"}, r"no source in .* among 2 files.*\.py"),
        ({"a.py": "def f(): pass\0"}, "none of 1 source files in .* was read: binary 1"),
        ({"a.py": "x = 1\n", "b.py": "y = 2\n"}, "no class or function in 2 source files"),
        ({"a.py": "def (:\n"}, r"no class or function in 1 source files.*a\.py:1"),
        ({"node_modules/a.py": ""}, r"nothing in .* was read; skipped: ignored by default 1"),
    ],
)
def test_a_repository_with_nothing_to_read_is_an_error_that_says_why(
    write: Write, run_ingest: Ingest, files: dict[str, str | bytes], message: str
) -> None:
    root = write(files)

    with pytest.raises(SourceError, match=message) as caught:
        run_ingest(root)

    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 1
    with pytest.raises(StoreUnavailable):
        IndexFolder.of_repository(root).current()


def test_a_root_that_is_no_readable_directory_is_said(
    write: Write, run_ingest: Ingest, tmp_path: Path
) -> None:
    root = write(SHOP)
    folder = IndexFolder(tmp_path / "index")

    for path, message in (
        (tmp_path / "none", "does not exist"),
        (root / "a.py", "is no directory"),
        (Path("nul\0"), "cannot be read"),
        (tmp_path / ("x" * 5_000), "cannot be read"),
    ):
        with pytest.raises(SourceError, match=message):
            run_ingest(path, folder)
    assert not folder.path.exists()


@pytest.fixture
def locked(open_place: Path) -> Path:
    root = open_place / "locked"
    root.mkdir()
    root.chmod(0)
    return root


@pytest.mark.usefixtures("locked", "unprivileged")
def test_a_root_without_permission_is_said(locked: Path, run_ingest: Ingest) -> None:
    with pytest.raises(SourceError, match=r"cannot be read .*ermission"):
        run_ingest(locked)


@pytest.fixture
def not_ours(open_place: Path) -> Path:
    (open_place / "a.py").write_text("def f(): pass\n")
    (open_place / "b.py").write_text("def g(): pass\n")
    (open_place / "b.py").chmod(0)
    return open_place


@pytest.mark.usefixtures("not_ours", "unprivileged")
def test_a_repository_that_cannot_be_written_says_where_else_to_put_the_index(
    not_ours: Path, run_ingest: Ingest
) -> None:
    if os.geteuid() == not_ours.stat().st_uid:
        pytest.skip("only another user's directory cannot be written")
    with pytest.raises(StoreUnavailable, match=r"cannot write the index folder .*--index DIR"):
        run_ingest(not_ours)

    with TemporaryDirectory() as index:
        report = run_ingest(not_ours, IndexFolder(Path(index)))

    assert [(s.path, s.reason) for s in report.skipped] == [("b.py", "unreadable")]


def test_a_grammar_that_does_not_load_is_an_error_that_names_it(
    write: Write, tmp_path: Path
) -> None:
    """Bug case 13."""
    root = write(SHOP)
    stub = tmp_path / "stub"
    stub.mkdir()
    (stub / "tree_sitter_python.py").write_text("raise ImportError('no such library')\n")
    code = f"from hindsight_neo4j import Hindsight\nHindsight.open({str(root)!r}).ingest()"

    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(stub)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode != 0
    last = run.stderr.strip().splitlines()[-1]
    assert "LanguageError" in last
    assert "tree_sitter_python" in last
    assert "pip install" in last


def test_an_index_folder_of_another_repository_is_refused(
    write: Write, run_ingest: Ingest, tmp_path: Path
) -> None:
    folder = IndexFolder(tmp_path / "index")
    run_ingest(write(SHOP), folder)
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.py").write_text("def f(): pass\n")

    with pytest.raises(SettingsError, match=r"belongs to .*repo.*--index DIR"):
        run_ingest(other, folder)


def test_a_moved_repository_takes_its_index_along(
    write: Write, run_ingest: Ingest, tmp_path: Path
) -> None:
    root = write(SHOP)
    run_ingest(root)
    moved = root.rename(tmp_path / "moved")

    report = run_ingest(moved)

    assert report.root == str(moved)
    assert not report.unchanged


@pytest.mark.parametrize("name", ["", "a b", "a|b", "a\nb", "x" * 201, "\0"])
def test_an_impossible_snapshot_name_is_refused(
    write: Write, run_ingest: Ingest, name: str
) -> None:
    with pytest.raises(SettingsError, match="is no name for a snapshot"):
        run_ingest(write(SHOP), snapshot=name)


class Full(EmbeddedGraph):
    """A graph store whose disk is full."""

    def write(self, snapshot: str, graph: Graph) -> None:
        raise WriteFailed("no space left")


@pytest.mark.parametrize("fails_at", ["open_graph", "open_chunks", "write"])
def test_a_store_that_fails_leaves_the_live_index_as_it_was(
    write: Write, run_ingest: Ingest, export: Export, fails_at: str
) -> None:
    root = write(SHOP)
    folder = IndexFolder.of_repository(root)
    run_ingest(root)
    before = export(root)
    write({"b.py": "def changed(): pass\n"})

    def refuse(generation: Generation) -> EmbeddedText:
        raise StoreUnavailable("does not open")

    opened = {
        "open_graph": lambda generation: EmbeddedGraph.create(generation.graph),
        "open_chunks": lambda generation: EmbeddedText.create(generation.text),
    }
    if fails_at == "write":
        opened["open_graph"] = lambda generation: Full.create(generation.graph)
    else:
        opened[fails_at] = refuse
    with pytest.raises((StoreUnavailable, WriteFailed)):
        ingest(root, folder, IngestOptions.load(workers=1), **opened)

    assert export(root) == before
    assert len(list((folder.path / "generations").iterdir())) == 1
    assert run_ingest(root).extracted == 0
    assert "b.py:changed" in ids(export(root))


@pytest.mark.parametrize("damage", ["overwritten", "cut", "foreign", "blob"])
def test_damaged_facts_are_moved_away_and_made_again(
    write: Write, run_ingest: Ingest, export: Export, damage: str
) -> None:
    root = write(SHOP)
    run_ingest(root)
    before = export(root)
    facts = IndexFolder.of_repository(root).facts
    if damage == "overwritten":
        facts.write_bytes(b"no database " * 1_000)
    elif damage == "cut":
        facts.write_bytes(facts.read_bytes()[:5_000])
    elif damage == "foreign":
        facts.unlink()
        with sqlite3.connect(facts) as db:
            db.execute("CREATE TABLE file (x)")
            db.execute("PRAGMA user_version = 3")
    else:
        with sqlite3.connect(facts) as db:
            db.execute("UPDATE file SET facts = x'00', chunks = x'00'")

    report = run_ingest(root, is_sound=lambda _: False)

    assert not report.unchanged
    assert export(root) == before


def test_stores_that_do_not_open_are_made_again_from_the_facts(
    write: Write, run_ingest: Ingest, export: Export
) -> None:
    root = write(SHOP)
    run_ingest(root)
    before = export(root)
    IndexFolder.of_repository(root).current().graph.write_bytes(b"broken")

    with Hindsight.open(root) as repository:
        report = repository.ingest()

    assert not report.unchanged
    assert report.extracted == 0
    assert export(root) == before


def test_other_options_read_anew(write: Write, run_ingest: Ingest) -> None:
    root = write({**SHOP, "g.py": "# generated, do not edit\ndef made(): pass\n"})

    assert [s.flag for s in run_ingest(root).skipped] == ["--include-generated"]
    report = run_ingest(root, include_generated=True)
    assert (report.unchanged, report.files, report.skipped) == (False, 3, ())


def test_the_order_and_the_number_of_workers_do_not_show(
    write: Write, run_ingest: Ingest, export: Export
) -> None:
    root = write(
        {
            f"p{n % 3}/m{n}.py": f"from p{(n + 1) % 3}.m{(n + 1) % 20} import *\n"
            f"class C{n}:\n    def m(self):\n        return f{(n + 1) % 20}()\ndef f{n}(): pass\n"
            for n in range(20)
        }
    )
    exports = []
    with ThreadPoolExecutor(3) as threads:
        for how in (
            {"workers": 1},
            {"workers": 2, "pool_bytes": 0, "batch_bytes": 300},
            {"executor": threads, "batch_bytes": 100},
        ):
            executor = how.pop("executor", None)
            ingest(
                root,
                IndexFolder.of_repository(root),
                IngestOptions.load(**how),
                open_graph=lambda generation: EmbeddedGraph.create(generation.graph),
                open_chunks=lambda generation: EmbeddedText.create(generation.text),
                executor=executor,
            )
            exports.append(export(root))
            IndexFolder.of_repository(root).facts.unlink()
            (root / FOLDER_NAME / "CURRENT").unlink()

    assert exports[0] == exports[1] == exports[2]


def die() -> None:
    os._exit(1)


def test_an_executor_that_dies_loses_nothing(
    write: Write, run_ingest: Ingest, export: Export
) -> None:
    root = write(SHOP)
    executor = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
    dying = executor.submit(die)
    assert dying.exception() is not None

    report = ingest(
        root,
        IndexFolder.of_repository(root),
        IngestOptions.load(workers=1),
        open_graph=lambda generation: EmbeddedGraph.create(generation.graph),
        open_chunks=lambda generation: EmbeddedText.create(generation.text),
        executor=executor,
    )

    assert report.files == 2
    executor.shutdown()


def test_a_script_without_a_main_guard_is_told_so(write: Write, tmp_path: Path) -> None:
    root = write({f"m{n}.py": "def f(): pass\n" for n in range(3)})
    script = tmp_path / "script.py"
    script.write_text(
        "from hindsight_neo4j import Hindsight\n"
        "from hindsight_neo4j.settings import IngestOptions\n"
        f"repository = Hindsight.open({str(root)!r})\n"
        "repository.ingest(options=IngestOptions.load(workers=2, pool_bytes=0))\n"
    )

    run = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=False
    )

    assert run.returncode != 0
    assert '__name__ == "__main__"' in run.stderr.strip().splitlines()[-1]


def test_every_chunk_belongs_to_a_node_also_in_stubs(
    write: Write, run_ingest: Ingest, export: Export
) -> None:
    root = write(
        {
            "a.py": "def f(x): return x\n",
            "a.pyi": "def f(x: int) -> int: ...\n",
            "alone.pyi": "def h() -> int: ...\n",
        }
    )
    report = run_ingest(root)

    nodes = ids(export(root))
    chunks = EmbeddedText.open(IndexFolder.of_repository(root).current().text)
    hits = chunks.search("def f h int", snapshot=report.snapshot, limit=10)
    chunks.close()
    assert {hit.chunk.symbol for hit in hits} == {"a.py:f", "a.pyi", "alone.pyi:h"}
    assert {hit.chunk.symbol for hit in hits} <= nodes
