"""A repository of a few files with a store, a command line over it and tests, for questions with known answers."""

from __future__ import annotations

from pathlib import Path

FILES = {
    "app/__init__.py": "",
    "app/db.py": '''
"""Keeps records on disk."""

from app.codec import encode


class Store:
    """Records by key."""

    def __init__(self, path):
        self.path = path
        self.records = {}

    def put(self, key, value):
        """Save a record under its key."""
        self.records[key] = encode(value)

    def get(self, key):
        """Return the record saved under a key."""
        return self.records[key]


class Journal(Store):
    """A store that also keeps the order of writes."""

    def put(self, key, value):
        super().put(key, value)
''',
    "app/codec.py": '''
"""Values to bytes."""


def encode(value):
    """Turn a value into bytes."""
    return repr(value).encode()


def unused():
    return mystery.solve()
''',
    "app/main.py": '''
"""The command line."""

from app.db import Store


def run(arguments):
    """Save the arguments as one record."""
    store = Store("records")
    store.put("arguments", arguments)
    return store
''',
    "tests/test_db.py": """
from app.db import Store


def test_put_saves_a_record():
    store = Store("records")
    store.put("a", 1)
    assert store.get("a") == b"1"
""",
}


def write_repository(root: Path) -> Path:
    """Write the files below `root` and return it."""
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text.lstrip(), encoding="utf-8")
    return root
