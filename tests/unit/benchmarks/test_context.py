"""The floor of the context figures packs what keyword search finds, in its order, and never over the budget."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.context import pack_hits, report
from hindsight_neo4j import Hindsight
from hindsight_neo4j.retrieval.pipeline import LOCATE, ask
from hindsight_neo4j.retrieval.state import AskOptions

SHOP = "def put(key):\n    return key\n\n\ndef get(key):\n    return put(key)\n\n\ndef other():\n    pass\n"


@pytest.mark.parametrize("budget", [0, 20, 30, 8_000])
def test_whole_hits_in_order_within_the_budget(tmp_path: Path, budget: int) -> None:
    (tmp_path / "shop.py").write_text(SHOP, encoding="utf-8")
    with Hindsight.of_repository(tmp_path) as client:
        client.ingest()
        options = AskOptions(policy="bm25", budget=budget)
        asked = ask("put a key", client._sources(), options, stages=(*LOCATE, pack_hits))
    assert asked.budget.used == sum(each.tokens for each in asked.evidence) <= budget
    assert all(each.whole and each.text in SHOP for each in asked.evidence)
    if budget == 8_000:
        assert asked.evidence[0].id == "shop.py:put"
        assert "shop.py:other" not in {each.id for each in asked.evidence}


def test_the_tables_hold_every_measure_scope_and_comparison() -> None:
    values = {"files": 0.25, "functions": 0.5, "function_lines": 0.75, "fact_names": 1.0}
    scored = {
        "all": values,
        "splits": [{"split": "scope", "value": "broad", **values}, {"split": "hint", **values}],
    }
    compared = {"metric": "files", "difference": 0.125, "low95": -0.5, "high95": 0.5}
    text = report({"bm25/4000": scored, "ours/4000": {**scored, "comparison": [compared]}})
    assert "| ours | 4000 | 0.250 | 0.500 | 0.750 | 1.000 |" in text
    assert "| ours | 4000 | broad | 0.250 |" in text
    assert "hint" not in text
    assert "| ours | 4000 | files | 0.125 | -0.500 | 0.500 |" in text
