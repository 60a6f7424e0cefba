"""Fetch and ingest the source releases of the training set, one after the other; what is there already is left alone.

    python -m benchmarks.train.prepare            # all 127
    python -m benchmarks.train.prepare --fresh    # ingest again, for instance after a change of the linker

A release that cannot be fetched is named at the end, and its tasks are left out of the training.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from pathlib import Path

from benchmarks.corpora import Corpus, fetch, training_corpora
from benchmarks.measuring import BenchmarkError, cache_folder, run_measured, tool


def index_of(corpus: Corpus) -> Path:
    """Return where a corpus's index is in the cache, made or not yet."""
    return cache_folder() / "indexes" / f"{corpus.package}-{corpus.version}"


def prepare(corpus: Corpus, *, fresh: bool) -> float:
    """Bring a corpus's index up to date and return the CPU seconds that took."""
    index = index_of(corpus)
    if fresh:
        shutil.rmtree(index, ignore_errors=True)
    index.parent.mkdir(parents=True, exist_ok=True)
    command = (tool("hindsight-ingest"), fetch(corpus), "--index", index, "--workers", "1")
    return run_measured(command).cpu_s


def main() -> int:
    """Prepare every corpus and say what it cost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--fresh", action="store_true", help="ingest every corpus from nothing")
    fresh = parser.parse_args().fresh
    began, spent, failed = time.monotonic(), 0.0, []
    corpora = training_corpora()
    for number, corpus in enumerate(corpora, start=1):
        try:
            spent += prepare(corpus, fresh=fresh)
        except BenchmarkError as error:
            failed.append(f"{corpus.pin}: {error}")
        print(f"{number}/{len(corpora)} {corpus.pin}", file=sys.stderr, flush=True)
    print(f"{len(corpora) - len(failed)} corpora, {spent:.0f} CPU s of ingest, "
          f"{time.monotonic() - began:.0f} s")  # fmt: skip
    print("\n".join(failed), file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
