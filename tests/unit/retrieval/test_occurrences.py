"""References: the definition of a name, every use that is resolved, and every other place where it stands."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hindsight_neo4j import Hindsight

STORE = """\
import functools


class Store:
    @functools.cache
    def put(self, key):
        return key  # put it nowhere


class Other:
    def put(self, key):
        return key
"""
MAIN = """\
from store import Other, Store


def known():
    Store().put("a")
    return Store


def other():
    Other().put("a")


def unknown(box):
    handlers = {"put": box.put}
    output = handlers["put"]
    return output
"""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hindsight]:
    root = tmp_path_factory.mktemp("shop")
    (root / "store.py").write_text(STORE)
    (root / "main.py").write_text(MAIN)
    with Hindsight.of_repository(root) as client:
        client.ingest()
        yield client


def places(client: Hindsight, symbol: str) -> list[tuple[str, str, tuple[int, ...]]]:
    return [(item.edge, item.id, item.lines) for item in client.references(symbol).items]


def test_a_method_is_found_where_it_is_called_and_where_only_its_name_stands(
    client: Hindsight,
) -> None:
    assert places(client, "Store.put") == [
        ("DEFINES", "store.py:Store.put", (6,)),
        ("INVOKES", "main.py:known", (5,)),
        ("MENTIONS", "main.py:unknown", (14, 15)),
        ("MENTIONS", "store.py:Store.put", (7,)),
    ]


def test_a_class_is_found_in_calls_imports_and_mentions(client: Hindsight) -> None:
    assert places(client, "Store") == [
        ("DEFINES", "store.py:Store", (4,)),
        ("INVOKES", "main.py:known", (5,)),
        ("REFERENCES", "main.py:known", (6,)),
        ("IMPORTS", "main.py", (1,)),
    ]


def test_a_file_has_no_name_in_the_text_but_its_importers(client: Hindsight) -> None:
    assert places(client, "store.py") == [("IMPORTS", "main.py", (1,))]
