"""A disk that fills up while an index is written: one line, and the index that was there still answers."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from hindsight_neo4j import Hindsight

PAGE = 4_096
SCRIPT = (
    "import sys; from hindsight_neo4j.cli import ingest_main;"
    "sys.argv = ['hindsight-ingest', *sys.argv[1:]]; ingest_main()"
)


# Between 35 and 60 pages it is the log of the graph's engine that does not fit: the line is said, and then the engine aborts
# the process from a destructor of its own, so that the exit code is another.
@pytest.mark.parametrize("most_pages", [4, 10, 100])
def test_a_quota_reached_by_the_facts_or_the_graph_leaves_what_was_there(
    tmp_path: Path, most_pages: int
) -> None:
    def limit() -> None:  # a file that grows beyond it cannot be written, as on a disk without room
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_pages * PAGE, most_pages * PAGE))

    (tmp_path / "one.py").write_text("def one(): pass\n")
    with Hindsight.of_repository(tmp_path) as client:
        client.ingest()
    for number in range(20):
        (tmp_path / f"more{number}.py").write_text(f"def more{number}(): pass\n" * 20)
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path), "--workers", "1"],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (3, "")
    assert len(ran.stderr.splitlines()) == 1
    assert "what was there before is untouched; make room" in ran.stderr
    with Hindsight.open(tmp_path) as client:
        assert client.status().nodes["Function"] == 1
        client.ingest()
        assert client.status().nodes["Function"] == 401
