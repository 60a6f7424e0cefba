"""Every way a run can end has its exit code, and one line on stderr."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from hindsight_neo4j.cli.outcome import run
from hindsight_neo4j.errors import (
    HindsightError,
    LanguageError,
    ModelError,
    QuestionError,
    SchemaMismatch,
    SettingsError,
    SourceError,
    StoreBusy,
    StoreUnavailable,
    SymbolError,
    TemplateError,
    WriteFailed,
)


def raising(error: BaseException) -> click.Command:
    @click.command()
    def command() -> None:
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (SourceError("there is no x"), 1),
        (LanguageError("the grammar x does not load"), 1),
        (SymbolError("no symbol is called x"), 1),
        (SettingsError("impossible"), 2),
        (TemplateError("refused"), 2),
        (QuestionError("empty"), 2),
        (StoreUnavailable("no index"), 3),
        (StoreBusy("being written"), 3),
        (WriteFailed("disk full"), 3),
        (SchemaMismatch("newer"), 4),
        (ModelError("gave up"), 5),
        (click.UsageError("what?"), 2),
        (KeyboardInterrupt(), 130),
        (KeyError("x"), 70),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else str(value),
)
def test_an_error_has_its_documented_exit_code(error: BaseException, code: int) -> None:
    assert run(raising(error), [], name="hindsight") == code


def test_an_error_is_one_line_that_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    run(raising(HindsightError("a\nb\x1b[2J", hint="do c")), [], name="hindsight")
    assert capsys.readouterr().err == "error: a\\nb\\x1b[2J: do c\n"


def test_what_a_symbol_could_mean_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    many = tuple(f"m{number:02}.py:f" for number in range(25))
    run(raising(SymbolError("f is ambiguous", candidates=many)), [], name="hindsight")
    lines = capsys.readouterr().err.splitlines()
    assert lines[1] == "  m00.py:f"
    assert lines[-1] == "  5 more"


def test_a_fault_of_ours_is_one_line_and_with_v_a_traceback(
    capsys: pytest.CaptureFixture[str],
) -> None:
    @click.command()
    @click.option("-v", is_flag=True)
    def command(v: bool) -> None:
        raise ZeroDivisionError("odd")

    assert run(command, [], name="hindsight") == 70
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert run(command, ["-v"], name="hindsight") == 70
    assert "Traceback" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_error(shop: Path) -> None:
    script = (
        "import sys; from hindsight_neo4j.cli import main;"
        f"sys.argv = ['hindsight', 'export', '--repo', {str(shop)!r}]; main()"
    )
    read, write = os.pipe()
    os.close(read)
    ended = subprocess.run(
        [sys.executable, "-c", script], stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)
    assert ended.returncode == 141
    assert ended.stderr == b""


def test_an_interrupt_ends_with_130_and_no_traceback() -> None:
    script = (
        "import os, signal, click; from hindsight_neo4j.cli.outcome import run\n"
        "@click.command()\n"
        "def wait():\n"
        f"    os.kill(os.getpid(), {int(signal.SIGINT)})\n"
        "    import time; time.sleep(20)\n"
        "raise SystemExit(run(wait, [], name='hindsight'))"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert ended.returncode == 130
    assert ended.stderr == b"interrupted\n"
