"""Files spread over worker processes so that a file that kills its worker costs only itself."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from threading import Thread
from typing import Any, Final

from hindsight_neo4j.errors import SettingsError
from hindsight_neo4j.ingest.record import FileRecord
from hindsight_neo4j.ingest.skip import SkipReason, skipped
from hindsight_neo4j.ingest.walk import FoundFile
from hindsight_neo4j.ingest.worker import Batch, read_files
from hindsight_neo4j.settings import IngestOptions

_AHEAD: Final = 2
"""Batches handed out per worker, so that none waits for the next; more would cost memory."""

_PULSE_S: Final = 5.0
"""Seconds between two looks at whether the processes still live."""

_GUARD: Final = 'put the call under if __name__ == "__main__", or use one worker'

_log = logging.getLogger(__name__)


def read_all(
    root: Path, files: Sequence[FoundFile], options: IngestOptions, executor: Executor | None
) -> Iterator[list[FileRecord]]:
    """Yield the records of `files`, batch by batch as they are done.

    Args:
        root: Where the files' paths start.
        files: What to read.
        options: Among them how many workers, and from how much source on.
        executor: Where to run; None: processes of our own, or this one when there is little to read.

    Raises:
        LanguageError: A grammar does not load.
        SettingsError: Processes do not start.
    """
    batches = list(_batches(root, files, options))
    few = sum(file.size for file in files) < options.pool_bytes
    if executor:
        yield from _in_executor(batches, executor, options.worker_count)
    elif few or options.worker_count == 1:
        yield from map(read_files, batches)
    else:
        yield from _in_processes(batches, options.worker_count)


def refuse_in_starting_worker() -> None:
    """Stop a script that calls ingest at its top level when its worker processes import it.

    Raises:
        SettingsError: This process is such a worker.
    """
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise SettingsError("ingest was called while one of its workers started", hint=_GUARD)


def _batches(root: Path, files: Sequence[FoundFile], options: IngestOptions) -> Iterator[Batch]:
    """Yield batches of about equal size, the largest files first so that the last worker is not kept long."""
    batch: list[FoundFile] = []
    size = 0
    for file in sorted(files, key=lambda file: (-file.size, file.path)):
        batch.append(file)
        size += file.size
        if size >= options.batch_bytes:
            yield Batch(root, tuple(batch), options, guarded=False)
            batch, size = [], 0
    if batch:
        yield Batch(root, tuple(batch), options, guarded=False)


def _in_processes(batches: list[Batch], workers: int) -> Iterator[list[FileRecord]]:
    """Run on processes of our own, begun anew whenever one of them dies."""
    waiting = deque(replace(batch, guarded=True) for batch in batches)
    while waiting:
        with _processes(min(workers, len(waiting))) as (executor, made):
            lost = yield from _run(waiting, executor, workers, made.any_alive)
        yield from _one_by_one(lost)


def _in_executor(
    batches: list[Batch], executor: Executor, workers: int
) -> Iterator[list[FileRecord]]:
    """Run on the executor given, and on processes of our own what it does not live through."""
    waiting = deque(batches)
    lost = yield from _run(waiting, executor, workers, lambda: True)
    yield from _in_processes([*lost, *waiting], workers)


def _run(
    waiting: deque[Batch], executor: Executor, workers: int, is_alive: Callable[[], bool]
) -> Generator[list[FileRecord], None, list[Batch]]:
    """Yield results, taking batches from `waiting`, until all are done or a process has died.

    Returns:
        The batches that were begun and have no result.
    """
    running: dict[Future[list[FileRecord]], Batch] = {}
    lost: list[Batch] = []
    while running or (waiting and not lost):
        try:
            while waiting and not lost and len(running) < _AHEAD * workers:
                future = executor.submit(read_files, waiting[0])
                running[future] = waiting.popleft()
        except BrokenExecutor:
            if not running:
                return lost
        done = wait(running, _PULSE_S, FIRST_COMPLETED).done
        if not done and not is_alive():  # the executor has lost sight of a future
            return [*lost, *running.values()]
        for future in done:
            batch = running.pop(future)
            try:
                yield future.result()
            except BrokenExecutor:
                lost.append(batch)
    return lost


def _one_by_one(lost: list[Batch]) -> Iterator[list[FileRecord]]:
    """Run every file of the batches alone, to learn which one kills its process."""
    files = deque(replace(batch, files=(file,)) for batch in lost for file in batch.files)
    while files:
        with _processes(1) as (executor, _):
            _check_start(executor)
            while files:
                started = time.monotonic()
                batch = files.popleft()
                try:
                    yield executor.submit(read_files, batch).result()
                except BrokenExecutor:
                    yield [_crashed(batch, time.monotonic() - started)]
                    break


def _check_start(executor: ProcessPoolExecutor) -> None:
    try:
        executor.submit(int).result()
    except BrokenExecutor as error:
        raise SettingsError("worker processes do not start", hint=_GUARD) from error


def _crashed(batch: Batch, seconds: float) -> FileRecord:
    (file,) = batch.files
    cap = batch.options.max_file_seconds
    reason = SkipReason.TIME if cap and seconds >= cap else SkipReason.CRASH
    _log.warning("worker_died path=%r reason=%s", file.path, reason.value)
    return FileRecord(
        file.path, file.size, file.mtime_ns, 0, b"", skipped=skipped(file.path, reason)
    )


class _Made(SpawnContext):
    """Makes fresh processes, and remembers them. Forked ones would share the locks of engines open in this one."""

    def __init__(self) -> None:
        super().__init__()
        self._made: list[SpawnProcess] = []

    def Process(self, *args: Any, **kwargs: Any) -> SpawnProcess:  # type: ignore[override]
        self._made.append(SpawnProcess(*args, **kwargs))
        return self._made[-1]

    def any_alive(self) -> bool:
        return any(process.pid is not None and process.is_alive() for process in self._made)

    def kill(self) -> None:
        for process in self._made:
            if process.pid is not None:  # it was started
                process.kill()


@contextmanager
def _processes(workers: int) -> Iterator[tuple[ProcessPoolExecutor, _Made]]:
    """Hand out a pool that is gone afterwards, whatever happened.

    A pool that loses a process while it starts another one waits for the latter for ever (seen with Python 3.11.7). All
    results are here or given up by then, so nobody misses the processes.
    """
    made = _Made()
    executor = ProcessPoolExecutor(workers, mp_context=made, initializer=_begin_worker)
    try:
        yield executor, made
    finally:
        made.kill()
        executor.shutdown(cancel_futures=True)


def _begin_worker() -> None:
    """Leave an interrupt to the parent, and do not outlive it: a killed one cannot stop its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
