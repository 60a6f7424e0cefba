"""How a run ends: the one place where errors become a line on stderr and an exit code.

  0  done
  1  nothing found, ambiguous, nothing to read, or `--strict` with unreadable files
  2  usage, settings, template or parameter
  3  store or index unreachable or busy
  4  the index was written by another version
  5  a model failed; the evidence is still printed
 70  a fault of ours (EX_SOFTWARE of sysexits.h)
130  interrupted (128 + SIGINT)
141  the reader of our output went away (128 + SIGPIPE), said to nobody

docs/cli.md has the same list for scripts.
"""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Final

import click

from hindsight_neo4j.cli.text import printable
from hindsight_neo4j.errors import HindsightError, SnapshotError, SymbolError

FAULT: Final = 70
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141
MOST_CANDIDATES: Final = 20


def run(command: click.Command, arguments: Sequence[str], *, name: str) -> int:
    """Run a command and return its exit code. Nothing but `SystemExit` of the interpreter leaves this function."""
    _never_fail_on_a_letter()
    try:
        with command.make_context(name, list(arguments)) as context:
            code = command.invoke(context)
            sys.stdout.flush()
            return code if isinstance(code, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as wrong:
        wrong.show()
        return wrong.exit_code
    except HindsightError as error:
        _complain(error)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The interpreter flushes stdout once more when it ends; that must not raise again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except Exception as fault:  # noqa: BLE001  the outermost edge: a person sees one line, `-v` all of it
        _admit(fault, verbose=bool({"-v", "--verbose"} & set(arguments)))
        return FAULT


def _never_fail_on_a_letter() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _complain(error: HindsightError) -> None:
    print(f"error: {printable(str(error))}", file=sys.stderr)
    if isinstance(error, SymbolError | SnapshotError):
        for candidate in error.candidates[:MOST_CANDIDATES]:
            print(f"  {printable(candidate)}", file=sys.stderr)
        if len(error.candidates) > MOST_CANDIDATES:
            print(f"  {len(error.candidates) - MOST_CANDIDATES} more", file=sys.stderr)


def _admit(fault: Exception, *, verbose: bool) -> None:
    if verbose:
        traceback.print_exception(fault, file=sys.stderr)
    said = printable(" ".join(str(fault).split()))
    hint = "" if verbose else "; run it again with -v and report what it prints"
    print(f"error: a fault of ours: {type(fault).__name__}: {said}{hint}", file=sys.stderr)
