"""From a root directory to the source files below it, in a fixed order.

Symbolic links are never followed: what they point at inside the root is found where it really lies, and what lies
outside is none of ours. So a walk ends, sees each file once and never leaves the root.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hindsight_neo4j.ingest.ignore import Ignores
from hindsight_neo4j.ingest.record import FoundFile
from hindsight_neo4j.ingest.rules import Rules
from hindsight_neo4j.ingest.skip import SkipReason, skipped
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.model.report import Skipped


@dataclass(frozen=True, slots=True)
class Walked:
    """What a walk found: files by path, what it left out and why, and how many files are of no known language."""

    files: tuple[FoundFile, ...]
    skipped: tuple[Skipped, ...]
    others: int


def walk(root: Path, languages: LanguageSet, rules: Rules, *, max_file_bytes: int) -> Walked:
    """Return the source files below `root`.

    Args:
        root: A directory.
        languages: Whose files count as source.
        rules: What is left out by default.
        max_file_bytes: Longer files are skipped; 0 lifts the cap.
    """
    walker = _Walker(root, languages, rules, max_file_bytes)
    files = sorted(walker.files(), key=lambda file: file.path)
    return Walked(tuple(files), tuple(sorted(walker.skipped, key=lambda s: s.path)), walker.others)


@dataclass(frozen=True, slots=True)
class _Directory:
    path: Path
    base: str  # "" for the root, else its path from the root with "/" at the end
    ignores: Ignores


class _Walker:
    def __init__(
        self, root: Path, languages: LanguageSet, rules: Rules, max_file_bytes: int
    ) -> None:
        self._languages = languages
        self._rules = rules
        self._max_file_bytes = max_file_bytes
        self._waiting = [_Directory(root, "", Ignores.at_root(rules))]
        self.skipped: list[Skipped] = []
        self.others = 0

    def files(self) -> Iterator[FoundFile]:
        """Yield files, directory by directory. Not recursive: a tree may be deeper than the stack."""
        while self._waiting:
            directory = self._waiting.pop()
            try:
                with os.scandir(directory.path) as scan:
                    entries = {entry.name: entry for entry in scan}
            except OSError:
                self._skip(directory.base, SkipReason.UNREADABLE)
                continue
            yield from self._files_of(directory, entries)

    def _files_of(
        self, directory: _Directory, entries: dict[str, os.DirEntry[str]]
    ) -> Iterator[FoundFile]:
        ignores = directory.ignores.below(directory.path, directory.base, entries)
        for name, entry in entries.items():
            path = directory.base + name
            if entry.is_dir(follow_symlinks=False):
                self._enter(_Directory(directory.path / name, path + "/", ignores), entries)
            elif self._languages.of_path(name) is None:
                self.others += not entry.is_symlink()
            elif not ignores.verdict(path).ignored:
                found = self._found(path, entry)
                if found:
                    yield found

    def _enter(self, directory: _Directory, siblings: dict[str, os.DirEntry[str]]) -> None:
        verdict = directory.ignores.verdict(directory.base)
        if verdict.ignored:
            if verdict.by_default:
                self._skip(directory.base, SkipReason.DEFAULT)
            return
        if not _is_readable(directory.base):
            self._skip(directory.base, SkipReason.FILE_NAME)
            return
        reason = None if verdict.readmitted else self._reason(directory, siblings)
        if reason:
            self._skip(directory.base, reason)
        else:
            self._waiting.append(directory)

    def _reason(
        self, directory: _Directory, siblings: dict[str, os.DirEntry[str]]
    ) -> SkipReason | None:
        """Return why the content of a directory tells that it is no source."""
        if any(os.path.lexists(directory.path / name) for name in self._rules.environments):
            return SkipReason.ENVIRONMENT
        rules = [rule for rule in self._rules.outputs if rule.name == directory.path.name]
        if not rules:
            return None
        try:
            entries = set(os.listdir(directory.path))
        except OSError:
            return None  # said when it is its turn
        if any(rule.fits(siblings.keys(), entries) for rule in rules):
            return SkipReason.OUTPUT
        return None

    def _found(self, path: str, entry: os.DirEntry[str]) -> FoundFile | None:
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            self._skip(path, SkipReason.UNREADABLE)
            return None
        if not _is_readable(path):
            self._skip(path, SkipReason.FILE_NAME)
        elif entry.is_symlink():
            self._skip(path, SkipReason.LINK)
        elif not entry.is_file(follow_symlinks=False):
            self._skip(path, SkipReason.SPECIAL)
        elif self._max_file_bytes and status.st_size > self._max_file_bytes:
            self._skip(path, SkipReason.SIZE)
        else:
            return FoundFile(path, status.st_size, status.st_mtime_ns)
        return None

    def _skip(self, path: str, reason: SkipReason) -> None:
        self.skipped.append(skipped(path or ".", reason))


def _is_readable(path: str) -> bool:
    """Whether `path` can be an id: UTF-8, and on one line."""
    if path.isprintable():
        return True
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return len(path.splitlines()) == 1 and not any(ord(letter) < 32 for letter in path)
