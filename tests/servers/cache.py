"""Where fetched servers and sources are kept between runs: outside the repository, in the user's cache."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder, made if it is missing."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hindsight-tests"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
