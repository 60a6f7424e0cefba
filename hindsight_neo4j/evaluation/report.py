"""Reports: outcomes as Markdown tables and, where matplotlib is installed, as charts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from hindsight_neo4j.evaluation.charts import write_bars
from hindsight_neo4j.evaluation.ladder import Outcome
from hindsight_neo4j.evaluation.metric import difference
from hindsight_neo4j.evaluation.task import SLICES

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
    by_condition = _by_condition(outcomes)
    blocks = [_means("All tasks", by_condition)]
    for name in SLICES:
        values = sorted({each.task.slices[name] for each in outcomes if name in each.task.slices})
        for value in values if len(values) > 1 else ():
            part = {
                condition: [each for each in mine if each.task.slices.get(name) == value]
                for condition, mine in by_condition.items()
            }
            blocks.append(_means(f"{name.replace('_', ' ')}: {value}", part))
    if len(by_condition) > 1:
        blocks.append(_differences(by_condition))
    return "\n\n".join(blocks) + "\n"


def means(outcomes: Iterable[Outcome]) -> dict[str, float]:
    """Return the mean of every metric over the tasks that have it."""
    values: dict[str, list[float]] = defaultdict(list)
    for each in outcomes:
        for name, value in each.scores.items():
            values[name].append(value)
    return {name: sum(each) / len(each) for name, each in values.items()}


def write_charts(outcomes: Sequence[Outcome], folder: Path) -> list[Path]:
    """Draw a bar chart per compared metric into `folder` and return the files.

    Raises:
        SettingsError: matplotlib is not installed.
    """
    by_condition = {name: means(mine) for name, mine in _by_condition(outcomes).items()}
    written = []
    for metric in COMPARED:
        values = {name: mean[metric] for name, mean in by_condition.items() if metric in mean}
        if values:
            file = folder / f"{metric.replace('@', '-at-')}.png"
            written.append(write_bars(file, f"{metric}, all gold places found", values))
    return written


def _by_condition(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    found: dict[str, list[Outcome]] = defaultdict(list)
    for each in outcomes:
        found[each.condition].append(each)
    return found


def _means(title: str, by_condition: Mapping[str, Sequence[Outcome]]) -> str:
    count = max(map(len, by_condition.values()), default=0)
    rows = []
    for condition, mine in by_condition.items():
        mean = means(mine)
        rows.append([condition, *(_figure(mean.get(name)) for name in SHOWN)])
    return f"**{title}** ({count})\n\n{_table(['condition', *SHOWN], rows)}"


def _differences(by_condition: Mapping[str, Sequence[Outcome]]) -> str:
    floor = FLOOR if FLOOR in by_condition else next(iter(by_condition))
    rows = []
    for condition, mine in by_condition.items():
        for metric in COMPARED if condition != floor else ():
            pairs = [
                (one.scores[metric], other.scores[metric])
                for one, other in zip(mine, by_condition[floor], strict=True)
                if metric in one.scores
            ]
            if pairs:
                found = difference(*zip(*pairs, strict=True))
                figures = (found.mean, found.low, found.high)
                rows.append(
                    [condition, metric, *(f"{each:+.3f}" for each in figures),
                     str(found.won), str(found.lost)]
                )  # fmt: skip
    header = ["condition", "metric", f"minus {floor}", "low 95 %", "high 95 %", "won", "lost"]
    return f"**Against {floor}**, paired bootstrap over tasks\n\n{_table(header, rows)}"


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---", *("---:" for _ in header[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
