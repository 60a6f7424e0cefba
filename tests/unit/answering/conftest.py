"""A small repository with its index, and a way to ask it with a server in place of a model."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

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


@pytest.fixture(scope="session")
def shop_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository with its index, to copy."""
    return ingested(tmp_path_factory.mktemp("once") / "shop", SOURCES)


@pytest.fixture
def shop(shop_once: Path, tmp_path: Path) -> Path:
    """Return a repository with its index, new for each test: answers are kept in it."""
    return shutil.copytree(shop_once, tmp_path / "shop")
