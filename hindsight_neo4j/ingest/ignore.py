"""Which paths the repository's ignore files, and our defaults, leave out.

The last word has, in this order: `.hindsightignore` of the deepest directory up to the root, then `.gitignore` the same
way, then the defaults. So a line `!vendor/` in a `.hindsightignore` re-admits what any other file or default excludes.
git itself is not needed.
"""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pathspec import GitIgnoreSpec

from hindsight_neo4j.ingest.rules import Rules

OWN_FILE: Final = ".hindsightignore"
GIT_FILE: Final = ".gitignore"

_FILE_BYTES: Final = 1_000_000
"""Most bytes read of an ignore file."""

_SEGMENT_STARS: Final = 4
"""Most `*` between two slashes of a pattern; each one more multiplies the time that matching can take."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Level:
    """The patterns of one file, for paths below `base` ("" or a path that ends with "/")."""

    base: str
    spec: GitIgnoreSpec


@dataclass(frozen=True, slots=True)
class Ignores:
    """The ignore files from the root down to one directory, deepest first."""

    own: tuple[_Level, ...]
    git: tuple[_Level, ...]
    reported: GitIgnoreSpec
    silent: GitIgnoreSpec

    @classmethod
    def at_root(cls, rules: Rules) -> Ignores:
        """Return what is ignored before any file is read."""
        return cls((), (), _spec(rules.reported), _spec(rules.silent))

    def below(self, folder: Path, base: str, names: Iterable[str]) -> Ignores:
        """Return these with the ignore files of `folder`, whose path from the root is `base`."""
        own, git = self.own, self.git
        if OWN_FILE in names:
            own = (_Level(base, _spec(_lines(folder / OWN_FILE))), *own)
        if GIT_FILE in names:
            git = (_Level(base, _spec(_lines(folder / GIT_FILE))), *git)
        if own is self.own and git is self.git:
            return self
        return Ignores(own, git, self.reported, self.silent)

    def verdict(self, path: str) -> Verdict:
        """Return what the files and defaults say about `path`; directories end with "/"."""
        for level in (*self.own, *self.git):
            said = level.spec.check_file(path[len(level.base) :]).include
            if said is not None:
                return IGNORED if said else READMITTED
        if self.silent.match_file(path):
            return IGNORED
        return Verdict(ignored=True, by_default=True) if self.reported.match_file(path) else OPEN


@dataclass(frozen=True, slots=True)
class Verdict:
    """`ignored`, with `by_default` when it is worth telling; `readmitted` when a file says "!" to it."""

    ignored: bool = False
    by_default: bool = False
    readmitted: bool = False


OPEN: Final = Verdict()
IGNORED: Final = Verdict(ignored=True)
READMITTED: Final = Verdict(readmitted=True)


def _spec(lines: Iterable[str]) -> GitIgnoreSpec:
    return GitIgnoreSpec.from_lines([line for line in lines if _is_pattern(line)])


def _is_pattern(line: str) -> bool:
    """Whether `line` is a pattern that git would take and that is matched in bounded time."""
    segments = line.split("/")
    if (
        max(s.count("*") for s in segments) > _SEGMENT_STARS
        or segments.count("**") > _SEGMENT_STARS
    ):
        _log.warning("ignore_pattern_left_out stars=%d", line.count("*"))
        return False
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def _lines(path: Path) -> list[str]:
    """Return the lines of an ignore file; a link, a pipe or an unreadable file says nothing."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return []
        with path.open("rb") as file:
            data = file.read(_FILE_BYTES)
    except OSError as error:
        _log.warning("ignore_file_unreadable error=%s", os.strerror(error.errno or 0))
        return []
    return data.decode("utf-8-sig", "replace").splitlines()
