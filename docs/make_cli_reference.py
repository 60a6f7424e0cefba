"""Write the reference in docs/cli.md from the commands' own help; with `--check`, fail where the two differ."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from hindsight_neo4j.cli.app import hindsight

PAGE = Path(__file__).with_name("cli.md")
START = "<!-- reference: made by docs/make_cli_reference.py -->\n"
WIDTH = 100


def reference() -> str:
    """Return the reference: one section per command, in the order of `hindsight --help`."""
    settings = {**hindsight.context_settings, "terminal_width": WIDTH}
    root = click.Context(hindsight, info_name="hindsight", **settings)
    return "\n".join(_sections("hindsight", hindsight, root))


def page() -> str:
    """Return the whole page, with its hand-written part as it is."""
    written, start, _ = PAGE.read_text(encoding="utf-8").partition(START)
    if not start:
        raise SystemExit(f"{PAGE.name} has no line {START.strip()}")
    return f"{written}{START}\n{reference()}"


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


def main() -> int:
    """Write the page, or check it."""
    made = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(made, encoding="utf-8")
        return 0
    if made == PAGE.read_text(encoding="utf-8"):
        return 0
    print("docs/cli.md is not what the help says: run python docs/make_cli_reference.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
