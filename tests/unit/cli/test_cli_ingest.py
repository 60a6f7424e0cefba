"""The summary of an ingest is true, and says enough to act on."""

from __future__ import annotations

import io
import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shop_repository import SOURCES, on_terminal, write

Cli = Callable[..., Any]


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    root = tmp_path / "fresh"
    write(root, SOURCES)
    return root


def counted_in_export(lines: str) -> tuple[Counter[str], Counter[str]]:
    rows = [json.loads(line) for line in lines.splitlines()]
    nodes = Counter(row["kind"] for row in rows if row["type"] == "node")
    return nodes, Counter(row["kind"] for row in rows if row["type"] == "edge")


def test_counts_are_equal_in_summary_database_and_export(cli: Cli, fresh: Path) -> None:
    report = json.loads(cli("ingest", fresh, "--json").out)
    status = json.loads(cli("status", "--repo", fresh, "--json").out)
    nodes, edges = counted_in_export(cli("export", "--repo", fresh).out)
    assert report["nodes"] == status["nodes"]
    assert report["edges"] == status["edges"]
    assert {kind.lower(): count for kind, count in report["nodes"].items()} == nodes
    assert {kind.lower(): count for kind, count in report["edges"].items()} == edges
    assert report["chunks"] == status["chunks"]


def test_the_summary_names_files_parsed_with_errors_and_the_first_error(
    cli: Cli, fresh: Path
) -> None:
    ran = cli("ingest", fresh)
    assert ran.code == 0
    assert "1 file parsed with errors" in ran.out
    assert "broken.py:5" in ran.out
    assert "unresolved  1 call" in ran.out


def test_skipped_files_are_counted_by_reason_and_listed_with_v(cli: Cli, fresh: Path) -> None:
    (fresh / "big.py").write_text("x = 1\n" * 200)
    (fresh / "zero.py").write_bytes(b"x = 1\0\n" * 3)
    ran = cli("ingest", fresh, "--max-file-bytes", "1000")
    assert "2 skipped: " in ran.out
    assert "1 size" in ran.out
    assert "big.py" not in ran.out
    ran = cli("ingest", fresh, "--max-file-bytes", "1000", "-v")
    assert "big.py" in ran.out
    assert "--max-file-bytes" in ran.out


def test_strict_fails_where_source_could_not_be_read(cli: Cli, fresh: Path) -> None:
    assert cli("ingest", fresh, "--strict").code == 0
    (fresh / "wide.py").write_bytes("x = 1\n".encode("utf-16"))
    assert cli("ingest", fresh).code == 0
    assert cli("ingest", fresh, "--strict").code == 1


def test_a_second_run_over_the_same_tree_says_so(cli: Cli, fresh: Path) -> None:
    first = cli("ingest", fresh)
    second = cli("ingest", fresh)
    assert "indexed in" in first.out
    assert "unchanged" in second.out
    exported = cli("export", "--repo", fresh).out
    assert cli("ingest", fresh, "--force").code == 0
    assert cli("export", "--repo", fresh).out == exported


def test_a_dry_run_counts_and_writes_nothing(cli: Cli, fresh: Path) -> None:
    before = sorted(fresh.rglob("*"))
    ran = cli("ingest", fresh, "--dry-run")
    assert ran.code == 0
    assert "not written" in ran.out
    assert sorted(fresh.rglob("*")) == before


def test_a_name_for_the_snapshot_is_kept(cli: Cli, fresh: Path) -> None:
    cli("ingest", fresh, "--snapshot", "mine")
    assert json.loads(cli("status", "--repo", fresh, "--json").out)["snapshot"] == "mine"
    assert cli("status", "--repo", fresh, "--snapshot", "mine").code == 0


def test_an_index_elsewhere_leaves_the_repository_as_it_is(
    cli: Cli, fresh: Path, tmp_path: Path
) -> None:
    cli("ingest", fresh, "--index", tmp_path / "index")
    assert not (fresh / ".hindsight").exists()
    assert cli("callers", "Store.put", "--index", tmp_path / "index").code == 0


def test_bars_are_drawn_on_a_terminal_and_nowhere_else(cli: Cli, fresh: Path) -> None:
    script = (
        "import sys; from hindsight_neo4j.cli import ingest_main;"
        f"sys.argv = ['hindsight-ingest', {str(fresh)!r}]; ingest_main()"
    )
    shown = on_terminal([sys.executable, "-c", script], TERM="xterm-256color")
    assert "extract" in shown
    assert "━" in shown
    ran = cli("ingest", fresh, "--force")
    assert ran.err == ""
    assert "━" not in ran.out


def test_the_same_graph_is_exported_to_the_same_bytes(
    cli: Cli, fresh: Path, tmp_path: Path
) -> None:
    cli("ingest", fresh)
    out = tmp_path / "graph.jsonl"
    ran = cli("export", "--repo", fresh, "-o", out)
    assert ran.out == ""
    assert "nodes" in ran.err
    assert out.read_text() == cli("export", "--repo", fresh, "-q").out
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_an_export_that_cannot_be_written_says_so(cli: Cli, fresh: Path, tmp_path: Path) -> None:
    cli("ingest", fresh)
    ran = cli("export", "--repo", fresh, "-o", tmp_path / "no" / "folder.jsonl")
    assert ran.code == 2
    assert "folder.jsonl" in ran.err


def test_forget_asks_first(cli: Cli, fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("ingest", fresh)
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert cli("forget", "--repo", fresh).code == 130
    assert (fresh / ".hindsight").exists()
    assert cli("forget", "--repo", fresh, "--yes").code == 0
    assert not (fresh / ".hindsight").exists()
