"""Looking after an index: `status`, `doctor`, `export`, `forget`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hindsight_neo4j.cli.command import command
from hindsight_neo4j.cli.model import usage_text
from hindsight_neo4j.cli.session import Session, shared
from hindsight_neo4j.cli.text import FAINT, HEAD, NAME, WARN, counted, plural, printable, size
from hindsight_neo4j.errors import SettingsError

if TYPE_CHECKING:
    from hindsight_neo4j.model.status import Status


@command("hindsight status --json")
@shared()
def status(session: Session) -> int:
    """What the index holds, counted by the database."""
    with session.open() as client:
        found = client.status()
    if session.as_json:
        session.object(found.to_dict())
    else:
        show_status(session, found)
    return 0


def show_status(session: Session, found: Status) -> None:
    """Print a status for people."""
    page = session.page
    page.line((printable(found.snapshot), HEAD), "  ", (printable(found.index), FAINT))
    page.rows(
        [
            *([[("repository", FAINT), (printable(found.root), "")]] if found.root else []),
            [("written", FAINT), (f"{found.created} by {found.version}", "")],
            [("nodes", FAINT), (counted(found.nodes), "")],
            [("edges", FAINT), (counted(found.edges), "")],
            [("chunks", FAINT), (f"{found.chunks:,}", "")],
            *([[("size", FAINT), (size(found.index_bytes), "")]] if found.index_bytes else []),
            *(
                [("model", FAINT), (f"{printable(name)}: {usage_text(usage)}", "")]
                for name, usage in found.models.items()
            ),
        ],
        indent=2,
        whole=True,
    )


@command(
    "hindsight doctor",
    "hindsight doctor --repair --graph bolt://localhost:7687",
    summary="Check the installation and the index, and repair it.",
)
@click.option(
    "--repair",
    is_flag=True,
    help="Remove what was left behind, make what is missing. Not while somebody ingests.",
)
@shared()
def doctor(session: Session, *, repair: bool) -> int:
    """Diagnose: grammars, templates, the index and its stores, and what was left behind, one line each.

    Without --repair nothing is changed. A damaged index is made again by hindsight-ingest.
    """
    with session.open() as client:
        checks = client.doctor(repair=repair)
    if session.as_json:
        session.object({"schema": 1, "checks": [check.to_dict() for check in checks]})
    else:
        session.page.rows(
            [
                ("ok" if check.ok else "bad", HEAD if check.ok else WARN),
                (check.name, NAME),
                (printable(check.said), FAINT),
            ]
            for check in checks
        )
    return max((check.exit_code for check in checks), default=0)


@command("hindsight settings", summary="Each setting, its value and where it is from.")
@shared()
def settings(session: Session) -> int:
    """Show each setting with its value and its origin: a flag, a variable, a file, a default, or a prompt.

    Secrets are not shown. Those of `ingest` are defaults, which flags of that command change.
    """
    from hindsight_neo4j.client import Hindsight
    from hindsight_neo4j.connections import DEFAULT, Setting
    from hindsight_neo4j.settings import IngestOptions

    flags = {"--index": session.index, "--repo": session.repo}
    given = [flag for flag, value in flags.items() if value is not None]
    index = Hindsight.open(session.repo or Path(), index=session.index).index
    found = [
        Setting("index", str(index), *(given or [DEFAULT])),
        Setting("snapshot", session.snapshot, "--snapshot" if session.snapshot else DEFAULT),
        *session.settings().settings,
        *(
            Setting(f"ingest.{name}", str(value), DEFAULT)
            for name, value in asdict(IngestOptions.load()).items()
        ),
    ]
    if session.as_json:
        rows = [{"name": one.name, "value": one.shown, "origin": one.origin} for one in found]
        session.object({"schema": 1, "settings": rows})
    else:
        session.page.rows(
            [(one.name, NAME), (printable(one.shown), ""), (printable(one.origin), FAINT)]
            for one in found
        )
    return 0


@command(
    "hindsight export --format jsonl -o graph.jsonl",
    "hindsight export --format neo4j-csv -o graph/",
)
@click.option(
    "--format",
    "style",
    type=click.Choice(["jsonl", "neo4j-csv"]),
    default="jsonl",
    show_default=True,
    help="jsonl: one node or edge a line, sorted. neo4j-csv: a folder for `neo4j-admin database import`.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write here, whole or not at all: a file, or a new folder. [default: stdout]",
)
@shared(as_json=False)
def export(session: Session, *, style: str, output: Path | None) -> int:
    """Write the whole graph of a snapshot, the same bytes every time."""
    if style == "neo4j-csv" and output is None:
        raise SettingsError("neo4j-csv is a folder", hint="give its name: -o FOLDER")
    with session.open() as client:
        if style == "neo4j-csv" and output is not None:
            nodes, edges = client.export_neo4j_csv(output)
        else:
            nodes, edges = client.export(sys.stdout if output is None else output)
    session.say((f"{plural(nodes, 'node')}, {plural(edges, 'edge')}", FAINT))
    if style == "neo4j-csv":
        session.say(f"to load it: sh {output}/import.sh")
    return 0


@command("hindsight forget --yes")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@shared(as_json=False)
def forget(session: Session, *, yes: bool) -> int:
    """Delete the index, on servers the snapshot. The repository itself is not touched."""
    with session.open() as client:
        where = printable(client.forgettable())
        if not yes:
            click.confirm(f"Delete {where}?", abort=True, err=True)
        client.forget()
    session.say(f"forgot {where}")
    return 0
