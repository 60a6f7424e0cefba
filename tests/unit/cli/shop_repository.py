"""A small shop, in source, and a terminal to look at it."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

SOURCES = {
    "shop/__init__.py": "",
    "shop/store.py": '''\
class Base:
    """Something that keeps."""

    def put(self, key, value):
        return key


class Store(Base):
    """Keeps values by key."""

    def put(self, key, value):
        """Store one value."""
        check(key)
        self.values = {key: value}
        return mystery(value)

    def get(self, key):
        return self.values[key]


def check(key):
    """Refuse keys that are empty."""
    if not key:
        raise KeyError(key)
''',
    "shop/api.py": '''\
from shop.store import Store


def save(key, value):
    store = Store()
    store.put(key, value)


def delete_blueprint(key):
    """Delete a blueprint."""
    save(key, None)
''',
    "shop/other.py": "def check(key):\n    return key\n",
    "tests/test_api.py": """\
from shop.api import save


def test_save():
    save("a", 1)
""",
    "broken.py": "def good():\n    return 1\n\n\ndef broken(:\n    pass\n",
}


def write(root: Path, sources: dict[str, str]) -> None:
    """Write files below `root`."""
    for name, text in sources.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def on_terminal(words: list[str], **more: str) -> str:
    """Run a command with a terminal as its stdout and stderr, and return what it shows."""
    main, side = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with subprocess.Popen(
        words, stdout=side, stderr=side, stdin=subprocess.DEVNULL, env={**environment, **more}
    ) as process:
        os.close(side)
        shown = b""
        while True:
            try:
                piece = os.read(main, 65536)
            except OSError:  # Linux says so when the other side is closed
                break
            if not piece:
                break
            shown += piece
    os.close(main)
    assert process.returncode == 0, shown
    return shown.decode("utf-8", "replace")
