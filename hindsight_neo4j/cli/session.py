"""What every command knows: where the index is and how much to say, from flags that all commands share."""

from __future__ import annotations

import functools
import json
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from hindsight_neo4j.cli.command import with_options
from hindsight_neo4j.cli.text import Page, printable
from hindsight_neo4j.errors import SettingsError

if TYPE_CHECKING:
    from hindsight_neo4j.client import Hindsight
    from hindsight_neo4j.connections import Connections
    from hindsight_neo4j.model.exchange import ModelOptions

_INDEX_FLAGS = ("index", "repo", "snapshot")
_SERVER_FLAGS = ("graph", "text", "config")
_TALK = ("quiet", "verbose")

Command: TypeAlias = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Session:
    """The flags that all commands share. `page` is stdout for people, `aside` is stderr."""

    index: Path | None = None
    repo: Path | None = None
    snapshot: str | None = None
    graph: str | None = None
    text: str | None = None
    config: Path | None = None
    as_json: bool = False
    quiet: bool = False
    verbose: bool = False
    page: Page = field(default_factory=Page)
    aside: Page = field(default_factory=lambda: Page(stderr=True))

    def open(self) -> Hindsight:
        """Return a client on the index that the flags choose."""
        from hindsight_neo4j.client import Hindsight

        connections = self.connections()
        return Hindsight.open(
            self.repo or Path(),
            index=self.index,
            snapshot=self.snapshot,
            graph=connections.graph,
            text=connections.text,
        )

    def model(self, name: str | None, url: str | None) -> ModelOptions | None:
        """Return the model that flags, environment and the user's file name."""
        from hindsight_neo4j.connections import Connections

        return Connections.load({"model.name": name, "model.url": url}, file=self.config).model

    def dense(self, flag: bool) -> bool | str:
        """Return whether vectors are used, by the flag or by the user's settings, and which model is to make them."""
        from hindsight_neo4j.connections import Connections

        return Connections.load({"dense.use": "true" if flag else None}, file=self.config).dense

    def connections(self) -> Connections:
        """Return the servers that flags, environment and the user's file name.

        A person who named a user and no password is asked for it.
        """
        found = self.settings()
        for section, server in (("graph", found.graph), ("text", found.text)):
            if server and found.asks_for(f"{section}.password") and sys.stdin.isatty():
                asked = f"Password of {server.user} at {printable(server.address)}"
                typed = click.prompt(asked, hide_input=True, err=True, default="")
                found = found.with_secret(f"{section}.password", typed)
        return found

    def settings(self) -> Connections:
        """Return the same as `connections`, without asking for anything."""
        from hindsight_neo4j.connections import Connections

        flags = {"graph.address": self.graph, "text.address": self.text}
        return Connections.load(flags, file=self.config)

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


def shared(
    *, choose_index: bool = True, choose_server: bool = True, as_json: bool = True
) -> Callable[[Command], Command]:
    """Give a command the shared flags and hand them over as one `Session`, its first argument."""
    names = [
        *(_INDEX_FLAGS if choose_index else ()),
        *(_SERVER_FLAGS if choose_server else ()),
        *(("as_json",) if as_json else ()),
        *_TALK,
    ]

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

        return with_options(
            with_session,
            *(_index_options() if choose_index else ()),
            *(_server_options() if choose_server else ()),
            *_talk_options(as_json=as_json),
        )

    return decorate


def _index_options() -> list[Callable[[Any], Any]]:
    folder = click.Path(path_type=Path)
    return [
        click.option("--index", type=folder, metavar="DIR", help="The index folder to read."),
        click.option(
            "--repo",
            type=folder,
            metavar="PATH",
            help="A repository; its index is read. [default: the nearest .hindsight/ upwards]",
        ),
        click.option("--snapshot", metavar="NAME", help="Which snapshot of the index to read."),
    ]


def _server_options() -> list[Callable[[Any], Any]]:
    return [
        click.option(
            "--graph",
            metavar="URL",
            help="The Neo4j of the graph, such as bolt://localhost:7687. [default: the index folder]",
        ),
        click.option(
            "--text",
            metavar="URL",
            help="The Elasticsearch of the text, such as http://localhost:9200.",
        ),
        click.option(
            "--config",
            type=click.Path(path_type=Path, dir_okay=False),
            metavar="FILE",
            help="Settings of servers; `hindsight settings` says where they are from.",
        ),
    ]


def _talk_options(*, as_json: bool) -> list[Callable[[Any], Any]]:
    options = []
    if as_json:
        options.append(click.option("--json", "as_json", is_flag=True, help="Print JSON."))
    options += [
        click.option("-q", "--quiet", is_flag=True, help="Say nothing on stderr but errors."),
        click.option("-v", "--verbose", is_flag=True, help="Say more."),
    ]
    return options
