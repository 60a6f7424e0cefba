"""A profile's seconds are all charged, and to the module of ours that spent them."""

from __future__ import annotations

import cProfile
import pstats
from pathlib import Path

import pytest

from benchmarks.ingest_speed import by_room, index_parts, module_of, module_seconds, shares
from hindsight_neo4j.stores.tokens import tokenize


def test_a_function_belongs_to_its_module() -> None:
    assert module_of(("/srv/x/hindsight_neo4j/stores/tokens.py", 3, "tokenize")) == "stores/tokens"
    assert module_of(("/usr/lib/python3/json/decoder.py", 3, "decode")) is None
    assert module_of(("~", 0, "<built-in method len>")) is None


def test_what_extensions_take_counts_for_the_module_that_called_them() -> None:
    profiler = cProfile.Profile()
    profiler.enable()
    for number in range(2_000):
        tokenize(f"def parseHTTPResponse_{number}(self): return self.someValue")
    profiler.disable()
    stats = pstats.Stats(profiler)
    seconds = module_seconds(stats)
    assert sum(seconds.values()) == pytest.approx(stats.total_tt)  # type: ignore[attr-defined]
    assert max(seconds, key=lambda module: seconds[module]) == "stores/tokens"


def test_rooms_add_up_their_modules_and_shares_add_up_to_one() -> None:
    seconds = {"link/modules": 1.0, "link/calls": 2.0, "client": 1.0}
    assert by_room(seconds) == {"link": 3.0, "client": 1.0}
    assert shares(by_room(seconds)) == [("link", 3.0, 0.75), ("client", 1.0, 0.25)]


def test_an_index_is_counted_by_part(tmp_path: Path) -> None:
    text = tmp_path / "generations" / "1" / "text"
    text.mkdir(parents=True)
    (text / "a.store").write_bytes(b"x" * 1_000_000)
    (tmp_path / "facts.sqlite").write_bytes(b"x" * 500_000)
    (tmp_path / "facts.sqlite-wal").write_bytes(b"x" * 500_000)
    assert index_parts(tmp_path) == {"facts.sqlite": 1.0, "text": 1.0}
