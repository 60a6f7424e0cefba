"""The kinds of commands: one whose help ends with examples, and a group that lists commands under headings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import click

HELP_NAMES: Final = {"help_option_names": ["-h", "--help"]}


class Command(click.Command):
    """A command with examples, which are printed as they are.

    Args:
        examples: Lines to type; shown at the end of the help.
    """

    def __init__(self, *args: Any, examples: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        with formatter.section("Examples" if len(self.examples) > 1 else "Example"):
            for example in self.examples:
                formatter.write(f"{'':>{formatter.current_indent}}{example}\n")


def command(
    *examples: str, name: str | None = None, summary: str | None = None
) -> Callable[[Callable[..., Any]], Command]:
    """Make a command of a function: its docstring is the help, `summary` the line in the list of commands."""
    return click.command(
        name, cls=Command, examples=examples, short_help=summary, context_settings=HELP_NAMES
    )


def with_options(
    function: Callable[..., Any], *options: Callable[[Any], Any]
) -> Callable[..., Any]:
    """Give a function the arguments and flags of `options`, in their order, as so many decorators above it would."""
    for option in reversed(options):
        function = option(function)
    return function


class Grouped(click.Group):
    """A group whose help lists its commands under headings, in the order that a newcomer needs them.

    Args:
        groups: Commands by heading.
    """

    def __init__(
        self, *args: Any, groups: Mapping[str, Sequence[click.Command]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.groups = groups
        for commands in groups.values():
            for one in commands:
                self.add_command(one)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the groups."""
        return [one.name or "" for commands in self.groups.values() for one in commands]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one section per heading, with the lines aligned across all of them."""
        widest = max(len(name) for name in self.list_commands(ctx))
        for heading, commands in self.groups.items():
            with formatter.section(heading):
                formatter.write_dl(
                    [
                        (f"{one.name:<{widest}}", one.get_short_help_str(limit=100))
                        for one in commands
                    ]
                )
