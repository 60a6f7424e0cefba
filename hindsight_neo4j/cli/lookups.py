"""Lookups: what stands in some relation to a symbol. `callers`, `callees`, `path`, `impact`, `tests`, …"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import click

from hindsight_neo4j.cli.command import command
from hindsight_neo4j.cli.session import Session, shared
from hindsight_neo4j.cli.text import FAINT, HEAD, NAME, PLACE, WARN, place, plural, printable, short
from hindsight_neo4j.cli.words import doubt, known, verb

if TYPE_CHECKING:
    from hindsight_neo4j.client import Hindsight
    from hindsight_neo4j.model.lookup import Lookup, Related

SHOWN_LINES: Final = 4
"""Call sites written out per row; the rest are counted."""

DEFAULT_LIMIT: Final = 50

_limit = click.option(
    "--limit",
    type=click.IntRange(1),
    metavar="N",
    default=DEFAULT_LIMIT,
    show_default=True,
    help="Most rows to print. --json always holds all.",
)


def _lookup(
    name: str, summary: str, example: str, ask: Callable[[Hindsight, str], Lookup]
) -> click.Command:
    """Make the command of a lookup that takes one symbol."""

    @command(example, name=name, summary=summary)
    @click.argument("symbol")
    @_limit
    @shared()
    def made(session: Session, *, symbol: str, limit: int) -> int:
        with session.open() as client:
            return show(session, ask(client, symbol), limit)

    made.help = f"{summary}\n\n{_SYMBOL_HELP}"
    return made


_SYMBOL_HELP: Final = "SYMBOL is an id (path:Qual.name), a qualified name, or the end of one that fits a single symbol."

callers = _lookup(
    "callers",
    "Who calls this function or class.",
    "hindsight callers Store.put",
    lambda client, symbol: client.callers(symbol),
)
callees = _lookup(
    "callees",
    "What this function, class or file calls.",
    "hindsight callees Store.put",
    lambda client, symbol: client.callees(symbol),
)
impact = _lookup(
    "impact",
    "What may break if this symbol changes, nearest first.",
    "hindsight impact Store.put",
    lambda client, symbol: client.impact(symbol),
)
tests = _lookup(
    "tests",
    "Which tests exercise this symbol, directly or by a fixture.",
    "hindsight tests Store.put",
    lambda client, symbol: client.tests(symbol),
)
members = _lookup(
    "members",
    "What this directory, file or class contains.",
    "hindsight members Store",
    lambda client, symbol: client.members(symbol),
)
references = _lookup(
    "references",
    "The definition of this symbol and every use of it.",
    "hindsight references Store",
    lambda client, symbol: client.references(symbol),
)


@command("hindsight path handle_request Store.put")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@shared()
def path(session: Session, *, source: str, target: str) -> int:
    """How one symbol leads to another, by the fewest edges."""
    with session.open() as client:
        lookup = client.path(source, target)
    if session.as_json:
        session.object(lookup.to_dict())
    elif not lookup.items:
        session.say(printable(lookup.reason))
    else:
        _chain(session, lookup.items[-1])
        if lookup.reason:
            session.say((printable(lookup.reason), WARN))
    return 0 if lookup.items else 1


def _chain(session: Session, end: Related) -> None:
    page = session.page
    hops = end.via
    page.line((printable(known(hops[0]) if hops else end.id), NAME))
    for depth, hop in enumerate(hops):
        found = hop.dst if hop.forward else hop.src
        page.line(
            " " * (3 * depth),
            ("└─ ", FAINT),
            (f"{verb(hop)} ", FAINT),
            (short(found), NAME),
            "  ",
            (place(hop.path, hop.line), PLACE),
            "  ",
            (doubt(hop.confidence, hop.tier), WARN),
        )


def show(session: Session, lookup: Lookup, limit: int) -> int:
    """Print a lookup and return the exit code: 1 when it is empty."""
    if session.as_json:
        session.object(lookup.to_dict())
        return 0 if lookup.items else 1
    if not lookup.items:
        session.say(f"{printable(lookup.symbol)}: {printable(lookup.reason)}")
        _say_unresolved(session, lookup)
        return 1
    session.say((f"{lookup.command} of ", FAINT), (printable(lookup.symbol), HEAD))
    session.page.rows(_row(item) for item in lookup.items[:limit])
    _say_count(session, lookup, limit)
    _say_unresolved(session, lookup)
    return 0


def _row(item: Related) -> list[tuple[str, str]]:
    where = item.line_path or item.path
    if item.lines:
        shown = ",".join(str(line) for line in item.lines[:SHOWN_LINES])
        more = len(item.lines) - SHOWN_LINES
        spot = printable(f"{where}:{shown}") + (f" +{more}" if more > 0 else "")
    else:
        spot = place(item.path, item.start_line, item.end_line)
    remarks = [
        f"{item.hops} hops" if item.hops > 1 else "",
        "test" if item.is_test else "",
        item.how if item.how not in ("call", "tree", "") else "",
        doubt(item.confidence, item.tier) if item.tier else "",
    ]
    return [
        (spot, PLACE),
        (short(item.id), NAME),
        (" · ".join(remark for remark in remarks if remark), FAINT),
    ]


def _say_count(session: Session, lookup: Lookup, limit: int) -> None:
    left = len(lookup.items) - limit
    sites = sum(len(item.lines) for item in lookup.items)
    counted = plural(len(lookup.items), "row") + (f" · {plural(sites, 'site')}" if sites else "")
    session.say(
        (counted + (f" · {left} more, --limit {len(lookup.items)}" if left > 0 else ""), FAINT)
    )


def _say_unresolved(session: Session, lookup: Lookup) -> None:
    if not lookup.unresolved:
        return
    if lookup.command == "callees":
        said = f"{plural(lookup.unresolved, 'call')} in it could not be resolved"
    else:
        places = plural(lookup.unresolved, "place")
        said = f"{places} with a call of that name that could not be resolved may belong here"
    session.say((said, WARN))
