"""A release is taken only when it is the one pinned, and only as data."""

from __future__ import annotations

import hashlib
import io
import tarfile
from pathlib import Path

import pytest

from benchmarks.corpora import PINNED, Corpus, fetch, pinned
from benchmarks.measuring import BenchmarkError


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HINDSIGHT_CACHE", str(tmp_path))
    (tmp_path / "sdists").mkdir()
    return tmp_path


def _archive(cache: Path, members: dict[str, str]) -> Corpus:
    """Put a release into the cache of downloads and return its pin."""
    path = cache / "sdists" / "toy-1.0.tar.gz"
    with tarfile.open(path, "w:gz") as packed:
        for name, text in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            packed.addfile(member, io.BytesIO(text.encode()))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Corpus("toy", "1.0", path.name, "toy-1.0", digest)


def test_a_release_is_unpacked_once_and_kept(cache: Path) -> None:
    corpus = _archive(cache, {"toy-1.0/toy.py": "x = 1\n"})
    folder = fetch(corpus)
    assert (folder / "toy.py").read_text() == "x = 1\n"
    (cache / "sdists" / corpus.sdist).unlink()
    assert fetch(corpus) == folder


def test_another_release_than_the_pinned_one_is_refused(cache: Path) -> None:
    corpus = _archive(cache, {"toy-1.0/toy.py": ""})
    wrong = Corpus("toy", "1.0", corpus.sdist, "toy-1.0", "0" * 64)
    with pytest.raises(BenchmarkError, match="has SHA-256"):
        fetch(wrong)
    assert not (cache / "corpora").exists()


def test_no_member_of_an_archive_leaves_its_folder(cache: Path) -> None:
    corpus = _archive(cache, {"toy-1.0/toy.py": "", "../../escaped.py": ""})
    with pytest.raises(tarfile.OutsideDestinationError):
        fetch(corpus)
    assert not list(cache.rglob("escaped.py"))
    assert not list((cache / "corpora").iterdir())


def test_an_unknown_package_names_those_that_are_pinned() -> None:
    with pytest.raises(BenchmarkError, match="flask"):
        pinned("requests")
    assert pinned("FLASK") in PINNED
