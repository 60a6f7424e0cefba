"""What imports bring and what modules hold: re-exports, stars, submodules, namespaces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.link.holders import union
from hindsight_neo4j.link.modules import STRATEGIES, Place
from hindsight_neo4j.link.project import SourceFile
from hindsight_neo4j.link.values import NOTHING, External, Module, Namespace, Values
from hindsight_neo4j.model.facts import Import
from hindsight_neo4j.model.numbers import STRING

if TYPE_CHECKING:
    from hindsight_neo4j.link.infer import Inference

STAR = "*"

DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)+(:[^\W\d]\w*)?")
"""A text that can be a module's name and a name in it."""


class Members:
    """The names of modules, seen from inside and from outside."""

    def __init__(self, inference: Inference, languages: LanguageSet) -> None:
        self._inference = inference
        project = inference.project
        self._modules = {
            name: STRATEGIES[languages[name].import_strategy](project, languages[name])
            for name in sorted({file.language.name for file in project.files})
        }
        self._starred_memo: dict[int, tuple[SourceFile, ...]] = {}
        self._spelled_memo: dict[int, tuple[tuple[SourceFile, str], ...]] = {}
        self._star_memo: dict[int, tuple[Import, ...]] = {}

    def places(self, file: SourceFile, statement: Import) -> tuple[Place, ...]:
        """Return what the module that `statement` names means in `file`; () when it is external."""
        modules = self._modules[file.language.name]
        if statement.level:
            return modules.relative(statement.level, statement.module, file)
        found = modules.resolve(statement.module, file)
        if found or not statement.name or statement.name == STAR:
            return found
        return modules.holders(statement.module, statement.name, file)

    def parents(self, file: SourceFile, statement: Import) -> tuple[SourceFile, ...]:
        """Return the files of the packages above the module that `statement` names."""
        modules = self._modules[file.language.name]
        found: list[SourceFile] = []
        dotted = statement.module
        places: Sequence[Place] = modules.top(dotted, file)
        for part in dotted.split(".")[1:]:
            found.extend(place for place in places if isinstance(place, SourceFile))
            places = [step for place in places for step in modules.submodule(place, part)]
        return tuple(dict.fromkeys(found))

    def submodule(self, place: Place, name: str) -> tuple[Place, ...]:
        """Return the module `name` right inside `place`."""
        if isinstance(place, SourceFile):
            return self._modules[place.language.name].submodule(place, name)
        return next(
            (
                found
                for modules in self._modules.values()
                if (found := modules.submodule(place, name))
            ),
            (),
        )

    def imported(self, file: SourceFile, statement: Import, depth: int) -> Values:
        """Return what the name that `statement` binds in `file` can be."""
        places = self.places(file, statement)
        if not statement.name:
            return self._imported_module(file, statement, places)
        if not places:
            return () if statement.level else (External(f"{statement.module}.{statement.name}"),)
        return union(self.member(place, statement.name, depth + 1) for place in places)

    def named(self, file: SourceFile, dotted: str) -> tuple[Place, ...]:
        """Return the modules of the project that `dotted` names in `file`."""
        return self._modules[file.language.name].resolve(dotted, file)

    def spelled(self, file: SourceFile) -> tuple[tuple[SourceFile, str], ...]:
        """Return what the texts in `file` spell out of the project: a module, and a name in it or "".

        Whoever imports by a computed name picks from such a table: `{"table": "pkg.plugins.table"}`.
        """
        found = self._spelled_memo.get(file.number)
        if found is None:
            texts = {
                expr.text: None
                for expr in file.exprs
                if expr.op == STRING and DOTTED.fullmatch(expr.text)
            }
            found = tuple(
                dict.fromkeys(one for text in texts for one in self._spelling(file, text))
            )
            self._spelled_memo[file.number] = found
        return found

    def _spelling(self, file: SourceFile, text: str) -> list[tuple[SourceFile, str]]:
        dotted = text.replace(":", ".")
        whole = [place for place in self.named(file, dotted) if isinstance(place, SourceFile)]
        if whole:
            return [(place, "") for place in whole]
        module, _, name = dotted.rpartition(".")
        return [
            (place, name) for place in self.named(file, module) if isinstance(place, SourceFile)
        ]

    def member(self, place: Place, name: str, depth: int) -> Values:
        """Return what the attribute `name` of the module at `place` can be."""
        if isinstance(place, str):
            return as_values(self.submodule(place, name))
        found = self._inference.once(
            ("member", place.number, name), depth, lambda: self._own_member(place, name, depth + 1)
        )
        return found or as_values(self.submodule(place, name))

    def starred(self, file: SourceFile, name: str, depth: int) -> Values:
        """Return what star imports and the stub of `file` say that `name` is there."""
        names = self._inference.project.names
        queue = [file]
        seen = {file.number}
        for current in queue:
            for place in self._starred_files(current):
                if place.number in seen or not is_exported(place, name):
                    continue
                seen.add(place.number)
                queue.append(place)
                if name in names[place.first_scope]:
                    found = self._inference.name(place.first_scope, name, depth + 1)
                elif place.facts.exports is not None:
                    found = as_values(self.submodule(place, name))
                else:
                    continue
                if found:
                    return found
        stub = self._inference.stubs.file_of.get(file.number)
        return self._own_member(stub, name, depth + 1) if stub is not None else NOTHING

    def _starred_files(self, file: SourceFile) -> tuple[SourceFile, ...]:
        """Return the files that the star imports of `file` take from, the last one first, since it wins."""
        found = self._starred_memo.get(file.number)
        if found is None:
            places = [
                p for statement in reversed(self.stars(file)) for p in self.places(file, statement)
            ]
            found = tuple(place for place in places if isinstance(place, SourceFile))
            self._starred_memo[file.number] = found
        return found

    def has_external_star(self, file: SourceFile) -> bool:
        """Whether a star import of `file` brings names that nobody here knows."""
        return any(not self.places(file, statement) for statement in self.stars(file))

    def stars(self, file: SourceFile) -> tuple[Import, ...]:
        """Return the star imports of `file`, in source order."""
        found = self._star_memo.get(file.number)
        if found is None:
            found = tuple(statement for statement in file.imports if statement.name == STAR)
            self._star_memo[file.number] = found
        return found

    def _own_member(self, file: SourceFile, name: str, depth: int) -> Values:
        bindings = self._inference.project.names[file.first_scope].get(name)
        if bindings:
            return self._inference.name(file.first_scope, name, depth)
        return self.starred(file, name, depth)

    def _imported_module(
        self, file: SourceFile, statement: Import, places: tuple[Place, ...]
    ) -> Values:
        if statement.alias:
            return as_values(places) or (External(statement.module),)
        top = self._modules[file.language.name].top(statement.module, file)
        return as_values(top) or (External(statement.module.partition(".")[0]),)


def is_exported(file: SourceFile, name: str) -> bool:
    """Whether a star import of `file` brings `name`."""
    exports = file.facts.exports
    return name in exports if exports is not None else not name.startswith("_")


def as_values(places: Sequence[Place]) -> Values:
    """Return the module values of `places`."""
    return tuple(
        Module(place.number) if isinstance(place, SourceFile) else Namespace(place)
        for place in places
    )
