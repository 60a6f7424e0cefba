"""Progress bars: on a terminal only, on stderr, gone when it is done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hindsight_neo4j.cli.session import Session
from hindsight_neo4j.model.progress import Progress, Silent

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID


class Bars:
    """One bar for each stage, with its count and the time left."""

    def __init__(self, progress: RichProgress) -> None:
        self._progress = progress
        self._task: TaskID | None = None
        self._done = 0
        self._total: int | None = None

    def stage(self, name: str, total: int | None) -> None:
        """Finish the bar before and begin another of `total` steps."""
        if self._task is not None:
            self._progress.update(self._task, total=1, completed=1)
        self._done, self._total = 0, total
        self._task = self._progress.add_task(name, total=total, count="")

    def advance(self, count: int) -> None:
        """Move the bar by `count` steps."""
        if self._task is not None:
            self._done += count
            total = f" of {self._total:,}" if self._total else ""
            self._progress.update(self._task, advance=count, count=f"{self._done:,}{total}")


@contextmanager
def bars(session: Session) -> Iterator[Progress]:
    """Hand over bars that are drawn while the block runs, `Silent` where nobody would see them."""
    console = session.aside.console
    if session.quiet or not console.is_terminal:
        yield Silent()
        return
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = (
        TextColumn("{task.description:<8}"),
        BarColumn(),
        TextColumn("{task.fields[count]}"),
        TimeRemainingColumn(compact=True, elapsed_when_finished=True),
    )
    with RichProgress(*columns, console=console, transient=True) as progress:
        yield Bars(progress)
