"""Circles of imports are found whatever their length, each once, and nothing else is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from hindsight_neo4j import Hindsight


def circles(root: Path, imports: Mapping[str, str]) -> list[str]:
    """Return what is found in a repository of files with names of one letter, by what each imports."""
    for name, targets in imports.items():
        lines = [f"import {target}" for target in targets]
        (root / f"{name}.py").write_text("\n".join([*lines, "def f(): pass\n"]))
    with Hindsight.of_repository(root) as client:
        client.ingest()
        return ["".join(Path(file).stem for file in circle) for circle in client.import_cycles()]


@pytest.mark.parametrize(
    ("imports", "found"),
    [
        ({"a": "b", "b": "c", "c": ""}, []),
        ({"a": "a"}, []),
        ({"a": "b", "b": "a"}, ["ab"]),
        # Two ways out of a circle and two into it are none of it, and neither is what lies between two.
        ({"x": "a", "a": "by", "b": "az", "y": "", "z": "cd", "c": "d", "d": "c"}, ["ab", "cd"]),
        # Each import once at least, in the shortest circle it is in.
        ({"a": "b", "b": "ca", "c": "a"}, ["ab", "abc"]),
        ({"a": "bc", "b": "d", "c": "d", "d": "a"}, ["abd", "acd"]),
    ],
)
def test_circles(tmp_path: Path, imports: dict[str, str], found: list[str]) -> None:
    assert circles(tmp_path, imports) == found


def test_a_circle_of_forty_files(tmp_path: Path) -> None:
    names = [f"m{number:02}" for number in range(40)]
    for name, target in zip(names, names[1:] + names[:1], strict=True):
        (tmp_path / f"{name}.py").write_text(f"import {target}\ndef f(): pass\n")
    with Hindsight.of_repository(tmp_path) as client:
        client.ingest()
        (circle,) = client.import_cycles()
    assert [Path(file).stem for file in circle] == names
