"""Templates and Cypher: list, show and run. Everything a user writes passes the guard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from hindsight_neo4j.cli.command import command
from hindsight_neo4j.cli.files import read_text, write_bytes
from hindsight_neo4j.cli.session import Session, shared
from hindsight_neo4j.cli.text import FAINT, HEAD, NAME, PLACE, plural, printable
from hindsight_neo4j.errors import SettingsError

if TYPE_CHECKING:
    from hindsight_neo4j.model.template import Row, Template, Value

LONGEST_CELL: Final = 100
"""Characters of a cell printed for people; --json holds all."""

params_option: Final = click.option(
    "-p",
    "--param",
    "pairs",
    multiple=True,
    metavar="KEY=VALUE",
    help="A parameter; lists by commas or as JSON.",
)


def file_option(what: str) -> Callable[[Any], Any]:
    """Return the flag that takes Cypher from a file; `what` says it in its help."""
    return click.option(
        "-F",
        "--file",
        "file",
        type=click.Path(path_type=Path, allow_dash=True),
        metavar="FILE",
        help=f"{what}; - for stdin.",
    )


@command(
    "hindsight templates",
    "hindsight templates lookup/callers",
    "hindsight templates --zip hindsight-queries.zip",
    summary="List the templates, or show one.",
)
@click.argument("name", required=False)
@click.option(
    "--zip",
    "archive",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write all as saved queries for Neo4j Browser: drop the file on its page.",
)
@shared(choose_index=False, choose_server=False)
def templates(session: Session, *, name: str | None, archive: Path | None) -> int:
    """List the templates, or show one with its parameters and its Cypher."""
    from hindsight_neo4j.client import Hindsight

    if archive is not None:
        write_bytes(archive, Hindsight.saved_queries())
        return 0
    if name is not None:
        _show_one(session, Hindsight.template(name))
        return 0
    found = Hindsight.templates()
    if session.as_json:
        session.object({"schema": 1, "templates": [_described(one) for one in found]})
    else:
        session.page.rows([(one.name, NAME), (printable(one.summary), FAINT)] for one in found)
    return 0


def _show_one(session: Session, template: Template) -> None:
    if session.as_json:
        session.object({"schema": 1, **_described(template), "text": template.text})
        return
    page = session.page
    page.line((template.name, HEAD), "  ", (printable(template.summary), ""))
    page.rows(
        (
            [(f"${p.name}", NAME), (p.type.value, PLACE), (printable(p.meaning), FAINT)]
            for p in template.params
        ),
        indent=2,
    )
    page.line(("returns  ", FAINT), ", ".join(template.columns))
    page.line(("bound    ", FAINT), template.bound)
    page.line()
    click.echo(template.text.strip())
    if template.example:
        page.line()
        for line in template.example.splitlines():
            page.line((line, FAINT))


def _described(template: Template) -> dict[str, object]:
    return {
        "name": template.name,
        "summary": template.summary,
        "params": [
            {"name": p.name, "type": p.type.value, "meaning": p.meaning} for p in template.params
        ],
        "columns": list(template.columns),
        "bound": template.bound,
        "example": template.example,
    }


@command(
    "hindsight cypher audit/unresolved_most --param limit=10",
    "hindsight cypher 'MATCH (f:Node) WHERE f.unresolved > 9 RETURN f.id'",
)
@click.argument("query", metavar="[NAME|CYPHER]", required=False)
@file_option("Run the Cypher in a file")
@params_option
@shared()
def cypher(
    session: Session, *, query: str | None, file: Path | None, pairs: tuple[str, ...]
) -> int:
    """Run a template by its name, or Cypher of your own, read-only.

    Only reading clauses are let through, in read mode, with a time limit and a cap on rows. $snapshot is
    set for you.
    """
    if (query is None) == (file is None):
        raise SettingsError(
            "give a template's NAME, Cypher in quotes, or --file", hint="one of them, not more"
        )
    params = given(pairs)
    with session.open() as client:
        # No template's name has a space in it, and no Cypher that reads anything is without one.
        if query is not None and len(query.split()) == 1:
            rows = client.run_template(query, **params)
        else:
            text = read_text(file) if file is not None else query or ""
            rows = client.run_cypher(text, params, as_written=True)
    _print_rows(session, rows)
    return 0 if rows else 1


def given(pairs: tuple[str, ...]) -> dict[str, str]:
    """Return the parameters of `--param KEY=VALUE`."""
    params = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.isidentifier():
            raise SettingsError(
                f"--param {pair!r} is not KEY=VALUE", hint="such as --param limit=20"
            )
        params[key] = value
    return params


def _print_rows(session: Session, rows: list[Row]) -> None:
    if session.as_json:
        session.object({"schema": 1, "rows": rows})
        return
    if not rows:
        session.say("no rows")
        return
    show_rows(session, rows)
    session.say((plural(len(rows), "row"), FAINT))


def show_rows(session: Session, rows: list[Row]) -> None:
    """Print rows for people, under the names of their columns."""
    columns = list(rows[0])
    session.page.rows(
        [[(column, HEAD) for column in columns]]
        + [[(_cell(row[column]), "") for column in columns] for row in rows]
    )


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return _cell(", ".join(str(part) for part in value))
    text = printable(str(value))
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"
