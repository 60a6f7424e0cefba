"""A run that is stopped by hand ends quietly, and the next one goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPT = (
    "import sys; from hindsight_neo4j.cli import ingest_main;"
    "sys.argv = ['hindsight-ingest', *sys.argv[1:]]; ingest_main()"
)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """Return a repository that takes worker processes to read: there are 2.4 MB of it."""
    root = tmp_path / "large"
    root.mkdir()
    comment = "x" * 1_000
    body = "".join(f"def f{n}(x):\n    # {comment}\n    return g.f{n}(x)\n\n\n" for n in range(40))
    for number in range(60):
        (root / f"m{number}.py").write_text(f"import m{(number + 1) % 60} as g\n\n\n{body}")
    return root


def ingest(root: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(root)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )


def test_ctrl_c_is_130_and_one_word_and_the_next_run_finishes(large: Path) -> None:
    running = ingest(large)
    lock = large / ".hindsight" / "lock.json"
    while not lock.exists() and running.poll() is None:
        time.sleep(0.01)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate()
    assert (running.returncode, out, err) == (130, "", "interrupted\n")
    assert not lock.exists()

    again = ingest(large)
    out, err = again.communicate()
    assert again.returncode == 0, err
    assert "60 (" in out
