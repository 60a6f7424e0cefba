"""Data files of coverage.py, as written by `pytest --cov --cov-context=test` or `dynamic_context = test_function`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hindsight_neo4j.errors import SettingsError, SourceError
from hindsight_neo4j.evidence.places import Places
from hindsight_neo4j.model.evidence import Evidence, RanFile

if TYPE_CHECKING:
    from coverage import CoverageData

_HINT = "run the tests with `pytest --cov=. --cov-context=test`, and give the .coverage file"


def read(path: Path, root: Path) -> Evidence:
    """Return which tests ran which lines.

    Raises:
        SourceError: It is no such file, has no contexts, or is of another repository.
        SettingsError: coverage.py is not installed.
    """
    try:
        import coverage  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise SettingsError(
            "reading coverage data needs coverage.py",
            hint="pip install 'hindsight-neo4j[coverage]'",
        ) from error
    data = coverage.CoverageData(basename=str(path.absolute()), no_disk=False)
    try:
        data.read()
        files = sorted(data.measured_files())
        has_contexts = any(data.measured_contexts())
    except (coverage.CoverageException, OSError, ValueError) as error:
        raise SourceError(f"{path} is no data file of coverage.py ({error})", hint=_HINT) from error
    places = Places(path, root)
    found = {file: inside for file in files if (inside := places.inside(file))}
    places.refuse_foreign()
    if not has_contexts:
        raise SourceError(f"{path} does not say which test ran what", hint=_HINT)
    return Evidence(str(path), ran=_ran(data, found))


def _ran(data: CoverageData, files: dict[str, str]) -> Iterator[RanFile]:
    for file, inside in files.items():
        lines = {
            line: [context for context in contexts if context]
            for line, contexts in data.contexts_by_lineno(file).items()
            if line > 0
        }
        yield RanFile(inside, lines)
