"""`hindsight audit edges`: how far the edges of an index can be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hindsight_neo4j.cli.command import command
from hindsight_neo4j.cli.session import Session, shared
from hindsight_neo4j.cli.text import FAINT, HEAD, NAME, PLACE, WARN, plural, printable

if TYPE_CHECKING:
    from hindsight_neo4j.model.audit import EdgeAudit


@command("hindsight audit edges", summary="How far the edges can be trusted, and where not.")
@click.argument("what", type=click.Choice(["edges"]), metavar="edges")
@click.option(
    "--limit",
    type=click.IntRange(1),
    metavar="N",
    default=10,
    show_default=True,
    help="Most names and directories to print. --json always holds all directories.",
)
@shared()
def audit(session: Session, *, what: str, limit: int) -> int:
    """Count the calls that no edge stands for, the tiers of the edges, the names that mean most things.

    A call site without an edge is one where nothing is known about what is called, be it of this repository or not.
    """
    with session.open() as client:
        found = client.audit_edges()
    if session.as_json:
        session.object(found.to_dict())
    else:
        show_audit(session, found, limit)
    return 0


def show_audit(session: Session, found: EdgeAudit, limit: int) -> None:
    """Print an audit for people."""
    page = session.page
    page.line(
        (printable(found.snapshot), HEAD),
        f"  {plural(found.unresolved, 'call')} of {found.unresolved + found.resolved:,} without an edge, ",
        (f"{found.unresolved_share:.1%}", WARN),
    )
    page.line(("edges by tier", FAINT))
    page.rows(
        (
            [
                (tier.edge, NAME),
                (tier.tier, ""),
                (f"{tier.edges:,}", ""),
                (f"{tier.confidence:.0%} sure on average", FAINT),
            ]
            for tier in found.tiers
        ),
        indent=2,
    )
    page.line(("names of most calls without an edge", FAINT))
    page.rows(
        (
            [(printable(one.name), NAME), (plural(one.callers, "caller"), "")]
            for one in found.open_names[:limit]
        ),
        indent=2,
    )
    page.line(("names of most doubtful calls", FAINT))
    page.rows(
        (
            [
                (printable(one.name), NAME),
                (plural(one.callers, "edge"), ""),
                (f"{plural(one.targets, 'symbol')} of that name", FAINT),
            ]
            for one in found.ambiguous_names[:limit]
        ),
        indent=2,
    )
    page.line(("directories with most calls without an edge", FAINT))
    page.rows(
        (
            [
                (printable(one.path), PLACE),
                (f"{one.unresolved:,} of {one.unresolved + one.resolved:,}", ""),
                (f"{one.unresolved_share:.1%}", WARN),
            ]
            for one in found.directories[:limit]
        ),
        indent=2,
    )
