"""What is printed is safe, whole in a pipe, and fits a terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from hindsight_neo4j.cli.text import FAINT, PLACE, Page, counted, printable, short

HOSTILE = [
    "\x1b]0;owned\x07",
    "a\r\nb",
    "\u202egnp.py",
    "\x00",
    "\udcff",
    "[red]markup[/red]",
    ":smile:",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_a_terminal_would_obey_gets_through(text: str) -> None:
    assert printable(text).isprintable()


def on(width: int, *, terminal: bool) -> tuple[Page, io.StringIO]:
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=terminal, highlight=False, markup=False, emoji=False
    )
    return Page(_console=console), out


def test_a_line_is_whole_in_a_pipe() -> None:
    page, out = on(40, terminal=False)
    page.line(("x" * 300, PLACE), "  end")
    assert out.getvalue() == "x" * 300 + "  end\n"


def test_a_line_is_cut_to_the_terminal_but_not_when_it_is_to_be_copied() -> None:
    page, out = on(40, terminal=True)
    page.line("x" * 300)
    assert len(out.getvalue().splitlines()) == 1
    assert "…" in out.getvalue()
    page, out = on(40, terminal=True)
    page.line("x" * 300, whole=True)
    assert out.getvalue().count("x") == 300


def test_no_colours_when_they_are_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    page, out = on(40, terminal=True)
    page.line(("a", PLACE), ("b", FAINT))
    assert "\x1b[3" not in out.getvalue()


def test_markup_in_a_name_is_only_a_name() -> None:
    page, out = on(80, terminal=False)
    page.rows([[("[red]a[/red]", PLACE), (":smile:", "")]])
    assert out.getvalue() == "[red]a[/red]  :smile:\n"


def test_columns_are_aligned_and_a_long_cell_moves_only_its_row() -> None:
    page, out = on(40, terminal=False)
    page.rows([[("a", ""), ("1", "")], [("bbb", ""), ("2", "")], [("c" * 50, ""), ("3", "")]])
    lines = out.getvalue().splitlines()
    assert lines[0].index("1") == lines[1].index("2")
    assert lines[2] == "c" * 50 + "  3"


def test_counts_read_like_a_sentence() -> None:
    assert (
        counted({"File": 1, "Class": 2, "Directory": 3}) == "6 (2 classes, 3 directories, 1 file)"
    )
    assert counted({}) == "0"


def test_a_symbol_is_shown_by_its_qualified_name() -> None:
    assert short("a b/c.py:X.y~2") == "X.y~2"
    assert short("a/c.py") == "a/c.py"
