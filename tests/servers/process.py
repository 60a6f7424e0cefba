"""What the launchers of real servers share: jars from Maven, free ports, and a process that is stopped for sure."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NoReturn

import pytest
from servers.cache import cache_folder

START_S = 180
STOP_S = 60
FETCH_S = 600

# The shell ends the server when the test run closes its input, and so too when the test run is killed.
RUN_UNTIL_INPUT_ENDS = '"$@" </dev/null & read _; kill $!; wait $!'


def lacking(reason: str) -> NoReturn:
    """Skip what this machine cannot test; on CI fail, so that no promise goes untested unseen."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


class ServerMissing(Exception):
    """Raised where this machine cannot run a server. The message says what it lacks."""


def need(*programs: str) -> None:
    """Say which program is missing, if one is."""
    for program in programs:
        if not shutil.which(program):
            raise ServerMissing(f"no {program} on the path")


def fetched(name: str, goal: Callable[[Path], Sequence[str]]) -> Path:
    """Return the cached folder `name`, filled by Maven's `goal` for a folder when it is not there yet."""
    need("java")
    folder = cache_folder() / name
    if not folder.is_dir():
        need("mvn")
        draft = folder.with_name(f"{folder.name}.{os.getpid()}")
        done = subprocess.run(
            ["mvn", "-q", "-B", *goal(draft)], capture_output=True, text=True, timeout=FETCH_S
        )
        if done.returncode:
            raise ServerMissing(f"mvn cannot fetch {name}: {(done.stdout + done.stderr)[-500:]}")
        try:
            draft.rename(folder)
        except OSError:  # another test run was quicker
            shutil.rmtree(draft)
    return folder


@contextmanager
def server(
    command: Sequence[str],
    log: Path,
    answers: Callable[[], bool],
    *,
    environment: Mapping[str, str] | None = None,
    user: str | None = None,
) -> Iterator[Callable[[], None]]:
    """Run `command` until the block ends; wait first until `answers()`. `user` is who runs it. Yield what kills it."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            ["sh", "-c", RUN_UNTIL_INPUT_ENDS, "sh", *command],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, **(environment or {})},
            user=user,
        )
    try:
        deadline = time.monotonic() + START_S
        while not answers():
            if process.poll() is not None or time.monotonic() > deadline:
                tail = log.read_text(errors="replace")[-2000:]
                raise RuntimeError(f"{command[0]} did not start:\n{tail}")
            time.sleep(0.25)
        yield lambda: _kill(process)
    finally:
        _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin
    process.stdin.close()
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def free_port() -> int:
    """Return a port on which nothing listens just now."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
