"""The audit of edges counts what is there, and adds up."""

from __future__ import annotations

import json
from pathlib import Path

from hindsight_neo4j import Hindsight

FILES = {
    "shop/store.py": (
        "class Store:\n    def put(self): pass\n"
        "class Disk(Store):\n    def put(self): pass\n"
        "def save(store: Store):\n    store.put()\n    store.put()\n"
    ),
    "shop/open.py": "def load(x, y):\n    x.fetch()\n    y.fetch()\n    x.close_all(y.reopen())\n",
    "main.py": "from shop.open import load\nload(1, 2)\n",
}


def test_an_audit_counts_sites_tiers_names_and_directories(tmp_path: Path) -> None:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    with Hindsight.of_repository(tmp_path) as client:
        report = client.ingest()
        found = client.audit_edges()
    assert found.unresolved == report.unresolved_calls == 4
    assert sum(tier.edges for tier in found.tiers) == sum(report.edges.values())
    assert [(name.name, name.callers) for name in found.open_names] == [
        ("close_all", 1),
        ("fetch", 1),
        ("reopen", 1),
    ]
    assert [(name.name, name.targets) for name in found.ambiguous_names] == [("put", 1)]
    by_path = {one.path: (one.resolved, one.unresolved) for one in found.directories}
    assert by_path == {"shop": (4, 4), ".": (1, 0)}
    assert found.resolved == sum(one.resolved for one in found.directories)
    assert found.directories[0].unresolved_share == 0.5
    assert json.loads(json.dumps(found.to_dict()))["unresolved_share"] == 0.4444
