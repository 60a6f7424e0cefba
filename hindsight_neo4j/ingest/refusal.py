"""What an ingest refuses, each with one line on why and one on what to do."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from hindsight_neo4j.errors import SettingsError, SourceError, StoreError
from hindsight_neo4j.ingest.record import FileRecord
from hindsight_neo4j.ingest.walk import Walked
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.model.report import Skipped
from hindsight_neo4j.stores.index_folder import FOLDER_NAME, IndexFolder

_GIVE_ROOT = "give the repository's root"


def readable(root: Path) -> Path:
    """Return the real path of a directory that can be listed.

    Raises:
        SourceError: It is none.
    """
    try:
        real = root.resolve(strict=True)
        with os.scandir(real):
            return real
    except NotADirectoryError:
        raise SourceError(f"{root} is no directory", hint=_GIVE_ROOT) from None
    except FileNotFoundError:
        raise SourceError(f"{root} does not exist", hint=_GIVE_ROOT) from None
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SourceError(
            f"{root} cannot be read ({reason})", hint="check its permissions"
        ) from error


def refuse_foreign(folder: IndexFolder, root: Path) -> None:
    """Refuse to put a repository into the index of another one. One that was moved takes its index along.

    Raises:
        SettingsError: The folder is another repository's.
    """
    try:
        owner = folder.current().manifest().root
    except StoreError:
        return
    if owner != str(root) and folder.path != root / FOLDER_NAME:
        raise SettingsError(
            f"the index {folder.path} belongs to {owner}",
            hint="give another folder with --index DIR",
        )


def refuse_empty(root: Path, walked: Walked, languages: LanguageSet) -> None:
    """Refuse a tree without a file to read.

    Raises:
        SourceError: It is one.
    """
    if walked.files:
        return
    if walked.skipped:
        raise SourceError(
            f"nothing in {root} was read; skipped: {_reasons(walked.skipped)}",
            hint="re-admit paths with !PATTERN in .hindsightignore, or lift the cap",
        )
    if walked.others:
        raise SourceError(
            f"no source in {root} among {walked.others} files",
            hint=f"files with these suffixes are read: {' '.join(sorted(languages.suffixes))}",
        )
    raise SourceError(f"{root} holds no files", hint=_GIVE_ROOT)


def refuse_nothing_read(root: Path, records: list[FileRecord]) -> None:
    """Refuse an index without a single class or function: something is wrong, and success would hide it.

    Raises:
        SourceError: It would be one.
    """
    read = [record for record in records if not record.skipped]
    if not read:
        skips = [record.skipped for record in records if record.skipped]
        raise SourceError(
            f"none of {len(records)} source files in {root} was read: {_reasons(skips)}",
            hint="see which flag lifts the cap",
        )
    if any(record.symbols for record in read):
        return
    problem = next((record.problem for record in read if record.problem), None)
    cause = (
        f"{problem.path}:{problem.line}: {problem.message}"
        if problem
        else "the files define none, or their suffix misleads"
    )
    raise SourceError(f"no class or function in {len(read)} source files of {root}", hint=cause)


def _reasons(skips: Iterable[Skipped]) -> str:
    counts = Counter(skip.reason for skip in skips)
    return ", ".join(f"{reason} {count}" for reason, count in sorted(counts.items()))
