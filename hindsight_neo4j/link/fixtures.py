"""Fixtures: functions whose results a test runner hands to parameters of the same name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hindsight_neo4j.link.numbers import CLASS, FUNCTION, MODULE
from hindsight_neo4j.link.project import Project
from hindsight_neo4j.link.values import NOTHING, Values, elements
from hindsight_neo4j.model.facts import NONE

if TYPE_CHECKING:
    from hindsight_neo4j.link.infer import Inference


class Fixtures:
    """Who gets which fixture: the test's class, its file, then fixture files upwards through the directories."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._of_scope: dict[int, Mapping[str, int]] = {}
        self._names = {
            scope.name
            for number, scope in enumerate(project.scopes)
            if scope.decorators and self.is_fixture(number)
        }
        """What fixtures are called: most parameters are not called so."""
        self._shared = {
            file.directory: file
            for file in project.files
            if file.path.rpartition("/")[2] in file.rules.fixture_files
        }

    def is_fixture(self, scope: int) -> bool:
        """Whether the function `scope` is a fixture."""
        if not self._project.scopes[scope].decorators:
            return False
        rules = self._project.file_of[scope].rules
        return not self._project.decorators(scope).isdisjoint(rules.fixture_decorators)

    def is_test(self, scope: int) -> bool:
        """Whether a test runner calls the function `scope`."""
        file, found = self._project.file_of[scope], self._project.scopes[scope]
        if not file.is_test or found.kind != FUNCTION:
            return False
        if not file.language.is_test_name(found.name) or self.is_fixture(scope):
            return False
        around = file.scopes[found.parent].kind
        return around in (MODULE, CLASS)

    def asks(self, scope: int) -> bool:
        """Whether parameters of the function `scope` are filled with fixtures."""
        return self.is_test(scope) or self.is_fixture(scope)

    def find(self, scope: int, name: str) -> int:
        """Return the fixture that the function `scope` gets for its parameter `name`, or NONE.

        A fixture that asks for its own name gets the one further out.
        """
        if name not in self._names:
            return NONE
        for around in self._places(scope):
            found = self._fixtures(around).get(name, NONE)
            if found not in (NONE, scope):
                return found
        return NONE

    def value(self, inference: Inference, scope: int, name: str, depth: int) -> Values:
        """Return what the parameter `name` of the function `scope` can be, if a fixture fills it."""
        if name not in self._names:
            return NOTHING
        if not self._shared and not self._project.file_of[scope].is_test:
            return NOTHING
        if self._project.scopes[scope].kind != FUNCTION or not self.asks(scope):
            return NOTHING
        fixture = self.find(scope, name)
        if fixture == NONE:
            return NOTHING
        values = inference.returned(fixture, None, depth)
        return elements(values) if self._project.scopes[fixture].yields else values

    def _places(self, scope: int) -> list[int]:
        """Return the scopes whose fixtures the function `scope` sees, nearest first."""
        file = self._project.file_of[scope]
        places = []
        around = self._project.parent(scope)
        while around != NONE:
            places.append(around)
            around = self._project.parent(around)
        directory: str | None = file.directory
        while directory is not None:
            shared = self._shared.get(directory)
            if shared is not None and shared is not file:
                places.append(shared.first_scope)
            directory = directory.rpartition("/")[0] if directory else None
        return places

    def _fixtures(self, scope: int) -> Mapping[str, int]:
        found = self._of_scope.get(scope)
        if found is None:
            found = self._of_scope[scope] = {
                self._project.scopes[child].name: child
                for child in self._project.children(scope)
                if self.is_fixture(child)
            }
        return found
