"""Charts: named figures as PNG files, where matplotlib is installed.

    write_bars(Path("file-at-5.png"), "file@5", {"bm25": 0.77, "ours": 0.82})
    write_lines(Path("recall.png"), "functions", {"ours": {4000: 0.6, 8000: 0.8}}, x_title="tokens")

Shares lie between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from hindsight_neo4j.errors import SettingsError

DPI: Final = 120
"""Dots an inch: 840 wide, which a page shows at its own width."""

_WIDTH = 7.0  # inches
_BAR = 0.35
_COLOUR = "#4878a8"


def write_bars(file: Path, title: str, values: Mapping[str, float]) -> Path:
    """Draw a share (0 to 1) for each name as a bar, the first on top, and return the file.

    Raises:
        SettingsError: matplotlib is not installed.
    """
    figure, axes = _begin(title, 0.5 + _BAR * len(values))
    drawn = axes.barh(list(values), list(values.values()), color=_COLOUR)
    axes.bar_label(drawn, fmt="%.3f", padding=3)
    axes.invert_yaxis()
    axes.set_xlim(0.0, 1.0)
    return _write(figure, file)


def write_lines(
    file: Path, title: str, values: Mapping[str, Mapping[float, float]], *, x_title: str
) -> Path:
    """Draw shares (0 to 1) over what is measured along x, a line for each name, and return the file.

    Raises:
        SettingsError: matplotlib is not installed.
    """
    figure, axes = _begin(title, 4.0)
    for name, by_x in values.items():
        axes.plot(list(by_x), list(by_x.values()), marker="o", label=name)
    axes.set_xlabel(x_title)
    axes.set_xticks(sorted({x for by_x in values.values() for x in by_x}))
    axes.set_ylim(0.0, 1.0)
    axes.grid(alpha=0.3)
    axes.legend()
    return _write(figure, file)


def _begin(title: str, height: float) -> tuple[Any, Any]:
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - an extra that only charts need
    except ImportError as error:
        raise SettingsError(
            "charts need matplotlib", hint="pip install matplotlib, or leave charts out"
        ) from error
    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    axes = figure.subplots()
    axes.set_title(title)
    return figure, axes


def _write(figure: Any, file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    # Without the version of the drawing library in it, the same figures give the same file.
    figure.savefig(file, dpi=DPI, metadata={"Software": None})
    return file
