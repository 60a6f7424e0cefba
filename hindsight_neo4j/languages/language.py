"""What `ingest/languages/<name>.toml` says about a language.

    python = LanguageSet.load().of_path("src/app/db.py")
    python.is_test_path("tests/test_db.py")  # True

A language file names a grammar, an extractor and strategies; code that is shared by languages asks these values and
never compares a language's name.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from posixpath import splitext
from typing import Any

from hindsight_neo4j.errors import LanguageError
from hindsight_neo4j.languages.link_rules import LinkRules, read_link_rules
from hindsight_neo4j.resources import room


@dataclass(frozen=True, slots=True)
class TestRules:
    """How test code of a language is told from other code: the `[tests]` table."""

    __test__ = False  # pytest would take the name for a test class

    files: tuple[str, ...]
    """Globs over the file's name."""
    directories: tuple[str, ...]
    """Names of directories below which everything is test code, wherever they stand."""
    top_directories: tuple[str, ...]
    """Names that mean this only at the root: deeper down, `test` is often a package that helps others to test."""
    functions: tuple[str, ...]
    """Prefixes of the functions that the test runner calls."""
    classes: tuple[str, ...]
    """Prefixes of the classes whose methods the test runner calls."""


@dataclass(frozen=True, slots=True)
class Language:
    """One language, as its file describes it."""

    name: str
    grammar: str
    """The importable module that carries the tree-sitter grammar."""
    extractor: str
    """The module of `hindsight_neo4j.extract` that turns its trees into facts."""
    suffixes: tuple[str, ...]
    stub_suffixes: tuple[str, ...]
    """Those of `suffixes` whose files only declare what another file defines."""
    package_files: tuple[str, ...]
    """File names that make their directory a package and speak for it."""
    import_strategy: str
    tests: TestRules
    link: LinkRules
    """The words that resolving names has to know."""

    def is_stub(self, path: str) -> bool:
        """Whether `path` only declares what another file defines."""
        return path.endswith(self.stub_suffixes)

    def is_test_path(self, path: str) -> bool:
        """Whether `path` (from the repository root, "/" between parts) lies in test code."""
        directory, _, name = path.rpartition("/")
        return self.is_test_directory(directory) or any(
            fnmatchcase(name, glob) for glob in self.tests.files
        )

    def is_test_directory(self, path: str) -> bool:
        """Whether everything below the directory `path` is test code."""
        parts = path.split("/")
        if parts[0] in self.tests.top_directories:
            return True
        return any(name in parts for name in self.tests.directories)

    def is_test_name(self, name: str) -> bool:
        """Whether the test runner calls a function of this name when it stands in a test file."""
        return name.startswith(self.tests.functions)

    def is_test_class(self, name: str) -> bool:
        """Whether the test runner looks for test methods in a class of this name."""
        return name.startswith(self.tests.classes)


class LanguageSet:
    """The languages that are understood, found by a file's suffix."""

    def __init__(self, languages: tuple[Language, ...]) -> None:
        self._by_name = {language.name: language for language in languages}
        self._by_suffix: dict[str, Language] = {}
        for language in languages:
            for suffix in language.suffixes:
                other = self._by_suffix.setdefault(suffix, language)
                if other is not language:
                    raise LanguageError(
                        f"{suffix} belongs to {other.name} and to {language.name}",
                        hint="take it out of one language file",
                    )

    @classmethod
    def load(cls, folder: Path | None = None) -> LanguageSet:
        """Read every language file of `folder` (default: the data room's).

        Raises:
            LanguageError: A file is no TOML, or a key is missing, unknown or of the wrong type.
        """
        folder = folder or room("ingest") / "languages"
        return cls(tuple(read_language(path) for path in sorted(folder.glob("*.toml"))))

    def __iter__(self) -> Iterator[Language]:
        return iter(self._by_name.values())

    def __getitem__(self, name: str) -> Language:
        """Return the language called `name`.

        Raises:
            LanguageError: There is none.
        """
        try:
            return self._by_name[name]
        except KeyError:
            known = ", ".join(sorted(self._by_name))
            raise LanguageError(f"no language is called {name!r}", hint=f"known: {known}") from None

    @property
    def suffixes(self) -> frozenset[str]:
        """Every suffix that some language claims."""
        return frozenset(self._by_suffix)

    def of_path(self, path: str) -> Language | None:
        """Return the language of the file at `path`, by its suffix; None when no language claims it."""
        return self._by_suffix.get(splitext(path)[1])


def read_language(path: Path) -> Language:
    """Return the language that the file at `path` describes.

    Raises:
        LanguageError: The file is no TOML, or a key is missing, unknown or of the wrong type.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LanguageError(f"{path.name}: no valid TOML: {error}") from error
    reader = _Table(path.name, table)
    tests = reader.table("tests")
    language = Language(
        name=reader.word("name"),
        grammar=reader.word("grammar"),
        extractor=reader.word("extractor"),
        suffixes=reader.words("suffixes"),
        stub_suffixes=reader.words("stub_suffixes"),
        package_files=reader.words("package_files"),
        import_strategy=reader.word("import_strategy"),
        tests=TestRules(
            files=tests.words("files"),
            directories=tests.words("directories"),
            top_directories=tests.words("top_directories"),
            functions=tests.words("functions"),
            classes=tests.words("classes"),
        ),
        link=read_link_rules(reader.table("link")),
    )
    tests.end()
    reader.end()
    return language


class _Table:
    """One TOML table that is read key by key and then must be used up."""

    def __init__(self, file: str, table: Mapping[str, Any], within: str = "") -> None:
        self._file = file
        self._rest = dict(table)
        self._within = within

    def word(self, key: str) -> str:
        value = self._take(key)
        if not isinstance(value, str) or not value:
            raise self._wrong(key, "must be a string that is not empty")
        return value

    def words(self, key: str) -> tuple[str, ...]:
        value = self._take(key)
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            raise self._wrong(key, "must be a list of strings")
        return tuple(value)

    def table(self, key: str) -> _Table:
        value = self._take(key)
        if not isinstance(value, dict):
            raise self._wrong(key, "must be a table")
        return _Table(self._file, value, f"{self._within}{key}.")

    def end(self) -> None:
        for key in self._rest:
            raise self._wrong(key, "is no key of a language file")

    def _take(self, key: str) -> object:
        if key not in self._rest:
            raise self._wrong(key, "is missing")
        return self._rest.pop(key)

    def _wrong(self, key: str, problem: str) -> LanguageError:
        return LanguageError(f"{self._file}: {self._within}{key} {problem}")
