"""Summaries: means of figures by condition, over all outcomes and over each slice, as Markdown tables and as charts.

print(tables("All tasks", outcomes, ("file@1", "file@5")))
charts(outcomes, {"file@1": "file@1, all gold places found"}, Path("figures"))
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from hindsight_neo4j.evaluation.charts import write_bars
from hindsight_neo4j.evaluation.task import SLICES


class Measured(Protocol):
    """What one condition made of one task. Figures that were not measured are missing."""

    @property
    def condition(self) -> str:
        """Its name."""

    @property
    def figures(self) -> Mapping[str, float]:
        """By name."""

    @property
    def slices(self) -> Mapping[str, str]:
        """What kind of task it is: the value of each of `SLICES` that is known."""


Outcome = TypeVar("Outcome", bound=Measured)


def by_condition(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    """Return the outcomes of each condition, in the order in which the conditions come."""
    found: dict[str, list[Outcome]] = defaultdict(list)
    for each in outcomes:
        found[each.condition].append(each)
    return found


def means(outcomes: Iterable[Measured]) -> dict[str, float]:
    """Return the mean of every figure over the outcomes that have it."""
    values: dict[str, list[float]] = defaultdict(list)
    for each in outcomes:
        for name, value in each.figures.items():
            values[name].append(value)
    return {name: sum(each) / len(each) for name, each in values.items()}


def tables(title: str, outcomes: Sequence[Measured], columns: Sequence[str]) -> list[str]:
    """Return a table of all outcomes and one of each slice that divides them. Columns without a figure are left out."""
    return [_means(name, part, columns) for name, part in _parts(title, outcomes)]


def charts(outcomes: Sequence[Measured], titles: Mapping[str, str], folder: Path) -> list[Path]:
    """Draw a chart of each figure in `titles` that was measured into `folder` and return the files.

    Raises:
        SettingsError: matplotlib is not installed.
    """
    of = {condition: means(mine) for condition, mine in by_condition(outcomes).items()}
    written = []
    for name, title in titles.items():
        values = {condition: mean[name] for condition, mean in of.items() if name in mean}
        if values:
            file = folder / f"{name.replace('@', '-at-').replace(' ', '-')}.png"
            written.append(write_bars(file, title, values))
    return written


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; all columns but the first are numbers."""
    lines = [header, ["---", *("---:" for _ in header[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _parts(title: str, outcomes: Sequence[Measured]) -> Iterator[tuple[str, Sequence[Measured]]]:
    yield title, outcomes
    for name in SLICES:
        values = sorted({each.slices[name] for each in outcomes if name in each.slices})
        for value in values if len(values) > 1 else ():
            part = [each for each in outcomes if each.slices.get(name) == value]
            yield f"{name.replace('_', ' ')}: {value}", part


def _means(title: str, outcomes: Sequence[Measured], columns: Sequence[str]) -> str:
    of = by_condition(outcomes)
    shown = [name for name in columns if any(name in each.figures for each in outcomes)]
    rows = []
    for condition, mine in of.items():
        mean = means(mine)
        rows.append([condition, *(_figure(mean.get(name)) for name in shown)])
    count = max(map(len, of.values()), default=0)
    return f"**{title}** ({count})\n\n{table(['condition', *shown], rows)}"


def _figure(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if value <= 1 else f"{value:,.1f}"
