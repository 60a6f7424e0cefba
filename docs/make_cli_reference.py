"""Write the reference in docs/cli.md from the commands' own help; with `--check`, fail where the two differ."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click
from made_page import write_or_check

from hindsight_neo4j.cli.app import hindsight

PAGE = Path(__file__).with_name("cli.md")
WIDTH = 100


def reference() -> str:
    """Return the reference: one section per command, in the order of `hindsight --help`."""
    settings = {**hindsight.context_settings, "terminal_width": WIDTH}
    root = click.Context(hindsight, info_name="hindsight", **settings)
    return "\n".join(_sections("hindsight", hindsight, root))


def _sections(title: str, command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the section of a command and of those under it."""
    yield _section(title, command, context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            under = command.commands[name]
            inner = click.Context(under, parent=context, info_name=name, terminal_width=WIDTH)
            yield from _sections(f"{title} {name}", under, inner)


def _section(title: str, command: click.Command, context: click.Context) -> str:
    return f"### {title}\n\n```text\n{command.get_help(context).rstrip()}\n```\n"


if __name__ == "__main__":
    sys.exit(write_or_check(PAGE, reference()))
