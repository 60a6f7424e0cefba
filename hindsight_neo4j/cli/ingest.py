"""`hindsight ingest` (also `hindsight-ingest`): read a repository into its index, and say truly what was done."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from hindsight_neo4j import __version__
from hindsight_neo4j.cli.bars import bars
from hindsight_neo4j.cli.command import command
from hindsight_neo4j.cli.session import Session, shared
from hindsight_neo4j.cli.text import (
    FAINT,
    HEAD,
    PLACE,
    WARN,
    counted,
    place,
    plural,
    printable,
    size,
)

if TYPE_CHECKING:
    from hindsight_neo4j.model.report import IngestReport, Skipped

TOP_REASONS: Final = 4
TOP_PROBLEMS: Final = 3
UNREADABLE: Final = frozenset({"unreadable", "encoding", "crash", "time"})
"""Reasons that `--strict` does not accept: source that should have been read and was not."""

_file = click.Path(path_type=Path)


@command(
    "hindsight ingest .",
    "hindsight-ingest ../shop --index /tmp/shop-index",
    "hindsight-ingest . --dense",
    "hindsight-ingest . --graph bolt://localhost:7687 --text http://localhost:9200",
    summary="Read a repository into its index.",
)
@click.argument("path", type=click.Path(path_type=Path), default=Path())
@click.option(
    "--index",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where the index goes. [default: PATH/.hindsight]",
)
@click.option(
    "--snapshot",
    metavar="NAME",
    help="Name of this state. [default: the folder's name, and the commit in a local index]",
)
@click.option(
    "--workers", type=click.IntRange(0), metavar="N", help="Processes. [default: one per core]"
)
@click.option(
    "--max-file-bytes", type=click.IntRange(0), metavar="N", help="Skip longer files; 0: none."
)
@click.option(
    "--max-line-bytes",
    type=click.IntRange(0),
    metavar="N",
    help="Skip files with a longer line; 0: none.",
)
@click.option(
    "--max-nesting", type=click.IntRange(1), metavar="N", help="Read syntax down to this depth."
)
@click.option(
    "--max-file-seconds",
    type=click.FloatRange(0, min_open=True),
    metavar="S",
    help="Skip a file that takes longer.",
)
@click.option("--include-minified", is_flag=True, default=None, help="Read minified files too.")
@click.option("--include-generated", is_flag=True, default=None, help="Read generated files too.")
@click.option(
    "--coverage",
    type=_file,
    multiple=True,
    metavar="FILE",
    help="Data of coverage.py with contexts: which test ran what.",
)
@click.option(
    "--trace", type=_file, multiple=True, metavar="FILE", help="A recorded run, as JSON Lines."
)
@click.option(
    "--scip", type=_file, multiple=True, metavar="FILE", help="An index that a SCIP indexer made."
)
@click.option(
    "--dense",
    is_flag=True,
    help="Make vectors too, for `ask --dense`. Needs the extra `dense`; takes minutes the first time.",
)
@click.option("--force", is_flag=True, help="Read all files again, changed or not.")
@click.option("--dry-run", is_flag=True, help="Count, and write nothing.")
@click.option("--strict", is_flag=True, help="Exit 1 when a source file could not be read.")
@click.version_option(__version__, prog_name="hindsight-ingest")
@shared(choose_index=False)
def ingest(
    session: Session,
    *,
    path: Path,
    index: Path | None,
    snapshot: str | None,
    coverage: tuple[Path, ...],
    trace: tuple[Path, ...],
    scip: tuple[Path, ...],
    dense: bool,
    force: bool,
    dry_run: bool,
    strict: bool,
    **caps: Any,
) -> int:
    """Read the repository at PATH into its index. A second run reads only what changed."""
    from hindsight_neo4j.client import Hindsight
    from hindsight_neo4j.evidence import EvidenceFiles
    from hindsight_neo4j.settings import IngestOptions

    options = IngestOptions.load(**caps)
    connections = session.connections()
    opened = Hindsight.of_repository(
        path, index=index, graph=connections.graph, text=connections.text
    )
    with opened as client, bars(session) as progress:
        report = client.ingest(
            path,
            options=options,
            snapshot=snapshot,
            evidence=EvidenceFiles(coverage, trace, scip),
            dense=session.dense(dense),
            force=force,
            dry_run=dry_run,
            progress=progress,
        )
    if session.as_json:
        session.object({"schema": 1, **report.to_dict()})
    else:
        where = client.where if connections.graph or connections.text else _near(report.index)
        show_report(session, report, where=where, dry_run=dry_run)
    return int(strict and any(one.reason in UNREADABLE for one in report.skipped))


def show_report(session: Session, report: IngestReport, *, where: str, dry_run: bool) -> None:
    """Print what an ingest did, for people. `where` is the place of the stores."""
    page = session.page
    state = "unchanged" if report.unchanged else "counted, not written" if dry_run else "indexed"
    page.line(
        (printable(report.snapshot), HEAD),
        f"  {state} in {report.seconds:.1f} s",
        (
            f"  {size(report.index_bytes)} in {printable(where)}" if not dry_run else "",
            FAINT,
        ),
    )
    page.rows(
        [
            [("files", FAINT), (f"{report.files:,} ({plural(report.lines, 'line')})", "")],
            [("nodes", FAINT), (counted(report.nodes), "")],
            [("edges", FAINT), (counted(report.edges), "")],
            [("chunks", FAINT), (f"{report.chunks:,}", "")],
            [("unresolved", FAINT), (plural(report.unresolved_calls, "call"), "")],
        ],
        indent=2,
        whole=True,
    )
    for note in report.notes:
        page.line((f"  {printable(note)}", FAINT))
    _show_skipped(session, report.skipped)
    _show_problems(session, report)


def _near(index: str) -> str:
    """Return the folder as one would type it from here."""
    path = Path(index)
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def _show_skipped(session: Session, skipped: tuple[Skipped, ...]) -> None:
    if not skipped:
        return
    page = session.page
    reasons = Counter(one.reason for one in skipped).most_common()
    shown = ", ".join(f"{count:,} {reason}" for reason, count in reasons[:TOP_REASONS])
    more = f", {len(reasons) - TOP_REASONS} other reasons" if len(reasons) > TOP_REASONS else ""
    page.line((f"  {len(skipped):,} skipped: {shown}{more}", WARN))
    if session.verbose:
        page.rows(
            (
                [(printable(one.path), PLACE), (one.reason, ""), (printable(one.flag), FAINT)]
                for one in skipped
            ),
            indent=4,
        )


def _show_problems(session: Session, report: IngestReport) -> None:
    problems = report.problems
    if not problems:
        return
    page = session.page
    page.line((f"  {plural(len(problems), 'file')} parsed with errors", WARN))
    shown = problems if session.verbose else problems[:TOP_PROBLEMS]
    page.rows(
        ([(place(one.path, one.line), PLACE), (printable(one.message), FAINT)] for one in shown),
        indent=4,
    )
    left = len(problems) - len(shown)
    if left:
        page.line((f"    {left} more, -v", FAINT))
