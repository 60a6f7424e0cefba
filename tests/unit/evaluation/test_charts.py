"""Charts are pictures of the figures, the same for the same figures."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from hindsight_neo4j.evaluation.charts import write_bars, write_lines

pytest.importorskip("matplotlib")


def _size(file: Path) -> tuple[int, int]:
    data = file.read_bytes()
    assert data.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def test_bars_have_room_for_every_name(tmp_path: Path) -> None:
    few = write_bars(tmp_path / "new" / "few.png", "file@5", {"bm25": 0.7, "ours": 0.8})
    many = write_bars(tmp_path / "many.png", "file@5", {f"name {at}": 0.5 for at in range(12)})
    assert _size(many)[1] > 2 * _size(few)[1]


def test_the_same_figures_give_the_same_file(tmp_path: Path) -> None:
    values = {"ours": {4000.0: 0.6, 8000.0: 0.8}, "bm25": {4000.0: 0.5, 8000.0: 0.7}}
    one, other = (
        write_lines(tmp_path / name, "functions", values, x_title="tokens")
        for name in ("one.png", "other.png")
    )
    assert one.read_bytes() == other.read_bytes()
