"""A small shop, in source, and how a repository is written and ingested."""

from __future__ import annotations

from pathlib import Path

from hindsight_neo4j import Hindsight

SOURCES = {
    "shop/__init__.py": "",
    "shop/store.py": '''\
from shop.rules import check


class Store:
    """Keeps values by key."""

    def put(self, key, value):
        """Store one value."""
        check(key)
        self.values = {key: value}

    def get(self, key):
        return self.values[key]
''',
    "shop/rules.py": '''\
def check(key):
    """Refuse keys that are empty."""
    if not key:
        raise KeyError(key)
''',
    "shop/api.py": '''\
from shop.store import Store


def save(key, value):
    """Save a value for a customer."""
    Store().put(key, value)
''',
}


def ingested(root: Path, sources: dict[str, str]) -> Path:
    """Write files below `root`, ingest them, and return `root`."""
    for name, text in sources.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with Hindsight.of_repository(root) as client:
        client.ingest()
    return root
