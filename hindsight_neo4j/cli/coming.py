"""An answer while it comes: on a terminal only, on stderr, gone when it is whole, for the checked one takes its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hindsight_neo4j.cli.session import Session
from hindsight_neo4j.cli.text import FAINT, printable
from hindsight_neo4j.model.exchange import Hear


@contextmanager
def coming(session: Session) -> Iterator[Hear | None]:
    """Hand over what shows an answer while the block runs; None where nobody would see it."""
    console = session.aside.console
    if session.quiet or session.as_json or not console.is_terminal:
        yield None
        return
    from rich.live import Live
    from rich.text import Text

    # What does not fit is not cut off at its end, which is what is being written.
    most = console.width * console.height // 2
    with Live(console=console, transient=True) as live:
        yield lambda said: live.update(Text(_lines(said[-most:]), style=FAINT))


def _lines(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))
