"""Pages of which a part is made: what stands above the marker is written by hand and stays."""

from __future__ import annotations

import sys
from pathlib import Path


def write_or_check(page: Path, made: str) -> int:
    """Put `made` below the marker line of the script that runs; with `--check`, only say whether it is there already.

    Returns:
        The exit code.
    """
    script = Path(sys.argv[0]).name
    old = page.read_text(encoding="utf-8")
    marker = next((line for line in old.splitlines() if line.endswith(f"docs/{script} -->")), None)
    if marker is None:
        raise SystemExit(f"{page.name} has no marker line of {script}")
    new = f"{old.partition(marker)[0]}{marker}\n\n{made}"
    if "--check" not in sys.argv[1:]:
        page.write_text(new, encoding="utf-8")
    elif new != old:
        print(f"docs/{page.name} is out of date: run python docs/{script}")
        return 1
    return 0
