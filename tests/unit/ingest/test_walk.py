"""Which files of a tree are read, and that nothing in a tree can lead the walk astray."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from ingest_types import Write

from hindsight_neo4j.ingest.rules import Rules
from hindsight_neo4j.ingest.walk import Walked, walk
from hindsight_neo4j.languages.language import LanguageSet

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX file system")


def walked(root: Path, max_file_bytes: int = 1_000_000) -> Walked:
    return walk(root, LanguageSet.load(), Rules.load(), max_file_bytes=max_file_bytes)


def found(root: Path) -> list[str]:
    return [file.path for file in walked(root).files]


def skips(root: Path) -> dict[str, str]:
    return {skip.path: skip.reason for skip in walked(root).skipped}


def test_ignored_and_noisy_files_are_left_out_without_git(write: Write) -> None:
    """Bug case 12."""
    root = write(
        {
            ".venv/lib/z.py": "z = 1",
            ".venv/pyvenv.cfg": "home = /usr",
            "node_modules/n.py": "n = 1",
            "web/.gitignore": "out/\n",
            "web/out/o.py": "o = 1",
            "web/keep.py": "k = 1",
            "gen/big.py": b"x = '" + b"a" * 3_000_000 + b"'\n" + b"y = 1\n" * 500_000,
            "build_tools/real.py": "r = 1",
        }
    )

    result = walked(root)

    assert [file.path for file in result.files] == ["build_tools/real.py", "web/keep.py"]
    assert [(s.path, s.reason, s.flag) for s in result.skipped] == [
        (".venv/", "installed environment", "!.venv/ in .hindsightignore"),
        ("gen/big.py", "size", "--max-file-bytes"),
        ("node_modules/", "ignored by default", "!node_modules/ in .hindsightignore"),
    ]
    assert "gen/big.py" in [f.path for f in walked(root, max_file_bytes=0).files]


@pytest.mark.parametrize(
    "excluded_by", [".gitignore", "defaults", "environment", ".hindsightignore"]
)
def test_an_own_ignore_file_readmits_whatever_excluded_it(write: Write, excluded_by: str) -> None:
    name = "node_modules" if excluded_by == "defaults" else "vendor"
    files: dict[str, str | bytes] = {f"{name}/a.py": "", ".hindsightignore": f"!{name}/\n"}
    if excluded_by == ".gitignore":
        files[".gitignore"] = "vendor/\n"
    if excluded_by == "environment":
        files["vendor/pyvenv.cfg"] = ""
    if excluded_by == ".hindsightignore":
        files[".hindsightignore"] = "vendor/\n!vendor/\n"

    assert found(write(files)) == [f"{name}/a.py"]


def test_a_deeper_ignore_file_wins_over_one_above(write: Write) -> None:
    root = write(
        {
            ".gitignore": "*.py\n!/top.py\n",
            "top.py": "",
            "a.py": "",
            "sub/.gitignore": "!keep.py\n/anchored.py\n",
            "sub/keep.py": "",
            "sub/other.py": "",
            "sub/deep/anchored.py": "",
        }
    )

    assert found(root) == ["sub/keep.py", "top.py"]


def test_an_own_ignore_file_excludes_too(write: Write) -> None:
    root = write({".hindsightignore": "legacy/\n", "legacy/a.py": "", "b.py": ""})

    assert found(root) == ["b.py"]


@pytest.mark.parametrize(
    "line", ["!", "/", "[", "\\", "a**b***c", "*a" * 5_000, "\0", "**/" * 5_000]
)
def test_a_broken_or_hostile_pattern_excludes_nothing_and_takes_no_time(
    write: Write, line: str
) -> None:
    root = write({".gitignore": f"{line}\nb.py\n", "a" * 200 + ".py": "", "b.py": ""})

    assert found(root) == ["a" * 200 + ".py"]


@pytest.mark.parametrize(
    ("files", "read"),
    [
        ({"setup.py": "", "build/lib/a.py": ""}, False),
        ({"setup.py": "", "build/__init__.py": "", "build/lib/a.py": ""}, True),
        ({"setup.py": "", "build/rules/a.py": ""}, True),
        ({"build/lib/a.py": ""}, True),
        ({"package.json": "{}", "dist/lib/a.py": ""}, False),
        ({"dist/lib/a.py": "", "dist/__init__.py": ""}, True),
        ({"Cargo.toml": "", "target/lib/a.py": ""}, False),
    ],
)
def test_only_what_lies_around_it_makes_a_directory_an_output(
    write: Write, files: dict[str, str | bytes], read: bool
) -> None:
    paths = found(write(files))

    assert any(path.endswith("a.py") for path in paths) == read


@POSIX
def test_links_are_never_followed(write: Write, tmp_path: Path) -> None:
    """Bug case 11."""
    outside = tmp_path / "outside.py"
    outside.write_text("secret = 1")
    root = write({"pkg/x.py": "x = 1"})
    (root / "pkg/loop").symlink_to(".")
    (root / "pkg/up").symlink_to("../pkg")
    (root / "pkg/y.py").symlink_to("x.py")
    (root / "pkg/gone.py").symlink_to("nowhere.py")
    (root / "pkg/out.py").symlink_to(outside)
    (root / "pkg/outdir").symlink_to(tmp_path)

    assert found(root) == ["pkg/x.py"]
    assert skips(root) == {f"pkg/{name}.py": "symbolic link" for name in ("gone", "out", "y")}


@POSIX
def test_an_ignore_file_that_is_a_link_or_a_pipe_says_nothing(write: Write, tmp_path: Path) -> None:
    (tmp_path / "rules").write_text("*.py\n")
    root = write({"a.py": "", "sub/b.py": ""})
    (root / ".gitignore").symlink_to(tmp_path / "rules")
    os.mkfifo(root / "sub/.gitignore")

    assert found(root) == ["a.py", "sub/b.py"]


@POSIX
def test_what_is_no_file_is_not_opened(write: Write) -> None:
    root = write({"a.py": ""})
    os.mkfifo(root / "pipe.py")

    assert found(root) == ["a.py"]
    assert skips(root) == {"pipe.py": "no regular file"}


@POSIX
@pytest.mark.parametrize("name", [b"two\nlines.py", b"bell\x07.py", b"latin-\xe9.py"])
def test_a_name_that_cannot_be_an_id_is_skipped(write: Write, name: bytes) -> None:
    root = write({"a.py": ""})
    path = os.fsencode(root) + b"/" + name
    try:
        with open(path, "wb"):
            pass
    except OSError:
        pytest.skip("this file system refuses the name")

    assert found(root) == ["a.py"]
    (skip,) = walked(root).skipped
    assert skip.reason == "file name"
    skip.path.encode("utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="quotes are no file names there")
def test_quotes_and_other_scripts_are_fine_in_names(write: Write) -> None:
    names = [
        "it's.py",
        'say "hi".py',
        "naïve/größe.py",
        "日本.py",
        "🙂.py",
        "a b.py",
        "back\\slash.py",
    ]

    assert found(write(dict.fromkeys(names, ""))) == sorted(names)


@pytest.fixture
def half_locked(open_place: Path) -> Path:
    (open_place / "locked").mkdir()
    (open_place / "locked/b.py").write_text("")
    (open_place / "locked").chmod(0)
    (open_place / "a.py").write_text("")
    return open_place


@pytest.mark.usefixtures("half_locked", "unprivileged")
def test_an_unreadable_directory_is_told(half_locked: Path) -> None:
    assert found(half_locked) == ["a.py"]
    assert skips(half_locked) == {"locked/": "unreadable"}


def test_a_tree_deeper_than_the_stack_is_walked(tmp_path: Path) -> None:
    root = tmp_path / "r"
    root.mkdir()
    os.chdir(root)
    try:
        for _ in range(600):
            os.mkdir("d")
            os.chdir("d")
        Path("x.py").write_text("")
    finally:
        os.chdir(tmp_path)

    assert found(root) == ["d/" * 600 + "x.py"]


def test_submodules_belong_to_the_tree(write: Write) -> None:
    root = write({"a.py": "", "sub/.git": "gitdir: ../.git/modules/sub", "sub/b.py": ""})

    assert found(root) == ["a.py", "sub/b.py"]
