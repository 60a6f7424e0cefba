"""A small repository on disk and an ingest of it into real stores."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from ingest_types import Ingest, Write

from hindsight_neo4j import Hindsight
from hindsight_neo4j.ingest.pipeline import ingest
from hindsight_neo4j.model.report import IngestReport
from hindsight_neo4j.settings import IngestOptions
from hindsight_neo4j.stores.embedded_graph import EmbeddedGraph
from hindsight_neo4j.stores.embedded_text import EmbeddedText
from hindsight_neo4j.stores.index_folder import IndexFolder

NOBODY = 65534


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write files, given by path, into the repository and return its root."""

    def run(files: dict[str, str | bytes]) -> Path:
        root = tmp_path / "repo"
        root.mkdir(exist_ok=True)
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return root

    return run


@pytest.fixture
def run_ingest() -> Ingest:
    """Ingest a root into its own index folder, with overrides of the options."""

    def run(root: Path, folder: IndexFolder | None = None, **options: Any) -> IngestReport:
        given = {name: options.pop(name) for name in ("snapshot", "is_sound") if name in options}
        return ingest(
            root,
            folder or IndexFolder.of_repository(root),
            IngestOptions.load(**{"workers": 1, "lock_seconds": 0.2, **options}),
            open_graph=lambda generation: EmbeddedGraph.create(generation.graph),
            open_chunks=lambda generation: EmbeddedText.create(generation.text),
            **given,
        )

    return run


@pytest.fixture
def export() -> Callable[[Path], list[str]]:
    """Return the lines that the live index of a root exports: all nodes and edges, as the engine holds them."""

    def run(root: Path) -> list[str]:
        lines = io.StringIO()
        with Hindsight.open(root) as repository:
            repository.export(lines)
        return lines.getvalue().splitlines()

    return run


@pytest.fixture
def open_place() -> Iterator[Path]:
    """A directory that every user can enter, unlike `tmp_path`."""
    with TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        yield Path(place)


@pytest.fixture
def unprivileged() -> Iterator[None]:
    """Run as a user whom permissions bind, which the root user is not."""
    if os.name != "posix":
        pytest.skip("needs POSIX permissions")
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)
    yield
    os.seteuid(user)
