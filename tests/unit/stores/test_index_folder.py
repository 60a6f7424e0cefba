"""What the index folder promises to one writer and many readers."""

from __future__ import annotations

import json
import multiprocessing
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from hindsight_neo4j.errors import SchemaMismatch, StoreBusy, StoreUnavailable
from hindsight_neo4j.stores.index_folder import INDEX_SCHEMA, Generation, IndexFolder, Manifest

MANIFEST = Manifest(INDEX_SCHEMA, "0", "r@1", "/r", "tree", "options", "2026-01-01T00:00:00", {})


@pytest.fixture
def folder(tmp_path: Path) -> IndexFolder:
    return IndexFolder(tmp_path / ".hindsight")


def made_live(folder: IndexFolder) -> Generation:
    with folder.lock(1):
        generation = folder.begin()
        folder.switch(generation, MANIFEST)
    return generation


def test_an_index_that_is_not_there_says_how_to_make_one(folder: IndexFolder) -> None:
    with pytest.raises(StoreUnavailable, match=r"no index in .*hindsight-ingest PATH"):
        folder.current()
    assert not folder.path.exists()


def test_the_nearest_index_upwards_is_found(folder: IndexFolder) -> None:
    made_live(folder)
    deep = folder.path.parent / "a" / "b"
    deep.mkdir(parents=True)

    assert IndexFolder.find(deep).path == folder.path
    with pytest.raises(StoreUnavailable, match="no index in"):
        IndexFolder.find(folder.path.parent.parent)


def test_the_folder_hides_itself_from_git(folder: IndexFolder) -> None:
    made_live(folder)

    assert (folder.path / ".gitignore").read_text() == "*\n"


def test_a_generation_is_live_only_after_the_switch(folder: IndexFolder) -> None:
    first = made_live(folder)

    with folder.lock(1):
        second = folder.begin()
        assert folder.current() == first
        folder.switch(second, MANIFEST)

    assert folder.current() == second
    assert folder.current().manifest() == MANIFEST


def test_the_generation_before_the_live_one_stays_for_its_readers(folder: IndexFolder) -> None:
    first, second, third = (made_live(folder) for _ in range(3))

    assert not first.path.exists()
    assert second.path.exists()
    assert third.path.exists()


def test_what_a_killed_writer_left_is_removed(folder: IndexFolder) -> None:
    live = made_live(folder)
    with folder.lock(1):
        half_made = folder.begin()
        (half_made.path / "graph.lbug").write_bytes(b"half")

    with folder.lock(1):
        folder.begin()

    assert live.path.exists()
    assert not (half_made.path / "graph.lbug").exists()


@pytest.mark.parametrize("schema", ["99.1", "0.0"])
def test_another_schema_is_refused_with_what_to_do(folder: IndexFolder, schema: str) -> None:
    generation = made_live(folder)
    manifest = generation.path / "manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "schema": schema}))

    with pytest.raises(SchemaMismatch, match=rf"schema {schema}.*hindsight-ingest PATH again"):
        folder.current().manifest()


@pytest.mark.parametrize("content", ["", "[]", "{", f'{{"schema": "{INDEX_SCHEMA}"}}', "\0"])
def test_a_damaged_manifest_is_said_in_one_line(folder: IndexFolder, content: str) -> None:
    generation = made_live(folder)
    (generation.path / "manifest.json").write_text(content)

    with pytest.raises(StoreUnavailable, match="is damaged") as caught:
        folder.current().manifest()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["../../elsewhere", "7", "", "\0", "²"])
def test_a_current_file_that_names_no_generation_is_no_index(
    folder: IndexFolder, name: str
) -> None:
    made_live(folder)
    (folder.path / "CURRENT").write_text(name)

    with pytest.raises(StoreUnavailable, match="no index in"):
        folder.current()


def hold(path: Path, held: Event, done: Event) -> None:
    with IndexFolder(path).lock(1):
        held.set()
        done.wait(30)


def test_a_second_writer_learns_who_writes(folder: IndexFolder) -> None:
    context = multiprocessing.get_context("spawn")
    held, done = context.Event(), context.Event()
    holder = context.Process(target=hold, args=(folder.path, held, done))
    holder.start()
    assert held.wait(30)
    try:
        with pytest.raises(StoreBusy, match=f"by process {holder.pid} on"), folder.lock(0.1):
            pass
    finally:
        done.set()
        holder.join()

    with folder.lock(5):
        pass


def test_the_lock_of_a_killed_writer_is_free(folder: IndexFolder) -> None:
    context = multiprocessing.get_context("spawn")
    held, done = context.Event(), context.Event()
    holder = context.Process(target=hold, args=(folder.path, held, done))
    holder.start()
    assert held.wait(30)
    holder.kill()
    holder.join()

    with folder.lock(5):
        pass


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with (
        pytest.raises(StoreUnavailable, match=r"cannot write the index folder .*--index DIR"),
        IndexFolder(tmp_path / "file" / "index").lock(1),
    ):
        pass
