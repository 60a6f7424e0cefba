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
from contextlib import closing, suppress
from dataclasses import replace
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from threading import Thread
from typing import Any, Final, Self, TypeVar

from hindsight_neo4j.errors import SettingsError
from hindsight_neo4j.ingest.record import FileRecord, FoundFile
from hindsight_neo4j.ingest.skip import SkipReason, skipped
from hindsight_neo4j.ingest.worker import Batch, read_files
from hindsight_neo4j.settings import IngestOptions

_AHEAD: Final = 2
"""Batches handed out per worker, so that none waits for the next; more would cost memory."""

_PULSE_S: Final = 5.0
"""Seconds between two looks at whether the processes still live."""

_GUARD: Final = 'put the call under if __name__ == "__main__", or use one worker'

Result = TypeVar("Result")

_log = logging.getLogger(__name__)


class Readers:
    """Read files: in worker processes, in an executor that is given, or here where there is little to read.

    A context manager; its processes end with it.

    Args:
        root: Where the files' paths start.
        options: Among them how many workers, and from how much source on.
        executor: Where to run; None: processes of our own, or this one.
    """

    def __init__(self, root: Path, options: IngestOptions, executor: Executor | None) -> None:
        self._root = root
        self._options = options
        self._executor = executor
        self._begun: list[_Pool] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        while self._begun:
            self._begun.pop().close()

    def expect(self, size: int) -> None:
        """Start the processes that so many bytes of source will need, so that they are up when it is known for sure."""
        if not self._executor and self._shares(size):
            pool = _Pool(self._options.worker_count)
            self._begun.append(pool)
            pool.start()

    def read(self, files: Sequence[FoundFile]) -> Iterator[list[FileRecord]]:
        """Yield the records of `files`, batch by batch as they are done.

        Raises:
            LanguageError: A grammar does not load.
            SettingsError: Processes do not start.
        """
        batches = list(_batches(self._root, files, self._options))
        if self._executor:
            yield from self._in_executor(batches, self._executor)
        elif self._shares(sum(file.size for file in files)):
            yield from self._in_processes(batches)
        else:
            yield from map(read_files, batches)

    def _shares(self, size: int) -> bool:
        return self._options.worker_count > 1 and size >= self._options.pool_bytes

    def _in_processes(self, batches: list[Batch]) -> Iterator[list[FileRecord]]:
        """Run on processes of our own, begun anew whenever one of them dies."""
        workers = self._options.worker_count
        waiting = deque(replace(batch, guarded=True) for batch in batches)
        while waiting:
            pool = self._begun.pop() if self._begun else _Pool(min(workers, len(waiting)))
            with closing(pool):
                lost = yield from _run(waiting, pool.submit, workers, pool.any_alive)
            yield from _one_by_one(lost)

    def _in_executor(self, batches: list[Batch], executor: Executor) -> Iterator[list[FileRecord]]:
        """Run on the executor given, and on processes of our own what it does not live through."""
        waiting = deque(batches)
        lost = yield from _run(waiting, executor.submit, self._options.worker_count, lambda: True)
        yield from self._in_processes([*lost, *waiting])


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


def _run(
    waiting: deque[Batch],
    submit: Callable[..., Future[list[FileRecord]]],
    workers: int,
    is_alive: Callable[[], bool],
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
                future = submit(read_files, waiting[0])
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
        with closing(_Pool(1)) as pool:
            pool.check_start()
            while files:
                started = time.monotonic()
                batch = files.popleft()
                try:
                    yield pool.submit(read_files, batch).result()
                except BrokenExecutor:
                    yield [_crashed(batch, time.monotonic() - started)]
                    break


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


class _Pool:
    """Processes that are gone once it is closed, whatever happened.

    An executor that loses a process while it starts another one waits for the latter for ever (seen with Python
    3.11.7). All results are here or given up when it is closed, so nobody misses the processes.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._made = _Made()
        self.any_alive = self._made.any_alive
        self._executor = ProcessPoolExecutor(
            workers, mp_context=self._made, initializer=_begin_worker
        )

    def submit(self, work: Callable[..., Result], *given: Any) -> Future[Result]:
        """Run `work` in a process.

        Raises:
            BrokenExecutor: A process has died.
        """
        try:
            return self._executor.submit(work, *given)
        except OSError:
            # A process died while this one was started, and its pipes were closed (seen with Python 3.11.7): asked
            # again, the executor says that it is broken.
            return self._executor.submit(work, *given)

    def start(self) -> None:
        """Start all processes, without waiting for them; one that dies is found out when there is work for it."""
        with suppress(BrokenExecutor):
            for _ in range(self._workers):
                self.submit(int)

    def check_start(self) -> None:
        """Start a process and wait for it.

        Raises:
            SettingsError: It did not come up.
        """
        try:
            self.submit(int).result()
        except BrokenExecutor as error:
            raise SettingsError("worker processes do not start", hint=_GUARD) from error

    def close(self) -> None:
        """End the processes."""
        self._made.kill()
        self._executor.shutdown(cancel_futures=True)


def _begin_worker() -> None:
    """Leave an interrupt to the parent, and do not outlive it: a killed one cannot stop its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
