"""Options of an ingest: defaults from the data room, and what cannot be."""

from __future__ import annotations

import pytest

from hindsight_neo4j.errors import SettingsError
from hindsight_neo4j.settings import IngestOptions


def test_defaults_come_from_the_data_room_and_none_keeps_them() -> None:
    assert IngestOptions.load(max_file_bytes=None) == IngestOptions.load()
    assert IngestOptions.load().max_file_bytes == 1_000_000
    assert IngestOptions.load(max_file_bytes=0).max_file_bytes == 0


@pytest.mark.parametrize(
    "options",
    [
        {"workers": -1},
        {"max_file_bytes": "many"},
        {"max_file_seconds": -0.1},
        {"chunk_lines": 0},
        {"no_such": 1},
    ],
)
def test_an_impossible_value_is_refused_by_name(options: dict[str, object]) -> None:
    (name,) = options

    with pytest.raises(SettingsError, match=name):
        IngestOptions.load(**options)


def test_only_options_that_change_what_is_read_make_the_index_stale() -> None:
    key = IngestOptions.load().result_key()

    assert IngestOptions.load(workers=7, lock_seconds=1, batch_bytes=5).result_key() == key
    assert IngestOptions.load(chunk_lines=7).result_key() != key


def test_there_is_always_a_worker() -> None:
    assert IngestOptions.load(workers=3).worker_count == 3
    assert IngestOptions.load(workers=0).worker_count >= 1
