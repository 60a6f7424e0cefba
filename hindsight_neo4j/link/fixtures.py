"""Fixtures: functions whose results a test runner hands to parameters of the same name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from hindsight_neo4j.link.holders import elements
from hindsight_neo4j.link.project import Project
from hindsight_neo4j.link.values import NOTHING, Values
from hindsight_neo4j.model.facts import NONE
from hindsight_neo4j.model.numbers import (
    CALL,
    CLASS,
    FUNCTION,
    KEYWORD,
    LIST,
    MODULE,
    STRING,
    TUPLE,
    VALUE,
)

if TYPE_CHECKING:
    from hindsight_neo4j.link.infer import Inference


class Fixtures:
    """Who gets which fixture: the test's class, its file, then fixture files upwards through the directories."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._of_scope: dict[int, Mapping[str, int]] = {}
        self._alone: dict[int, Sequence[int]] = {}
        self._set_ups: dict[int, list[int]] = {}
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

    def used_by(self, scope: int) -> Iterator[tuple[int, int]]:
        """Yield the fixtures that the test or fixture `scope` uses, each with the line that says so (0: none).

        Fixtures that its parameters name, those that a decorator of it or of a class around it names, and those that run
        by themselves.
        """
        if not self._names:
            return
        for parameter in self._project.scopes[scope].parameters:
            yield from self._named(scope, parameter.name, parameter.line)
        if self.is_test(scope):
            around = scope
            while around != NONE:
                for name, line in self._requested(around):
                    yield from self._named(scope, name, line)
                around = self._project.parent(around)
            for place in self._places(scope):
                for fixture in self._running_alone(place):
                    yield fixture, 0

    def set_up(self, inference: Inference, around: int) -> Sequence[int]:
        """Return the functions that a runner calls around each test of the class or file `around`."""
        found = self._set_ups.get(around)
        if found is None:
            names = self._project.file_of[around].rules.setup_functions
            if self._project.scopes[around].kind == CLASS:
                methods = [inference.hierarchy.first_method(around, name) for name in sorted(names)]
                found = [method for method in methods if method != NONE]
                found += self.set_up(inference, self._project.parent(around))
            else:
                children = self._project.children(around)
                found = [c for c in children if self._project.scopes[c].name in names]
            self._set_ups[around] = found
        return found

    def _named(self, scope: int, name: str, line: int) -> Iterator[tuple[int, int]]:
        fixture = self.find(scope, name)
        if fixture != NONE:
            yield fixture, line

    def _requested(self, scope: int) -> Iterator[tuple[str, int]]:
        """Yield the fixtures that decorators and marks of `scope` name, each with its line."""
        file = self._project.file_of[scope]
        for decorator in (*self._project.scopes[scope].decorators, *self._marks(scope)):
            expr = file.exprs[decorator]
            if expr.op == CALL and file.last_name(decorator) in file.rules.fixture_requests:
                for argument in expr.args[1:]:
                    if file.exprs[argument].op == STRING:
                        yield file.exprs[argument].text, file.exprs[argument].line

    def _marks(self, scope: int) -> Iterator[int]:
        """Yield the marks that the class or file `scope` gives its tests: one, or a list of them."""
        file, found = self._project.file_of[scope], self._project.scopes[scope]
        if found.kind == FUNCTION:
            return
        for name in sorted(file.rules.fixture_marks):
            for binding in self._project.names[scope].get(name, ()):
                mark = binding.value
                if binding.kind == VALUE and mark != NONE:
                    is_list = file.exprs[mark].op in (LIST, TUPLE)
                    yield from file.exprs[mark].args if is_list else (mark,)

    def _running_alone(self, place: int) -> Sequence[int]:
        """Return the fixtures right inside `place` that run without being asked for."""
        found = self._alone.get(place)
        if found is None:
            fixtures = self._fixtures(place).values()
            found = self._alone[place] = [f for f in fixtures if self._runs_alone(f)]
        return found

    def _runs_alone(self, fixture: int) -> bool:
        file = self._project.file_of[fixture]
        for decorator in self._project.scopes[fixture].decorators:
            for argument in file.exprs[decorator].args[1:]:
                keyword = file.exprs[argument]
                if keyword.op == KEYWORD and keyword.text in file.rules.fixture_automatic:
                    return file.exprs[keyword.args[0]].text in file.rules.true_words
        return False

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
