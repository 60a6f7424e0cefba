"""Files that say more about a repository than its source: what ran, and what a compiler found.

    coverage   data of coverage.py with contexts: which test ran which line
    trace      JSON Lines: which call a run took, which functions a test ran
    scip       a SCIP index: which definition each name means

Each reader turns one file into `model.evidence.Evidence`, refuses what is no such file or belongs to another repository,
and trusts nothing in it: sizes are bounded, paths must lead to files of the repository.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Final

from hindsight_neo4j.errors import SourceError
from hindsight_neo4j.model.evidence import Evidence

MAX_BYTES: Final = 1_000_000_000
"""Longest file read, so that no input fills the memory."""


@dataclass(frozen=True, slots=True)
class EvidenceFiles:
    """The files that an ingest is given besides the repository."""

    coverage: tuple[Path, ...] = ()
    trace: tuple[Path, ...] = ()
    scip: tuple[Path, ...] = ()

    def digest(self) -> str:
        """Return the digest of all content, so that a changed file is noticed; "" without files.

        Raises:
            SourceError: A file is missing, unreadable or too long.
        """
        content = hashlib.blake2b(digest_size=16)
        for kind in ("coverage", "trace", "scip"):
            for path in getattr(self, kind):
                content.update(f"{kind}\0{path.name}\0".encode("utf-8", "surrogateescape"))
                with _opened(path) as file:
                    content.update(hashlib.file_digest(file, "blake2b").digest())
        return content.hexdigest() if self != NO_EVIDENCE else ""

    def read(self, root: Path) -> Iterator[Evidence]:
        """Yield what each file says about the repository at `root`.

        Raises:
            SourceError: A file is damaged, of another kind, or of another repository.
            SettingsError: The package that reads such files is not installed.
        """
        from hindsight_neo4j.evidence import coverage, scip, trace  # noqa: PLC0415 - an extra each

        for path in self.coverage:
            yield coverage.read(path, root)
        for path in self.trace:
            yield trace.read(path, root)
        for path in self.scip:
            yield scip.read(path, root)


NO_EVIDENCE: Final = EvidenceFiles()


def _opened(path: Path) -> BufferedReader:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise SourceError(f"{path} is longer than {MAX_BYTES:,} bytes", hint="split the run")
        return path.open("rb")
    except OSError as error:
        raise SourceError(
            f"{path} cannot be read ({error.strerror or error})", hint="check the path"
        ) from error
