"""`hindsight export --format neo4j-csv` into Neo4j's own import tool: what is loaded so is what an ingest writes."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import neo4j
import pytest
from contract.test_on_servers import exported, small_repository
from servers import cypher_shell, neo4j_server
from servers.process import ServerMissing, lacking

from hindsight_neo4j import Hindsight
from hindsight_neo4j.errors import SettingsError

pytestmark = pytest.mark.server


@dataclass(frozen=True)
class Loaded:
    """A server that got its data from files, and the index folder that wrote them."""

    server: neo4j_server.Server
    root: Path
    index: Path

    def local(self) -> Hindsight:
        return Hindsight.open(self.root, index=self.index)

    def remote(self) -> Hindsight:
        return Hindsight.open(self.root, index=self.index, graph=self.server.access)


@pytest.fixture(scope="module")
def loaded(flask: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loaded]:
    folder = tmp_path_factory.mktemp("bulk")
    root, index, files, home = (folder / name for name in ("flask", "index", "files", "neo4j"))
    shutil.copytree(flask, root)
    (root / "odd.py").write_text(
        'def odd(a="x;y,\\"z\\""):\n    """Says "a; b", and\n\n    no more \\\\."""\n'
    )
    with Hindsight.of_repository(root, index=index) as client:
        client.ingest(snapshot="flask")
        counted = client.export_neo4j_csv(files)
        assert counted == tuple(
            sum(c.values()) for c in (client.status().nodes, client.status().edges)
        )
    home.mkdir()
    try:
        neo4j_server.admin(home, *_import_arguments(files), folder=files)
        with neo4j_server.running(home) as server:
            cypher_shell.run(server, (files / "finish.cypher").read_text())
            yield Loaded(server, root, index)
    except ServerMissing as missing:
        lacking(f"no Neo4j here, so nothing was imported: {missing}")


def _import_arguments(files: Path) -> list[str]:
    """Return what the script gives to `neo4j-admin`, from the script itself."""
    programs = files.parent / "programs"
    programs.mkdir()
    admin = programs / "neo4j-admin"
    admin.write_text('#!/bin/sh\nfor one in "$@"; do printf "%s\\n" "$one"; done\n')
    admin.chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", str(files / "import.sh")],
        env={**os.environ, "PATH": path}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.splitlines()


def test_it_holds_the_same_nodes_and_edges(loaded: Loaded) -> None:
    with loaded.local() as local, loaded.remote() as remote:
        assert exported(remote) == exported(local)
        assert remote.snapshot == "flask"
        assert any(
            row["id"] == "odd.py:odd"
            for row in remote.run_template("symbols_named", names=["odd"], limit=5)
        )


def test_every_label_and_type_is_that_of_an_ingest(loaded: Loaded) -> None:
    kinds = loaded_rows(
        loaded, "MATCH (n:Node) RETURN DISTINCT labels(n) AS labels, n.kind AS kind"
    )
    assert all(set(row[0]) == {"Node", row[1]} for row in kinds)
    types = loaded_rows(loaded, "MATCH ()-[r]->() RETURN DISTINCT type(r) AS type, r.kind AS kind")
    assert all(row[0] == row[1] for row in types)


def loaded_rows(loaded: Loaded, text: str) -> list[list[object]]:
    with neo4j.GraphDatabase.driver(loaded.server.uri, auth=loaded.server.auth) as driver:
        return [record.values() for record in driver.execute_query(text).records]


def test_the_next_ingest_compares_and_writes_what_has_changed(
    loaded: Loaded, tmp_path: Path
) -> None:
    root = tmp_path / "flask"
    shutil.copytree(loaded.root, root)
    (root / "added.py").write_text("def added():\n    return 1\n")
    with Hindsight.of_repository(root, index=tmp_path / "local") as client:
        client.ingest(snapshot="flask")
        wanted = exported(client)
    with Hindsight.of_repository(
        root, index=tmp_path / "there", graph=loaded.server.access
    ) as there:
        there.ingest(snapshot="flask")
        assert exported(there) == wanted
    (slot,) = loaded_rows(loaded, "MATCH (s:HindsightSlot) RETURN s.slot")
    assert slot == ["flask"]


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    root = small_repository(tmp_path / "shop")
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "mine.txt").write_text("mine")
    with Hindsight.of_repository(root) as client:
        client.ingest()
        with pytest.raises(SettingsError, match="not empty"):
            client.export_neo4j_csv(taken)
    assert [one.name for one in taken.iterdir()] == ["mine.txt"]
