"""What a hurried or hostile user types: each ends with one line that says what to do, and the documented exit code."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hindsight_neo4j.client import Hindsight
from hindsight_neo4j.stores.index_folder import IndexFolder

Cli = Callable[..., Any]


def one_line(text: str) -> str:
    (line,) = text.splitlines()
    assert line.startswith("error: ")
    return line


@pytest.fixture
def copy(shop: Path, tmp_path: Path) -> Path:
    """Return the small repository with its index, for this test alone."""
    root = tmp_path / "copy"
    shutil.copytree(shop, root)
    return root


def test_a_missing_path(cli: Cli, tmp_path: Path) -> None:
    ran = cli("ingest", tmp_path / "nowhere")
    assert ran.code == 1
    assert "nowhere" in one_line(ran.err)
    assert not (tmp_path / "nowhere").exists()


def test_a_path_that_is_no_directory(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("x = 1\n")
    ran = cli("ingest", file)
    assert ran.code == 1
    assert "a.py" in one_line(ran.err)


def test_a_path_without_permission(shop: Path, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    shutil.copytree(shop, closed, ignore=shutil.ignore_patterns(".hindsight"))
    closed.chmod(0)
    try:
        ran = without_rights(shop, "ingest", str(closed))
    finally:
        closed.chmod(0o700)
    assert ran.returncode == 1, ran.stderr
    assert "closed" in one_line(ran.stderr)


def test_an_index_folder_that_cannot_be_written(cli: Cli, shop: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = cli("ingest", shop, "--index", tmp_path / "file" / "index")
    assert ran.code == 3
    assert "--index" in one_line(ran.err)


def test_an_empty_repository(cli: Cli, tmp_path: Path) -> None:
    ran = cli("ingest", tmp_path)
    assert ran.code == 1
    one_line(ran.err)


def test_a_repository_of_files_that_are_not_understood(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.xyz").write_text("hello\n")
    ran = cli("ingest", tmp_path)
    assert ran.code == 1
    one_line(ran.err)


def test_source_without_a_single_symbol_is_said(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("# nothing\n")
    ran = cli("ingest", tmp_path)
    assert ran.code == 1
    one_line(ran.err)


def test_no_index_yet(cli: Cli, tmp_path: Path) -> None:
    ran = cli("callers", "f", "--repo", tmp_path)
    assert ran.code == 3
    assert "hindsight-ingest" in one_line(ran.err)


def test_a_repository_to_read_that_is_missing(cli: Cli, tmp_path: Path) -> None:
    ran = cli("callers", "f", "--repo", tmp_path / "nowhere")
    assert ran.code == 1
    one_line(ran.err)


def test_two_ways_to_choose_an_index(cli: Cli, shop: Path) -> None:
    ran = cli("status", "--repo", shop, "--index", shop / ".hindsight")
    assert ran.code == 2
    one_line(ran.err)


def test_a_snapshot_that_is_not_there_lists_what_is(cli: Cli, shop: Path) -> None:
    with Hindsight.open(shop) as client:
        there = client.snapshot
    ran = cli("status", "--repo", shop, "--snapshot", "other@0")
    assert ran.code == 2
    assert there in one_line(ran.err)


def test_an_index_of_a_newer_schema_is_left_alone(cli: Cli, copy: Path) -> None:
    manifest = IndexFolder.of_repository(copy).current().path / "manifest.json"
    said = json.loads(manifest.read_bytes())
    manifest.write_text(json.dumps({**said, "schema": "99.99", "future": True}))
    ran = cli("status", "--repo", copy)
    assert ran.code == 4
    assert "99.99" in one_line(ran.err)
    assert json.loads(manifest.read_bytes())["future"] is True


def test_an_index_that_is_being_written(cli: Cli, copy: Path) -> None:
    with IndexFolder.of_repository(copy).lock(0):
        for arguments in (("forget", "--yes", "--repo", copy),):
            ran = cli(*arguments)
            assert ran.code == 3
            assert str(os.getpid()) in one_line(ran.err)
        assert cli("status", "--repo", copy).code == 0


def test_another_repository_into_the_same_index(cli: Cli, copy: Path, tmp_path: Path) -> None:
    (tmp_path / "second").mkdir()
    (tmp_path / "second" / "a.py").write_text("def f(): return 1\n")
    ran = cli("ingest", tmp_path / "second", "--index", copy / ".hindsight")
    assert ran.code == 2
    assert "--index" in one_line(ran.err)


@pytest.mark.parametrize(
    "name", ["nothing_is_called_so", "", "x' OR 1=1 //", "\x00", "🦊", "\udcff", "a" * 60_000]
)
def test_an_unknown_symbol(cli: Cli, shop: Path, name: str) -> None:
    ran = cli("callers", name, "--repo", shop)
    assert ran.code == 1
    assert len(one_line(ran.err)) < 500


def test_an_ambiguous_symbol_is_listed(cli: Cli, shop: Path) -> None:
    ran = cli("callers", "check", "--repo", shop)
    assert ran.code == 1
    lines = ran.err.splitlines()
    assert lines[0].startswith("error: ")
    assert {"  shop/other.py:check", "  shop/store.py:check"} <= set(lines)
    assert ran.out == ""


@pytest.mark.parametrize("command", ["ask", "locate"])
@pytest.mark.parametrize("question", ["", "   ", "\n\t"])
def test_an_empty_question(cli: Cli, shop: Path, command: str, question: str) -> None:
    ran = cli(command, question, "--repo", shop)
    assert ran.code == 2
    one_line(ran.err)


def test_no_question_at_all(cli: Cli, shop: Path) -> None:
    assert cli("ask", "--repo", shop).code == 2


def test_a_question_of_a_megabyte_is_answered(cli: Cli, shop: Path) -> None:
    ran = cli("locate", "who calls Store.put? " + "lorem ipsum " * 87_000, "--repo", shop)
    assert ran.code == 0, ran.err
    assert "shop/store.py" in ran.out


@pytest.mark.parametrize("noise", ["\x00", "\udcff", "'\"`\\", "$x {} //", "🦊\u202e", "(" * 9_000])
def test_a_question_of_any_letters_is_answered(cli: Cli, shop: Path, noise: str) -> None:
    ran = cli("ask", f"who calls {noise} Store.put?", "--repo", shop)
    assert ran.code == 0, ran.err


def test_a_question_that_sounds_like_a_write(cli: Cli, shop: Path) -> None:
    ran = cli("ask", "which code can delete a blueprint?", "--repo", shop)
    assert ran.code == 0
    assert "delete_blueprint" in ran.out


def test_a_template_that_is_not_there(cli: Cli, shop: Path) -> None:
    ran = cli("cypher", "calers", "--repo", shop)
    assert ran.code == 2
    assert "callers" in one_line(ran.err)
    assert cli("templates", "calers").code == 2


def test_a_template_without_its_parameter(cli: Cli, shop: Path) -> None:
    ran = cli("cypher", "lookup/callers", "--repo", shop)
    assert ran.code == 2
    assert "$" in one_line(ran.err)


@pytest.mark.parametrize("pair", ["nothing", "=x", "a b=x", "unknown=1"])
def test_a_parameter_that_cannot_be(cli: Cli, shop: Path, pair: str) -> None:
    ran = cli("cypher", "audit/count_nodes", "--param", pair, "--repo", shop)
    assert ran.code == 2
    one_line(ran.err)


def test_a_broken_template_is_named_with_its_line(shop: Path, tmp_path: Path) -> None:
    """The catalogue is read anew by a process that finds a broken file in the data room."""
    rooms = tmp_path / "rooms"
    root = Path(__file__).resolve().parents[3]
    shutil.copytree(root / "hindsight_neo4j", rooms / "hindsight_neo4j")
    shutil.copytree(root / "cypher", rooms / "cypher")
    shutil.copytree(root / "ingest", rooms / "ingest")
    template = rooms / "cypher" / "lookup" / "callers.cypher"
    template.write_text(template.read_text().replace("$snapshot", "$snapshoot"))
    script = "from hindsight_neo4j.cli import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", script, "templates"],
        env={**os.environ, "PYTHONPATH": str(rooms)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert "lookup/callers.cypher" in one_line(ran.stderr)


REFUSED = [
    "MATCH (n) CALL { WITH n SET n.x = 1 } RETURN n",
    "CALL apoc.cypher.doIt('x', {})",
    "LOAD CSV FROM 'file:///etc/passwd' AS r RETURN r",
    "/*x*/ MaTcH (n) DeTaCh /*y*/ DeLeTe n",
    "COPY (MATCH (n:Node) RETURN n.id) TO '/tmp/stolen.csv'",
    "LOAD FROM '/etc/passwd' RETURN *",
    "EXPORT DATABASE '/tmp/stolen'",
    "MATCH (n) RETURN n.id; MATCH (n) DETACH DELETE n",
    "",
]


@pytest.mark.parametrize("text", REFUSED)
def test_cypher_that_does_more_than_read_is_refused(
    cli: Cli, shop: Path, tmp_path: Path, text: str
) -> None:
    """Bug case 15."""
    file = tmp_path / "q.cypher"
    file.write_text(text)
    before = cli("status", "--json", "--repo", shop).out
    for words in (["--file", file], [text]):
        ran = cli("cypher", *words, "--repo", shop)
        assert ran.code == 2
        one_line(ran.err)
    assert cli("status", "--json", "--repo", shop).out == before


def test_cypher_that_reads_about_writing_runs(cli: Cli, shop: Path, tmp_path: Path) -> None:
    text = (
        "MATCH (f:Node) WHERE f.name IN ['delete', 'put', $name] AND f.snapshot = $snapshot "
        "RETURN f.id AS id ORDER BY id"
    )
    file = tmp_path / "q.cypher"
    file.write_text(text)
    for words in (["--file", file], [text]):
        ran = cli("cypher", *words, "--param", "name=save", "--repo", shop)
        assert ran.code == 0, ran.err
        assert "shop/api.py:save" in ran.out
        assert "shop/store.py:Store.put" in ran.out


def test_cypher_in_quotes_or_in_a_file_but_not_both(cli: Cli, shop: Path, tmp_path: Path) -> None:
    file = tmp_path / "q.cypher"
    file.write_text("MATCH (n) RETURN n.id")
    for words in ([], ["--file", file, "MATCH (n) RETURN n.id"]):
        ran = cli("cypher", *words, "--repo", shop)
        assert ran.code == 2
        assert "--file" in one_line(ran.err)


@pytest.mark.parametrize(
    "line", ["not json", "[]", '{"id": 1}', '{"question": ""}', '{"question": 5}', "1" * 5000]
)
def test_a_bad_line_in_a_batch_is_said_before_any_answer(
    cli: Cli, shop: Path, tmp_path: Path, line: str
) -> None:
    file = tmp_path / "batch.jsonl"
    file.write_text('{"id": "1", "question": "who saves?"}\n' + line + "\n")
    ran = cli("locate", "--batch", file, "--repo", shop)
    assert ran.code == 2
    assert ran.out == ""
    assert f"{file}:2" in one_line(ran.err)


def test_a_batch_that_is_missing(cli: Cli, shop: Path, tmp_path: Path) -> None:
    assert cli("ask", "--batch", tmp_path / "nowhere", "--repo", shop).code == 2


@pytest.mark.parametrize("flag", ["--workers=-1", "--max-nesting=0", "--max-file-bytes=x"])
def test_an_impossible_cap(cli: Cli, shop: Path, flag: str) -> None:
    assert cli("ingest", shop, flag).code == 2


def without_rights(sound: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a user for whom permissions mean something, even under root.

    The sound repository is read first, so that everything is imported while it can be.
    """
    script = (
        "import os, sys\n"
        "from hindsight_neo4j.cli.app import hindsight\n"
        "from hindsight_neo4j.cli.outcome import run\n"
        "run(hindsight, ['ingest', '-q', '--dry-run', sys.argv[1]], name='hindsight')\n"
        "sys.stdout.flush()\n"
        "if os.getuid() == 0:\n"
        "    os.setgid(65534); os.setuid(65534)\n"
        "sys.exit(run(hindsight, sys.argv[2:], name='hindsight'))"
    )
    return subprocess.run(
        [sys.executable, "-c", script, str(sound), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
