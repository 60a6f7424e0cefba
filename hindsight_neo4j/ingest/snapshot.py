"""The name of a snapshot: `name@commit12+digest8`, or `name@digest12` where git knows nothing.

The commit is read from git's files, for git may be missing. It alone would not do, since files can differ from it; so
the digest of what was read always takes part.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from hindsight_neo4j.errors import SettingsError

_COMMIT: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REF: Final = re.compile(r"ref: (refs/[^\0]+)")
_UNFIT: Final = re.compile(r"[^\w.\-]+")
_NAME: Final = re.compile(r"[^\s|\x00-\x1f\x7f]{1,200}")
_FILE_BYTES: Final = 10_000_000


def snapshot_name(root: Path, tree: str) -> str:
    """Return the name of the snapshot of `root` whose content has the digest `tree`."""
    name = repository_name(root)
    commit = head_commit(root)
    return f"{name}@{commit[:12]}+{tree[:8]}" if commit else f"{name}@{tree[:12]}"


def repository_name(root: Path) -> str:
    """Return what the repository at `root` is called: its folder's name, of letters that every store takes."""
    return _UNFIT.sub("-", root.resolve().name).strip("-")[:100] or "repository"


def checked_name(name: str) -> str:
    """Return `name` if a snapshot can be called so.

    Raises:
        SettingsError: It cannot.
    """
    if not _NAME.fullmatch(name):
        raise SettingsError(
            f"{name[:50]!r} is no name for a snapshot",
            hint="use 1 to 200 characters without white space and |",
        )
    return name


def head_commit(root: Path) -> str | None:
    """Return the commit that git has checked out at `root`, None where there is none or it cannot be read."""
    folder = _git_folder(root)
    head = _read(folder / "HEAD") if folder else None
    if folder is None or head is None:
        return None
    if _COMMIT.fullmatch(head):
        return head
    ref = _REF.fullmatch(head)
    if not ref or ".." in ref[1].split("/"):
        return None
    shared = _shared_folder(folder)
    for place in (folder, shared):
        commit = _read(place / ref[1])
        if commit and _COMMIT.fullmatch(commit):
            return commit
    return _packed(shared, ref[1])


def _git_folder(root: Path) -> Path | None:
    """Return git's folder of `root`; in a submodule or a second work tree a file says where it is."""
    git = root / ".git"
    if git.is_dir():
        return git
    said = _read(git)
    if said and said.startswith("gitdir: "):
        return (root / said.removeprefix("gitdir: ")).resolve()
    return None


def _shared_folder(folder: Path) -> Path:
    shared = _read(folder / "commondir")
    return (folder / shared).resolve() if shared else folder


def _packed(folder: Path, ref: str) -> str | None:
    for line in (_read(folder / "packed-refs") or "").splitlines():
        commit, _, name = line.partition(" ")
        if name == ref and _COMMIT.fullmatch(commit):
            return commit
    return None


def _read(path: Path) -> str | None:
    try:
        if not path.is_file() or path.stat().st_size > _FILE_BYTES:
            return None
        text = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return None if "\0" in text else text
