"""`hindsight audit`: rules that a repository keeps or breaks, and how far the edges of an index can be trusted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from hindsight_neo4j.cli.command import command
from hindsight_neo4j.cli.cypher import file_option, given, params_option, show_rows
from hindsight_neo4j.cli.files import read_text
from hindsight_neo4j.cli.session import Session, shared
from hindsight_neo4j.cli.text import FAINT, HEAD, NAME, PLACE, WARN, plural, printable
from hindsight_neo4j.cli.words import sure
from hindsight_neo4j.errors import SettingsError
from hindsight_neo4j.model.template import ROW_CAP

if TYPE_CHECKING:
    from hindsight_neo4j.model.audit import EdgeAudit
    from hindsight_neo4j.model.template import Row, Template

ROOM: Final = "audit/"
EDGES: Final = "edges"
"""The audit that is no rule: it has more to say than rows."""

CYCLES: Final = "import_cycles"
CYCLES_SUMMARY: Final = "Files that import one another in a circle of any length, for each such import the shortest one."
"""The rule that is no template: no one Cypher finds all circles (`hindsight_neo4j/retrieval/cycles.py`)."""


@command(
    "hindsight audit edges",
    "hindsight audit import_cycles --at-most 0",
    "hindsight audit forbidden_imports --param importers=shop/store/ --param imported=shop/web/,ext:flask",
    "hindsight audit --file rules/no_print.cypher",
    summary="Hold the repository to rules, with an exit code for CI.",
)
@click.argument("rule", required=False)
@file_option("A rule of your own: Cypher that returns a row for each finding")
@params_option
@click.option(
    "--at-most",
    type=click.IntRange(0, ROW_CAP - 1),
    metavar="N",
    default=0,
    show_default=True,
    help="Findings that are put up with.",
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    metavar="N",
    default=10,
    show_default=True,
    help="Most findings, names or directories to print. --json holds all.",
)
@shared()
def audit(
    session: Session,
    *,
    rule: str | None,
    file: Path | None,
    pairs: tuple[str, ...],
    at_most: int,
    limit: int,
) -> int:
    """Find what breaks a rule, and exit with 1 where there is more of it than allowed. Without a RULE, list them.

    A rule is a template of cypher/audit, or Cypher of your own, that returns a row for each finding. `edges` is no rule: it
    counts the calls that no edge stands for, the tiers of the edges, and the names that mean most things.
    """
    if rule is not None and file is not None:
        raise SettingsError("give a RULE or --file", hint="one of them, not both")
    if rule == EDGES:
        return _audit_edges(session, limit)
    if rule is None and file is None:
        return _list_rules(session)
    name, rows = _findings(session, rule, file, given(pairs))
    ok = len(rows) <= at_most
    if session.as_json:
        session.object({"schema": 1, "rule": name, "ok": ok, "at_most": at_most, "findings": rows})
        return 0 if ok else 1
    if rows:
        show_rows(session, rows[:limit])
    more = f", {len(rows) - limit:,} not shown" if len(rows) > limit else ""
    session.say(
        ("ok " if ok else "broken ", HEAD if ok else WARN),
        (printable(name), NAME),
        f"  {plural(len(rows), 'finding')}{more}, {at_most:,} allowed",
    )
    return 0 if ok else 1


def _findings(
    session: Session, rule: str | None, file: Path | None, params: dict[str, str]
) -> tuple[str, list[Row]]:
    """Return the name of the rule, and a row for each finding."""
    with session.open() as client:
        if rule is None:
            assert file is not None
            return str(file), client.run_cypher(read_text(file), params, as_written=True)
        if rule == CYCLES:
            if params:
                raise SettingsError(f"{CYCLES} takes no parameters")
            circles = client.import_cycles()
            return rule, [{"files": len(circle), "circle": list(circle)} for circle in circles]
        template = client.template(ROOM + rule.removeprefix(ROOM))
        if any(param.name == "limit" for param in template.params):
            params = {"limit": str(ROW_CAP), **params}
        return template.name.removeprefix(ROOM), client.run_template(template.name, **params)


def _list_rules(session: Session) -> int:
    from hindsight_neo4j.client import Hindsight

    templates = [one for one in Hindsight.templates() if one.name.startswith(ROOM)]
    rules = sorted(
        [
            (CYCLES, CYCLES_SUMMARY, []),
            *((one.name.removeprefix(ROOM), one.summary, _params(one)) for one in templates),
        ]
    )
    if session.as_json:
        listed = [
            {"rule": rule, "summary": summary, "params": params} for rule, summary, params in rules
        ]
        session.object({"schema": 1, "rules": listed})
        return 0
    session.page.rows(
        [(rule, NAME), (" ".join(params), PLACE), (printable(summary), FAINT)]
        for rule, summary, params in rules
    )
    return 0


def _params(template: Template) -> list[str]:
    """Return the parameters that a person gives."""
    return [one.name for one in template.params if one.name not in ("snapshot", "limit")]


def _audit_edges(session: Session, limit: int) -> int:
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
                (f"{sure(tier.confidence)} on average", FAINT),
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
