"""Reports: outcomes as Markdown tables and, where matplotlib is installed, as charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from hindsight_neo4j.evaluation.ladder import Outcome
from hindsight_neo4j.evaluation.metric import difference
from hindsight_neo4j.evaluation.summary import by_condition, charts, table, tables

SHOWN: Final = (
    "file@1",
    "file@3",
    "file@5",
    "module@5",
    "module@10",
    "function@5",
    "function@10",
    "file mrr",
)
COMPARED: Final = ("file@1", "file@5", "module@5", "function@5")

FLOOR: Final = "bm25"
"""The condition that the others are compared with; without it, the first one."""


def report(outcomes: Sequence[Outcome]) -> str:
    """Return the tables: all tasks, each slice, and each condition against the floor."""
    blocks = tables("All tasks", outcomes, SHOWN)
    of = by_condition(outcomes)
    if len(of) > 1:
        blocks.append(_differences(of))
    return "\n\n".join(blocks) + "\n"


def write_charts(outcomes: Sequence[Outcome], folder: Path) -> list[Path]:
    """Draw a bar chart per compared metric into `folder` and return the files.

    Raises:
        SettingsError: matplotlib is not installed.
    """
    return charts(
        outcomes, {metric: f"{metric}, all gold places found" for metric in COMPARED}, folder
    )


def _differences(of: Mapping[str, Sequence[Outcome]]) -> str:
    floor = FLOOR if FLOOR in of else next(iter(of))
    rows = []
    for condition, mine in of.items():
        for metric in COMPARED if condition != floor else ():
            pairs = [
                (one.figures[metric], other.figures[metric])
                for one, other in zip(mine, of[floor], strict=True)
                if metric in one.figures
            ]
            if pairs:
                found = difference(*zip(*pairs, strict=True))
                figures = (found.mean, found.low, found.high)
                rows.append(
                    [condition, metric, *(f"{each:+.3f}" for each in figures),
                     str(found.won), str(found.lost)]
                )  # fmt: skip
    header = ["condition", "metric", f"minus {floor}", "low 95 %", "high 95 %", "won", "lost"]
    return f"**Against {floor}**, paired bootstrap over tasks\n\n{table(header, rows)}"
