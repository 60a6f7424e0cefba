"""What every command knows: where the index is and how much to say, from flags that all commands share."""

from __future__ import annotations

import functools
import json
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hindsight_neo4j.cli.text import Page
from hindsight_neo4j.errors import SettingsError

if TYPE_CHECKING:
    from hindsight_neo4j.client import Hindsight

_INDEX_FLAGS = ("index", "repo", "snapshot")
_TALK = ("quiet", "verbose")

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Session:
    """The flags that all commands share. `page` is stdout for people, `aside` is stderr."""

    index: Path | None = None
    repo: Path | None = None
    snapshot: str | None = None
    as_json: bool = False
    quiet: bool = False
    verbose: bool = False
    page: Page = field(default_factory=Page)
    aside: Page = field(default_factory=lambda: Page(stderr=True))

    def open(self) -> Hindsight:
        """Return a client on the index that the flags choose."""
        from hindsight_neo4j.client import Hindsight

        return Hindsight.open(self.repo or Path(), index=self.index, snapshot=self.snapshot)

    def say(self, *parts: str | tuple[str, str]) -> None:
        """Print a remark on stderr, unless `-q`."""
        if not self.quiet:
            self.aside.line(*parts)

    def object(self, value: Any) -> None:
        """Print the one JSON object of `--json`."""
        sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")

    def compact(self, value: Any) -> None:
        """Print one line of JSON, at once, so that a reader in a pipe can follow."""
        sys.stdout.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")
        sys.stdout.flush()


def shared(*, choose_index: bool = True, as_json: bool = True) -> Callable[[Command], Command]:
    """Give a command the shared flags and hand them over as one `Session`, its first argument."""
    names = [*(_INDEX_FLAGS if choose_index else ()), *(("as_json",) if as_json else ()), *_TALK]

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def with_session(**given: Any) -> Any:
            flags = {name: given.pop(name) for name in names}
            if flags.get("index") is not None and flags.get("repo") is not None:
                raise SettingsError(
                    "--index and --repo both choose an index", hint="give one of them"
                )
            if flags["verbose"]:
                logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(message)s")
            return command(Session(**flags), **given)

        wrapped: Any = with_session
        for option in reversed(_options(choose_index=choose_index, as_json=as_json)):
            wrapped = option(wrapped)
        return wrapped  # type: ignore[no-any-return]

    return decorate


def _options(*, choose_index: bool, as_json: bool) -> list[Callable[[Any], Any]]:
    options = []
    if choose_index:
        folder = click.Path(path_type=Path)
        options += [
            click.option("--index", type=folder, metavar="DIR", help="The index folder to read."),
            click.option(
                "--repo",
                type=folder,
                metavar="PATH",
                help="A repository; its index is read. [default: the nearest .hindsight/ upwards]",
            ),
            click.option("--snapshot", metavar="NAME", help="Which snapshot of the index to read."),
        ]
    if as_json:
        options.append(click.option("--json", "as_json", is_flag=True, help="Print JSON."))
    options += [
        click.option("-q", "--quiet", is_flag=True, help="Say nothing on stderr but errors."),
        click.option("-v", "--verbose", is_flag=True, help="Say more."),
    ]
    return options
