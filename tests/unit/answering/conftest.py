"""A small repository with its index."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from answering_shop import SOURCES, ingested


@pytest.fixture(scope="session")
def shop_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository with its index, to copy."""
    return ingested(tmp_path_factory.mktemp("once") / "shop", SOURCES)


@pytest.fixture
def shop(shop_once: Path, tmp_path: Path) -> Path:
    """Return a repository with its index, new for each test: answers are kept in it."""
    return shutil.copytree(shop_once, tmp_path / "shop")
