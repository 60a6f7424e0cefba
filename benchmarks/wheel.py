"""The wheel that people install, built from this checkout with its hot rooms compiled (`make wheel`)."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.corpora import environment
from benchmarks.measuring import CHECKOUT, BenchmarkError, cache_folder

_ROOMS = ("hindsight_neo4j", "cypher", "ingest")


def installed_scripts() -> Path:
    """Return the folder of the console scripts of an environment that holds the wheel, built anew when its source changed.

    Raises:
        BenchmarkError: The wheel cannot be built, for want of a C compiler for instance.
    """
    digest = _digest()
    marks = cache_folder() / "environments" / f"wheel-{digest}" / "whole"
    if marks.exists():
        return environment(f"wheel-{digest}", ()).parent
    with tempfile.TemporaryDirectory() as folder:
        return environment(f"wheel-{digest}", (str(build(Path(folder))),)).parent


def build(folder: Path) -> Path:
    """Build the compiled wheel into `folder`, from a source distribution so that nothing is left in the checkout.

    Raises:
        BenchmarkError: It cannot be built.
    """
    done = subprocess.run(
        [sys.executable, "-m", "build", "--outdir", folder, CHECKOUT],
        env={**os.environ, "HATCH_BUILD_HOOK_ENABLE_MYPYC": "true"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise BenchmarkError(
            f"the wheel cannot be built: {done.stdout[-1500:]}{done.stderr[-500:]}"
        )
    (wheel,) = folder.glob("*.whl")
    return wheel


def _digest() -> str:
    content = hashlib.blake2b((CHECKOUT / "pyproject.toml").read_bytes(), digest_size=6)
    for room in _ROOMS:
        for path in sorted((CHECKOUT / room).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                content.update(path.relative_to(CHECKOUT).as_posix().encode() + path.read_bytes())
    return content.hexdigest()
