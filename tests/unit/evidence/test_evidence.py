"""Evidence from outside: what it adds to the graph, when it is read again, and what is refused."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from hindsight_neo4j import Hindsight
from hindsight_neo4j.errors import SourceError
from hindsight_neo4j.evidence import EvidenceFiles
from hindsight_neo4j.evidence.scip_pb2 import Index
from hindsight_neo4j.model.graph import EdgeKind, How, Tier
from hindsight_neo4j.model.template import Row

SHOP = """\
def pay(kind):
    return globals()["by_" + kind](1)


def by_card(sum):
    return sum


def by_cash(sum):
    return round(sum)
"""
TESTS = """\
from shop import pay


class TestPay:
    def test_first(self):
        assert pay("card")


def test_second():
    assert pay("cash")
"""
Read = Callable[[EvidenceFiles], Hindsight]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / "tests").mkdir(parents=True)
    (root / "shop.py").write_text(SHOP)
    (root / "tests/test_shop.py").write_text(TESTS)
    return root


def edges(client: Hindsight, kind: EdgeKind, tier: Tier) -> Mapping[tuple[str, str], Row]:
    text = (
        "MATCH (a:Node)-[r]->(b:Node) WHERE a.snapshot = $snapshot AND r.kind = $kind AND r.tier = $tier"
        " RETURN a.id AS src, b.id AS dst, r.how AS how, r.lines AS lines, r.confidence AS confidence"
    )
    rows = client.run_cypher(text, {"kind": kind.value, "tier": tier.value})
    return {(str(row["src"]), str(row["dst"])): row for row in rows}


def ingest(root: Path, evidence: EvidenceFiles) -> tuple[Hindsight, tuple[str, ...]]:
    client = Hindsight.of_repository(root)
    return client, client.ingest(evidence=evidence).notes


def trace_rows() -> list[dict[str, object]]:
    return [
        {"t": "meta"},
        {
            "t": "edge",
            "kind": "call",
            "line": 2,
            "caller": "shop.py::pay",
            "callee": "shop.py::by_cash",
        },
        {"t": "test", "test": "tests/test_shop.py::test_second", "call": ["shop.py::by_cash"]},
    ]


def written(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def scip_index(root: Path) -> Index:
    """Return an index of the shop as an indexer would make it: `by_card` is used in line 2, where the call is."""
    index = Index()
    index.metadata.project_root = root.as_uri()
    document = index.documents.add(relative_path="shop.py")
    for line, columns, symbol, role in (
        (0, (4, 7), "x . `shop`/pay().", 1),
        (1, (11, 18), "x . `shop`/by_card().", 0),
        (4, (4, 11), "x . `shop`/by_card().", 1),
    ):
        document.occurrences.add(range=[line, *columns], symbol=symbol, symbol_roles=role)
    return index


# ---------------------------------------------------------------------- coverage


def test_a_coverage_file_says_which_test_ran_what(shop: Path) -> None:
    (shop / ".coveragerc").write_text("[run]\ndynamic_context = test_function\n")
    command = (
        sys.executable,
        "-m",
        "coverage",
        "run",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
    )
    env = {"PYTHONPATH": str(shop), "PATH": ""}
    subprocess.run(command, cwd=shop, check=True, capture_output=True, env=env)
    client, (note,) = ingest(shop, EvidenceFiles(coverage=(shop / ".coverage",)))
    with client:
        found = edges(client, EdgeKind.TESTS, Tier.TRACE)
    first, second = "tests/test_shop.py:TestPay.test_first", "tests/test_shop.py:test_second"
    assert set(found) == {
        (first, "shop.py:pay"),
        (first, "shop.py:by_card"),
        (second, "shop.py:pay"),
        (second, "shop.py:by_cash"),
    }
    assert {row["confidence"] for row in found.values()} == {1.0}
    assert "4 TESTS" in note


def test_coverage_without_contexts_says_how_to_get_them(shop: Path) -> None:
    subprocess.run(
        (sys.executable, "-m", "coverage", "run", "shop.py"),
        cwd=shop,
        check=True,
        capture_output=True,
    )
    with pytest.raises(SourceError, match="does not say which test") as caught:
        ingest(shop, EvidenceFiles(coverage=(shop / ".coverage",)))
    assert "--cov-context" in caught.value.hint


# ---------------------------------------------------------------------- trace


def test_a_recorded_run_gives_calls_and_tests(shop: Path) -> None:
    trace = written(shop / "run.jsonl", trace_rows())
    client, _ = ingest(shop, EvidenceFiles(trace=(trace,)))
    with client:
        calls = edges(client, EdgeKind.INVOKES, Tier.TRACE)
        tests = edges(client, EdgeKind.TESTS, Tier.TRACE)
    assert {(pair, row["how"]) for pair, row in calls.items()} == {
        (("shop.py:pay", "shop.py:by_cash"), How.CALL.value)
    }
    assert set(tests) == {("tests/test_shop.py:test_second", "shop.py:by_cash")}


def test_a_test_that_was_seen_to_run_is_not_guessed_about(shop: Path) -> None:
    first = "tests/test_shop.py::TestPay::test_first"
    trace = written(shop / "run.jsonl", [{"t": "test", "test": first, "call": ["shop.py::pay"]}])
    given = []
    for evidence in (EvidenceFiles(), EvidenceFiles(trace=(trace,))):
        client, _ = ingest(shop, evidence)
        with client:
            given.append({item.id for item in client.tests("by_card").items})
    assert given == [{"tests/test_shop.py:TestPay.test_first"}, set()]


def test_the_same_evidence_again_changes_nothing_and_other_evidence_does(shop: Path) -> None:
    evidence = EvidenceFiles(trace=(written(shop / "run.jsonl", trace_rows()),))
    with Hindsight.of_repository(shop) as client:
        assert not client.ingest(evidence=evidence).unchanged
        again = client.ingest(evidence=evidence)
        assert again.unchanged
        assert again.notes, "what came of it is still known"
        written(shop / "run.jsonl", trace_rows()[:2])
        changed = client.ingest(evidence=evidence)
        assert (changed.unchanged, changed.extracted) == (False, 0)
        assert not client.ingest().unchanged


def test_a_place_that_has_moved_is_left_out_and_said(shop: Path) -> None:
    rows = trace_rows()
    rows[1]["line"] = 9
    _, (note,) = ingest(shop, EvidenceFiles(trace=(written(shop / "run.jsonl", rows),)))
    assert "changed since and left out: 1 files (shop.py)" in note
    assert "INVOKES" not in note


@pytest.mark.parametrize(
    "text",
    [
        "not json\n",
        "[1]\n",
        '{"t": "edge"}\n',
        '{"t": "test", "test": "x", "call": 5}\n',
        '{"t": "edge", "caller": 7, "callee": 8, "kind": "call", "line": 1}\n',
        "[" * 100_000,
        "\udcff",
        "",
        '{"t": "edge", "caller": "other.py::f", "callee": "../../etc/passwd::g", "kind": "call", "line": 1}\n',
    ],
)
def test_no_trace_of_this_repository_is_refused_in_one_line(shop: Path, text: str) -> None:
    trace = shop / "run.jsonl"
    trace.write_text(text, errors="surrogateescape")
    with pytest.raises(SourceError) as caught:
        ingest(shop, EvidenceFiles(trace=(trace,)))
    assert "run.jsonl" in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.hint


def test_a_cut_off_archive_is_refused(shop: Path) -> None:
    trace = shop / "run.jsonl.gz"
    trace.write_bytes(gzip.compress(json.dumps(trace_rows()[1]).encode() * 50)[:-20])
    with pytest.raises(SourceError, match=r"run\.jsonl\.gz"):
        ingest(shop, EvidenceFiles(trace=(trace,)))


def test_a_missing_file_is_said_before_anything_is_done(shop: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read"):
        ingest(shop, EvidenceFiles(coverage=(shop / "none",)))
    assert not (shop / ".hindsight/CURRENT").exists()


# ---------------------------------------------------------------------- SCIP


def test_a_compiler_says_whom_a_call_means(shop: Path) -> None:
    (shop / "shop.py").write_text(SHOP.replace('globals()["by_" + kind](1)', "by_card(1)"))
    (shop / "index.scip").write_bytes(scip_index(shop).SerializeToString())
    client, (note,) = ingest(shop, EvidenceFiles(scip=(shop / "index.scip",)))
    with client:
        found = edges(client, EdgeKind.INVOKES, Tier.SCIP)
    assert {pair: row["lines"] for pair, row in found.items()} == {
        ("shop.py:pay", "shop.py:by_card"): [2]
    }
    assert "1 INVOKES" in note


def test_a_use_that_is_no_call_is_a_reference(shop: Path) -> None:
    (shop / "shop.py").write_text(SHOP.replace('globals()["by_" + kind](1)', "by_card or 1"))
    (shop / "index.scip").write_bytes(scip_index(shop).SerializeToString())
    client, _ = ingest(shop, EvidenceFiles(scip=(shop / "index.scip",)))
    with client:
        assert not edges(client, EdgeKind.INVOKES, Tier.SCIP)
        assert ("shop.py:pay", "shop.py:by_card") in edges(client, EdgeKind.REFERENCES, Tier.SCIP)


def test_an_index_of_another_state_is_left_out_and_said(shop: Path) -> None:
    (shop / "index.scip").write_bytes(scip_index(shop).SerializeToString())
    (shop / "shop.py").write_text("\n\n\n" + SHOP)
    _, (note,) = ingest(shop, EvidenceFiles(scip=(shop / "index.scip",)))
    assert "nothing that the graph holds" in note
    assert "shop.py" in note


def test_damaged_and_foreign_indexes_are_refused(shop: Path) -> None:
    whole = scip_index(shop).SerializeToString()
    foreign = Index()
    for path in ("/etc/passwd", "../other.py", "gone.py", "a\0b"):
        foreign.documents.add(relative_path=path)
    for content, said in (
        (whole[: len(whole) - 3], "cut short"),
        (b"\xff" * 1000, "no SCIP index"),
        (b"", "says nothing about"),
        (foreign.SerializeToString(), "says nothing about"),
    ):
        (shop / "index.scip").write_bytes(content)
        with pytest.raises(SourceError, match=said):
            ingest(shop, EvidenceFiles(scip=(shop / "index.scip",)))
