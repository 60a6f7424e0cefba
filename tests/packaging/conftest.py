"""A wheel built from this checkout, installed in an environment of its own outside of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from benchmarks.wheel import build

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT],
        check=True,
        stdin=subprocess.DEVNULL,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the console scripts of an environment with the wheel that `make wheel` makes."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler here: cc is missing")
    folder = tmp_path_factory.mktemp("compiled")
    wheel = build(folder)
    assert any(name.endswith((".so", ".pyd")) for name in zipfile.ZipFile(wheel).namelist())
    return _scripts_of(wheel, tmp_path_factory.mktemp("installed-compiled"))


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the console scripts of an environment that has only the wheel and what it requires."""
    return _scripts_of(wheel, tmp_path_factory.mktemp("installed"))


def _scripts_of(wheel: Path, home: Path) -> Path:
    """Return the folder of the console scripts of a new environment in `home` with the wheel."""
    venv.create(home, with_pip=True)
    scripts = home / "bin"
    subprocess.run(
        [scripts / "pip", "install", "--quiet", "--disable-pip-version-check", wheel],
        check=True,
        stdin=subprocess.DEVNULL,
    )
    return scripts


@pytest.fixture(scope="session")
def offline() -> list[str]:
    """Return the words that run a command with the network cut."""
    words = ["unshare", "--net"]
    if shutil.which("unshare") is None or subprocess.run([*words, "true"], check=False).returncode:
        pytest.skip("the network cannot be cut here: unshare --net is missing or not allowed")
    return words


@pytest.fixture
def elsewhere(tmp_path: Path) -> dict[str, str]:
    """Return an environment that knows nothing of this checkout."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**kept, "HOME": str(tmp_path)}
