"""`doctor` on all four stores: what was left behind or got lost is said, and mended when that is asked for."""

from __future__ import annotations

from pathlib import Path

import neo4j
import pytest
from contract.test_on_servers import Servers, clean, servers, small_repository
from elasticsearch import Elasticsearch

from hindsight_neo4j import Hindsight

__all__ = ["clean", "servers"]


def leftovers(client: Hindsight) -> str:
    (check,) = [one for one in client.doctor() if one.name == "leftovers"]
    return "" if check.ok else check.said


def mend(client: Hindsight) -> str:
    checks = {one.name: one for one in client.doctor(repair=True)}
    assert checks["leftovers"].ok
    return checks["repair"].said


def test_a_half_made_generation_is_found_and_removed(tmp_path: Path) -> None:
    root = small_repository(tmp_path / "shop")
    with Hindsight.of_repository(root) as client:
        client.ingest()
        assert leftovers(client) == ""
        half = client.index / "generations" / "7"
        half.mkdir()
        (half / "graph.lbug").write_bytes(b"half")
        assert "generation 7" in leftovers(client)
        assert half.exists()
        assert "generation 7" in mend(client)
        assert not half.exists()
        assert client.status().chunks == 27


@pytest.mark.server
def test_a_half_written_slot_and_a_lost_constraint_are_mended(
    clean: Servers, tmp_path: Path
) -> None:
    clean.ingest(small_repository(tmp_path / "shop"), "shop")
    with neo4j.GraphDatabase.driver(clean.graph.uri, auth=clean.graph.auth) as driver:
        driver.execute_query(
            "CREATE (:HindsightSlot {slot: 'shop~2', name: 'shop', owner: 'gone'})"
        )
        driver.execute_query("CREATE (:Node {key: 'shop~2|a.py', snapshot: 'shop~2', id: 'a.py'})")
        driver.execute_query("DROP CONSTRAINT hindsight_key")
        driver.execute_query("DROP INDEX hindsight_name")
        with clean.open(tmp_path) as client:
            said = leftovers(client)
            for part in ("hindsight_key is missing", "hindsight_name is missing", "shop~2"):
                assert part in said
            mend(client)
            assert client.status().nodes["File"] == 13
        assert clean.count("MATCH (n:Node {snapshot: 'shop~2'}) RETURN count(n)") == 0
        made = driver.execute_query("SHOW CONSTRAINTS YIELD name RETURN collect(name) AS names")
        assert "hindsight_key" in made.records[0]["names"]


@pytest.mark.server
def test_an_index_that_nobody_is_shown_is_deleted_and_others_are_left(
    clean: Servers, tmp_path: Path
) -> None:
    clean.ingest(small_repository(tmp_path / "shop"), "shop")
    (shown,) = clean.indexes()
    hidden = f"{shown[:-1]}{'b' if shown.endswith('a') else 'a'}"
    with Elasticsearch(clean.text.uri, basic_auth=clean.text.auth) as admin:
        admin.indices.create(index=hidden)
        admin.indices.create(index="hindsight-of-others")
    with clean.open(tmp_path) as client:
        assert hidden in leftovers(client)
        assert "of-others" not in leftovers(client)
        mend(client)
        assert client.status().chunks == 27
    assert clean.indexes() == sorted([shown, "hindsight-of-others"])


@pytest.mark.server
def test_servers_that_hold_nothing_of_ours_are_not_touched(clean: Servers, tmp_path: Path) -> None:
    with neo4j.GraphDatabase.driver(clean.graph.uri, auth=clean.graph.auth) as driver:
        driver.execute_query("MATCH (v:HindsightSchema) DELETE v")
        driver.execute_query("CREATE (:HindsightSlot {slot: 'of others'})")
    with clean.open(tmp_path) as client:
        assert leftovers(client) == ""
        mend(client)
    assert clean.count("MATCH (c:HindsightSlot) RETURN count(c)") == 1
