"""Paths that others wrote, as paths of the repository."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from hindsight_neo4j.errors import SourceError


class Places:
    """Turns paths of one evidence file into paths from the repository root, and counts what is not there."""

    def __init__(self, source: Path, root: Path, base: Path | None = None) -> None:
        """`base` is where relative paths start, the root if it is None."""
        self._source = source
        self._root = root.resolve()
        self._base = (base or root).resolve()
        self._known: dict[str, str | None] = {}

    def inside(self, path: str) -> str | None:
        """Return `path` from the root, None when no file of the repository is there."""
        if path not in self._known:
            self._known[path] = self._find(path)
        return self._known[path]

    def _find(self, path: str) -> str | None:
        try:
            place = (self._base / path).resolve()
            if not place.is_file() or not place.is_relative_to(self._root):
                return None
        except (OSError, ValueError):
            return None
        return PurePosixPath(*place.relative_to(self._root).parts).as_posix()

    def refuse_foreign(self) -> None:
        """Raise unless one of the paths asked for was there.

        Raises:
            SourceError: None was: the file is of another repository, or holds nothing.
        """
        if any(self._known.values()):
            return
        first = next(iter(self._known), None)
        said = f"it speaks of {first}" if first else "it names no file"
        raise SourceError(
            f"{self._source} says nothing about the files of {self._root} ({said})",
            hint="make it in this repository, from its root",
        )
