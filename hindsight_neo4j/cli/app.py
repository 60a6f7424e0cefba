"""The commands, in the groups that `hindsight --help` shows."""

from __future__ import annotations

from typing import Final

import click

from hindsight_neo4j import __version__
from hindsight_neo4j.cli.ask import ask, locate
from hindsight_neo4j.cli.audit import audit
from hindsight_neo4j.cli.command import HELP_NAMES, Grouped
from hindsight_neo4j.cli.cypher import cypher, templates
from hindsight_neo4j.cli.distill import distill
from hindsight_neo4j.cli.evaluate import evaluate
from hindsight_neo4j.cli.guide import guide
from hindsight_neo4j.cli.ingest import ingest
from hindsight_neo4j.cli.lookups import (
    callees,
    callers,
    impact,
    members,
    path,
    references,
    tests,
)
from hindsight_neo4j.cli.upkeep import doctor, export, forget, settings, status

GROUPS: Final[dict[str, tuple[click.Command, ...]]] = {
    "Take in": (ingest,),
    "Ask": (ask, locate),
    "Look up": (callers, callees, path, impact, tests, members, references),
    "Query": (templates, cypher, guide),
    "Look after": (status, doctor, settings, export, forget),
    "Measure": (audit, evaluate),
    "Train": (distill,),
}


@click.command(
    cls=Grouped,
    groups=GROUPS,
    context_settings={**HELP_NAMES, "max_content_width": 100},
    epilog="Help on one command: hindsight COMMAND --help",
)
@click.version_option(__version__, prog_name="hindsight")
def hindsight() -> None:
    """Ask a repository a question; get the code that answers it, and the path that proves it."""
