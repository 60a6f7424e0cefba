"""Which file a module's name means: the "dotted-module" strategy.

A dotted name is walked through directories from a *root*, a directory that is no part of the name. Any directory that
lies in no package can be one. From the importing file `tests/api/test_pay.py` the name `shop.impl` is looked for under

    tests/api/  tests/  .                   roots around the importing file, nearest first (`sys.path[0]`, rootdir)
    src/                                    then roots that hold a package `shop`, and source roots, nearest first

Under each root `shop/__init__.py` comes before `shop.py`, that before stubs, and a mere directory (a namespace) last.
"""

from __future__ import annotations

from collections.abc import Iterator

from hindsight_neo4j.languages.language import Language
from hindsight_neo4j.link.project import Project, SourceFile

Place = SourceFile | str
"""What a module's name leads to: a file, or the directory of a namespace."""


class DottedModules:
    """The modules of one language in a project."""

    def __init__(self, project: Project, language: Language) -> None:
        self._language = language
        self._files: dict[tuple[str, str], SourceFile] = {}
        """By directory and name; a package lies under its parent directory and its own name."""
        self._directories: set[str] = {""}
        self._roots: dict[str, list[str]] = {}
        """Top-level name -> directories that hold it, in order."""
        self._found: dict[tuple[str, str], tuple[Place, ...]] = {}
        for file in project.files:
            if file.language is language:
                self._add(file)
        self._find_roots()

    def resolve(self, dotted: str, importer: SourceFile) -> tuple[Place, ...]:
        """Return what `dotted` means in `importer`: one place, several equally near ones, or () when it is external.

        A namespace is no answer of its own: a directory that shares its name with an external package is usual. Nor is
        the importing file, unless it is a package, which may import what lies inside: `requests.py` means another.
        """
        key = (dotted, importer.directory)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._resolve(dotted.split("."), importer.directory)
        if importer.is_package or importer not in found:
            return found
        return tuple(place for place in found if place is not importer)

    def holders(self, dotted: str, name: str, importer: SourceFile) -> tuple[Place, ...]:
        """Return the namespaces called `dotted` that hold a module `name`, seen from `importer`."""
        if dotted.partition(".")[0] not in self._roots:
            return ()
        found = self.resolve(f"{dotted}.{name}", importer)
        files = [place for place in found if isinstance(place, SourceFile)]
        return tuple(_parent(f.directory) if f.is_package else f.directory for f in files)

    def top(self, dotted: str, importer: SourceFile) -> tuple[Place, ...]:
        """Return what the first part of `dotted` means, where all of `dotted` leads somewhere."""
        first, _, rest = dotted.partition(".")
        places: list[Place] = []
        for place in self.resolve(dotted, importer):
            directory = place.directory if isinstance(place, SourceFile) else place
            parts = rest.count(".") + 1 if rest else 0
            if isinstance(place, SourceFile) and not place.is_package:
                parts -= 1
            for _ in range(parts):
                directory = _parent(directory)
            places.extend(self._step(_parent(directory), first) if rest else [place])
        return tuple(dict.fromkeys(places))

    def relative(self, level: int, dotted: str, importer: SourceFile) -> tuple[Place, ...]:
        """Return what `dotted`, `level` packages up from `importer` (1: its own), means."""
        directory = importer.directory
        for _ in range(level - 1):
            if not directory:
                return ()
            directory = _parent(directory)
        if dotted:
            return tuple(self._walk(directory, dotted.split(".")))
        file = self._files.get((_parent(directory), _last(directory)))
        if file is not None and file.is_package:
            return (file,)
        return (directory,)

    def submodule(self, place: Place, name: str) -> tuple[Place, ...]:
        """Return the module `name` right inside a package or a namespace."""
        if isinstance(place, SourceFile):
            if not place.is_package:
                return ()
            place = place.directory
        return tuple(self._step(place, name))

    def _add(self, file: SourceFile) -> None:
        if file.is_package:
            key = (_parent(file.directory), _last(file.directory))
        else:
            key = (file.directory, _stem(file.path, self._language))
        other = self._files.get(key)
        if other is None or self._rank(file) < self._rank(other):
            self._files[key] = file
        directory = file.directory
        while directory not in self._directories:
            self._directories.add(directory)
            directory = _parent(directory)

    def _rank(self, file: SourceFile) -> tuple[bool, bool]:
        return (self._language.is_stub(file.path), not file.is_package)

    def _find_roots(self) -> None:
        inside: dict[str, bool] = {}
        for directory in sorted(self._directories, key=lambda path: (path.count("/"), path)):
            packaged = self._is_package(directory)
            inside[directory] = packaged or (bool(directory) and inside[_parent(directory)])
        for directory, name in sorted(self._files):
            if not inside[directory]:
                self._roots.setdefault(name, []).append(directory)
        for directory in sorted(self._directories - {""}):
            parent, name = _parent(directory), _last(directory)
            if not inside[parent] and (parent, name) not in self._files:
                self._roots.setdefault(name, []).append(parent)

    def _is_package(self, directory: str) -> bool:
        file = self._files.get((_parent(directory), _last(directory))) if directory else None
        return file is not None and file.is_package

    def _resolve(self, parts: list[str], directory: str) -> tuple[Place, ...]:
        best: list[Place] = []
        nearest: tuple[int, int] | None = None
        for root in self._roots.get(parts[0], ()):
            rank = self._nearness(root, parts[0], directory)
            if rank is None or (nearest is not None and rank > nearest):
                continue
            found = [place for place in self._walk(root, parts) if isinstance(place, SourceFile)]
            if found and rank == nearest:
                best.extend(found)
            elif found:
                best, nearest = list(found), rank
        return tuple(best)

    def _nearness(self, root: str, name: str, directory: str) -> tuple[int, int] | None:
        """Return how near `root` is to `directory`, smaller is nearer; None when it cannot be seen from there."""
        namespace = (root, name) not in self._files
        if _is_around(root, directory):
            return (2 if namespace else 0, -len(root))
        rules = self._language.link
        seen = self._is_package(f"{root}/{name}") or _last(root) in rules.source_roots
        if not seen or name in rules.standard_modules:
            return None
        return (3 if namespace else 1, -_shared(root, directory))

    def _walk(self, root: str, parts: list[str]) -> Iterator[Place]:
        place: Place = root
        for part in parts:
            steps = self.submodule(place, part)
            if not steps:
                return
            place = steps[0]
        yield place

    def _step(self, directory: str, name: str) -> Iterator[Place]:
        file = self._files.get((directory, name))
        if file is not None:
            yield file
            return
        below = f"{directory}/{name}" if directory else name
        if below in self._directories:
            yield below


STRATEGIES = {"dotted-module": DottedModules}
"""How the files of a language are found, by the name that language files use."""


def _parent(directory: str) -> str:
    return directory.rpartition("/")[0]


def _last(directory: str) -> str:
    return directory.rpartition("/")[2]


def _stem(path: str, language: Language) -> str:
    name = _last(path)
    for suffix in language.suffixes:
        if name.endswith(suffix):
            return name.removesuffix(suffix)
    return name


def _is_around(root: str, directory: str) -> bool:
    return not root or directory == root or directory.startswith(f"{root}/")


def _shared(root: str, directory: str) -> int:
    """Return how many leading directories the two have in common."""
    count = 0
    for one, other in zip(root.split("/"), directory.split("/"), strict=False):
        if one != other:
            break
        count += 1
    return count
