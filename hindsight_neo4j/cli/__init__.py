"""The command line: flags in, exit codes out. Knows `client`, `model` and `errors`, and nothing behind them.

`hindsight callers url_for` becomes `Hindsight.open(...).callers("url_for")` and a printed `Lookup`. stdout is the
answer, stderr is the talk.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run `hindsight` and leave with its exit code."""
    from hindsight_neo4j.cli.app import hindsight
    from hindsight_neo4j.cli.outcome import run

    sys.exit(run(hindsight, sys.argv[1:], name="hindsight"))


def ingest_main() -> None:
    """Run `hindsight-ingest`, the same as `hindsight ingest`, and leave with its exit code."""
    from hindsight_neo4j.cli.ingest import ingest
    from hindsight_neo4j.cli.outcome import run

    sys.exit(run(ingest, sys.argv[1:], name="hindsight-ingest"))
