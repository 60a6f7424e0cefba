"""Words and layout for people: safe names, aligned rows, plural forms. No colours are decided anywhere else.

Names, paths and documentation come from the repository and are hostile: a file's name can hold the codes that clear a
screen. Everything of that kind passes `printable` before it reaches a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

NAME, PLACE, FAINT, HEAD, WARN = "bold", "cyan", "dim", "bold green", "yellow"
"""The only styles in use."""

PIPE_WIDTH: Final = 160
"""Characters of a line that columns are laid out for where there is no terminal; nothing is cut there."""

WIDEST_SHARE: Final = 50
"""Percent of the width up to which a column is padded; a longer cell pushes its own row to the right."""


def printable(text: str) -> str:
    r"""Return `text` with each character that is not printable written as its escape.

    >>> printable("a\x1b[2Jb\nc é ✓")
    'a\\x1b[2Jb\\nc é ✓'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def plural(count: int, noun: str) -> str:
    """Return the count with its noun.

    >>> plural(1, "file"), plural(2788, "file"), plural(2, "class"), plural(3, "directory")
    ('1 file', '2,788 files', '2 classes', '3 directories')
    """
    if count == 1:
        return f"1 {noun}"
    if noun.endswith("s"):
        return f"{count:,} {noun}es"
    if noun.endswith("y"):
        return f"{count:,} {noun[:-1]}ies"
    return f"{count:,} {noun}s"


def counted(counts: dict[str, int]) -> str:
    """Return counts by kind in one line, with their sum.

    >>> counted({"File": 2, "Class": 1})
    '3 (1 class, 2 files)'
    """
    parts = ", ".join(
        plural(number, kind.lower()) if kind[1:].islower() else f"{number:,} {kind.lower()}"
        for kind, number in sorted(counts.items())
    )
    return f"{sum(counts.values()):,} ({parts})" if parts else "0"


def span(start: int, end: int) -> str:
    """Return a range of lines as it is written after a path.

    >>> span(3, 9), span(4, 4), span(0, 0)
    ('3-9', '4', '')
    """
    if not start:
        return ""
    return f"{start}-{end}" if end > start else str(start)


def place(path: str, start: int, end: int = 0) -> str:
    """Return `path:lines`, or the path alone where there are none."""
    lines = span(start, end)
    return printable(f"{path}:{lines}" if lines else path)


def short(symbol: str) -> str:
    """Return what a reader calls a symbol: its qualified name, or its path.

    >>> short("db.py:Store.put"), short("db.py"), short("ext:os.getcwd")
    ('Store.put', 'db.py', 'os.getcwd')
    """
    _, colon, qualname = symbol.partition(":")
    return printable(qualname if colon and qualname else symbol)


def size(count: int) -> str:
    """Return a number of bytes in the unit that suits it.

    >>> size(900), size(2_400_000)
    ('900 B', '2.4 MB')
    """
    for unit, one in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= one:
            return f"{count / one:.1f} {unit}"
    return f"{count} B"


@dataclass(slots=True)
class Page:
    """What a command prints on stdout: on a terminal coloured and cut to its width, in a pipe plain and whole."""

    stderr: bool = False
    _console: Console | None = field(default=None, repr=False)

    @property
    def console(self) -> Console:
        """The rich console, made when first needed: it costs a tenth of a second to import."""
        if self._console is None:
            from rich.console import Console

            self._console = Console(stderr=self.stderr, highlight=False, markup=False, emoji=False)
        return self._console

    def line(self, *parts: str | tuple[str, str], whole: bool = False) -> None:
        """Print one line of plain and `(text, style)` parts; `whole` is for what must never be cut."""
        from rich.text import Text

        text = Text.assemble(*parts)
        text.rstrip()
        self._put(text, whole=whole)

    def rows(
        self,
        rows: Iterable[Sequence[tuple[str, str]]],
        *,
        indent: int = 0,
        whole: bool = False,
    ) -> None:
        """Print rows of `(text, style)` cells, each column as wide as its widest cell; `whole` as in `line`."""
        from rich.text import Text

        table = [list(row) for row in rows]
        width = self.console.width if self.console.is_terminal else PIPE_WIDTH
        widths = _widths(table, WIDEST_SHARE * width // 100)
        for row in table:
            text = Text(" " * indent)
            for number, (cell, style) in enumerate(row):
                text.append(cell, style or None)
                if number < len(row) - 1:
                    text.append(" " * (max(0, widths[number] - len(cell)) + 2))
            text.rstrip()
            self._put(text, whole=whole)

    def _put(self, text: Text, *, whole: bool = False) -> None:
        if self.console.is_terminal and not whole:
            self.console.print(text, no_wrap=True, overflow="ellipsis")
        else:
            self.console.print(text, soft_wrap=True)


def _widths(table: list[list[tuple[str, str]]], widest: int) -> list[int]:
    columns = max((len(row) for row in table), default=0)
    return [
        min(widest, max((len(row[n][0]) for row in table if n < len(row)), default=0))
        for n in range(columns)
    ]
