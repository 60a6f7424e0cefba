"""The source release of flask 3.0.3: real code of middle size for tests, fetched by pip and kept in the user's cache."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from servers.cache import cache_folder

VERSION = "3.0.3"
SHA256 = "ceb27b0af3823ea2737928a4d99d125a06175b8512c445cbd9a9ce200ef76842"
FETCH_S = 300


class SourceMissing(Exception):
    """Raised where the release cannot be fetched. The message says why."""


def flask_source() -> Path:
    """Return the unpacked release, after a download if it is not cached."""
    folder = cache_folder() / f"flask-{VERSION}"
    if not folder.is_dir():
        draft = folder.with_name(f"{folder.name}.{os.getpid()}")
        try:
            _unpack(_download(draft), draft)
            (draft / folder.name).rename(folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return folder


def _download(folder: Path) -> Path:
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", "flask"]
    done = subprocess.run(
        [*pip, "-d", str(folder), f"flask=={VERSION}"],
        capture_output=True,
        text=True,
        timeout=FETCH_S,
    )
    if done.returncode:
        raise SourceMissing(f"pip cannot fetch flask: {done.stderr.strip()[-500:]}")
    return folder / f"flask-{VERSION}.tar.gz"


def _unpack(archive: Path, folder: Path) -> None:
    if hashlib.sha256(archive.read_bytes()).hexdigest() != SHA256:
        raise SourceMissing(f"{archive.name} is not the release that is pinned here")
    with tarfile.open(archive) as files:
        files.extractall(folder, filter="data")
