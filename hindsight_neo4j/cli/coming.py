"""An answer while it comes: on a terminal only, on stderr, gone when it is whole, for the checked one takes its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from hindsight_neo4j.cli.session import Session
from hindsight_neo4j.cli.text import FAINT, printable
from hindsight_neo4j.model.exchange import Hear

if TYPE_CHECKING:
    from rich.live import Live


@contextmanager
def coming(session: Session) -> Iterator[Hear | None]:
    """Hand over what shows an answer while the block runs; None where nobody would see it."""
    console = session.aside.console
    if session.quiet or session.as_json or not console.is_terminal:
        yield None
        return
    # What does not fit is not cut off at its end, which is what is being written.
    most = console.width * console.height // 2
    live: Live | None = None
    with ExitStack() as shown:

        def hear(said: str) -> None:
            from rich.live import Live
            from rich.text import Text

            nonlocal live
            if live is None:  # without a model nothing is heard, and the terminal stays as it is
                live = shown.enter_context(Live(console=console, transient=True))
            live.update(Text(_lines(said[-most:]), style=FAINT))

        yield hear


def _lines(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))
