"""How a snapshot gets its name from git's files, without git."""

from __future__ import annotations

from pathlib import Path

import pytest
from ingest_types import Write

from hindsight_neo4j.ingest.snapshot import checked_name, head_commit, snapshot_name

COMMIT = "0123456789abcdef0123456789abcdef01234567"
TREE = "fedcba9876543210"


@pytest.mark.parametrize(
    "files",
    [
        {".git/HEAD": COMMIT},
        {".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": f"{COMMIT}\n"},
        {".git/HEAD": "ref: refs/heads/a/b", ".git/packed-refs": f"# x\n{COMMIT} refs/heads/a/b\n"},
        {".git": "gitdir: elsewhere\n", "elsewhere/HEAD": COMMIT},
        {
            ".git": "gitdir: main/worktrees/w",
            "main/worktrees/w/HEAD": "ref: refs/heads/w",
            "main/worktrees/w/commondir": "../..",
            "main/refs/heads/w": COMMIT,
        },
    ],
)
def test_the_commit_is_found_however_git_keeps_it(
    write: Write, files: dict[str, str | bytes]
) -> None:
    assert head_commit(write(files)) == COMMIT


@pytest.mark.parametrize(
    "files",
    [
        {},
        {".git/HEAD": ""},
        {".git/HEAD": "ref: refs/../../../secret", "secret": COMMIT},
        {".git/HEAD": "ref: refs/heads/none"},
        {".git/HEAD": b"\xff\xfe\0"},
        {".git": "gitdir: nowhere"},
        {".git": "gitdir: nul\0"},
        {".git/HEAD": "ref: refs/heads/main", ".git/refs/heads/main": "not a commit"},
    ],
)
def test_no_commit_is_no_error(write: Write, files: dict[str, str | bytes]) -> None:
    assert head_commit(write(files)) is None


def test_the_content_always_takes_part_in_the_name(write: Write, tmp_path: Path) -> None:
    root = write({".git/HEAD": COMMIT})
    odd = tmp_path / "my | repo\n"
    odd.mkdir()

    assert snapshot_name(root, TREE) == "repo@0123456789ab+fedcba98"
    assert checked_name(snapshot_name(odd, TREE)) == "my-repo@fedcba987654"
