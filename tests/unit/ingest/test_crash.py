"""Crashes at any moment, and readers beside a writer."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread

import psutil
import pytest
from ingest_types import Ingest, Write

from hindsight_neo4j import Hindsight
from hindsight_neo4j.errors import SourceError, StoreBusy
from hindsight_neo4j.stores.index_folder import IndexFolder

Export = Callable[[Path], list[str]]

INGEST = """
import sys
from hindsight_neo4j import Hindsight
from hindsight_neo4j.settings import IngestOptions
if __name__ == "__main__":
    with Hindsight.open(sys.argv[1]) as repository:
        repository.ingest(options=IngestOptions.load(workers=1, commit_files=10))
"""


def tree(version: int, files: int = 120) -> dict[str, str | bytes]:
    body = "".join(f"    def m{n}(self, x):\n        return f(x + {n})\n" for n in range(20))
    return {
        f"pkg/m{n}.py": f"from pkg.m{(n + 1) % files} import f as g\n"
        f"def f(x):\n    return g(x) + {version}\nclass C:\n{body}"
        for n in range(files)
    }


def test_a_run_killed_at_any_moment_leaves_the_old_index_and_the_next_one_resumes(
    write: Write, run_ingest: Ingest, export: Export, tmp_path: Path
) -> None:
    root = write(tree(0))
    run_ingest(root)
    live = export(root)
    script = tmp_path / "ingest.py"
    script.write_text(INGEST)
    moments = random.Random(20261129)

    for version in range(1, 6):
        write(tree(version))
        run = subprocess.Popen([sys.executable, str(script), str(root)], stderr=subprocess.DEVNULL)
        time.sleep(moments.uniform(0.3, 2.5))
        run.kill()
        run.wait()
        after = export(root)
        assert len(after) == len(live)  # the old index or the new one, and whole

    with Hindsight.open(root) as repository:
        repository.ingest()
    clean = IndexFolder(tmp_path / "clean")
    run_ingest(root, clean)
    resumed = export(root)
    with Hindsight.open(root, index=clean.path) as repository:
        repository.export(tmp_path / "clean.jsonl")
    assert resumed == (tmp_path / "clean.jsonl").read_text("utf-8").splitlines()
    generations = list((IndexFolder.of_repository(root).path / "generations").iterdir())
    assert len(generations) <= 2


def test_what_a_killed_run_has_read_is_not_read_again(
    write: Write, run_ingest: Ingest, tmp_path: Path
) -> None:
    root = write(tree(0))
    script = tmp_path / "ingest.py"
    script.write_text(INGEST.replace("commit_files=10", "commit_files=10, batch_bytes=1"))
    facts = IndexFolder.of_repository(root).facts
    run = subprocess.Popen([sys.executable, str(script), str(root)])
    while run.poll() is None and _size(facts) < 100_000:  # some commits of ten files
        time.sleep(0.002)
    run.kill()
    run.wait()

    with Hindsight.open(root) as repository:
        report = repository.ingest()

    assert report.files == 120
    assert report.extracted < 120


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def read_on(root: Path, told: Connection) -> None:
    """Read the live index again and again until told to end; send what was seen."""
    seen: set[tuple[str, int]] = set()
    while not told.poll():
        with Hindsight.open(root) as repository:
            callees = repository.callees("pkg/m0.py:f").items
            seen.add((repository.snapshot, len(callees)))
    told.send(seen)


def test_two_processes_read_while_one_writes(write: Write, run_ingest: Ingest) -> None:
    root = write(tree(0, 20))
    snapshots = {run_ingest(root).snapshot}
    context = get_context("spawn")
    readers = []
    for _ in range(2):
        ours, theirs = context.Pipe()
        process = context.Process(target=read_on, args=(root, theirs))
        process.start()
        readers.append((process, ours))

    for version in range(1, 4):
        write(tree(version, 20))
        snapshots.add(run_ingest(root).snapshot)

    for process, ours in readers:
        ours.send("end")
        assert ours.poll(30)
        seen = ours.recv()
        process.join()
        assert process.exitcode == 0
        assert {snapshot for snapshot, _ in seen} <= snapshots
        assert {callees for _, callees in seen} == {1}


def test_a_second_ingest_at_once_is_told_who_writes(write: Write, run_ingest: Ingest) -> None:
    root = write(tree(0, 5))

    with (
        IndexFolder.of_repository(root).lock(1),
        pytest.raises(StoreBusy, match=f"is being written by process {os.getpid()}"),
    ):
        run_ingest(root)


def test_a_worker_that_dies_costs_no_file(write: Write, run_ingest: Ingest) -> None:
    root = write(tree(0))
    killed: list[int] = []

    def kill_one() -> None:
        while not killed:
            for child in psutil.Process().children():
                if _is_worker(child):
                    child.kill()
                    killed.append(child.pid)
                    return
            time.sleep(0.005)

    killer = Thread(target=kill_one, daemon=True)
    killer.start()
    report = run_ingest(root, workers=2, pool_bytes=0, batch_bytes=10_000)

    assert killed
    assert report.files == 120
    assert report.skipped == ()


def test_the_workers_of_a_killed_run_end_too(write: Write, tmp_path: Path) -> None:
    root = write(tree(0))
    script = tmp_path / "ingest.py"
    script.write_text(INGEST.replace("workers=1", "workers=2, pool_bytes=0, batch_bytes=10_000"))
    run = subprocess.Popen([sys.executable, str(script), str(root)])
    workers: list[psutil.Process] = []
    while run.poll() is None and len(workers) < 2:
        children = psutil.Process(run.pid).children()
        workers = [child for child in children if _is_worker(child)]
    run.kill()
    run.wait()

    assert len(workers) == 2
    _, alive = psutil.wait_procs(workers, timeout=20)
    assert alive == []


def test_a_file_that_takes_too_long_is_skipped_with_the_flag(
    write: Write, run_ingest: Ingest
) -> None:
    root = write({"slow.py": "def f(): return [" + "(1,\n" * 30_000})

    with pytest.raises(SourceError, match=r"none of 1 source files in .* was read: time 1"):
        run_ingest(root, workers=2, pool_bytes=0, max_file_seconds=0.001)


def _is_worker(process: psutil.Process) -> bool:
    """Say whether a child works for a pool; one that has just ended has no command line to tell by."""
    try:
        return "spawn_main" in " ".join(process.cmdline())
    except psutil.Error:
        return False
