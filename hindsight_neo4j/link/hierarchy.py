"""Classes over classes: bases, the order in which attributes are looked for, subclasses, overrides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hindsight_neo4j.link.values import Class, Instance
from hindsight_neo4j.model.facts import NONE
from hindsight_neo4j.model.numbers import (
    ATTRIBUTE,
    CLASS,
    DEFINITION,
    FUNCTION,
    KEYWORD,
    SUBSCRIPT,
    VALUE,
)

if TYPE_CHECKING:
    from hindsight_neo4j.link.infer import Inference

MAX_LINE = 200
"""Most classes in one order of look-up."""

MAX_SUBCLASSES = 500
"""Most subclasses of one class that are looked at for overrides."""

MAX_HEIGHT = 60
"""Most levels of bases above a class; source that goes higher is hostile."""


class Hierarchy:
    """The classes of a project and what they inherit."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        self._project = inference.project
        self._bases: dict[int, tuple[int, ...]] = {}
        self._lines: dict[int, tuple[int, ...]] = {}
        self._active: set[int] = set()
        self._outside: dict[int, list[str]] = {}
        self._subclasses: dict[int, list[int]] | None = None
        self._below: dict[int, tuple[int, ...]] = {}
        self._constructors: dict[int, tuple[int, ...]] = {}
        self._methods = {
            number: self._find_methods(number)
            for number, scope in enumerate(self._project.scopes)
            if scope.kind == CLASS
        }
        self._having: dict[str, dict[int, int]] = {}
        """Method by name and class: most names are those of few classes."""
        for number, methods in self._methods.items():
            for name, method in methods.items():
                self._having.setdefault(name, {})[number] = method
        self._having_value: dict[str, set[int]] | None = None
        self._settings: dict[tuple[int, str], tuple[int, ...]] = {}
        self._changes: dict[tuple[int, str], tuple[tuple[int, int], ...]] = {}
        self._inside: dict[tuple[int, str], tuple[int, ...]] = {}
        self._next: dict[tuple[int, str], tuple[int, ...]] = {}
        self._passing: dict[int, frozenset[int]] = {}

    def bases(self, scope: int) -> tuple[int, ...]:
        """Return the project's classes that the class `scope` names as bases, in order."""
        found = self._bases.get(scope)
        if found is None:
            if scope in self._active or len(self._active) > MAX_HEIGHT:
                return ()
            self._active.add(scope)
            found = self._find_bases(scope)
            self._active.discard(scope)
            self._bases[scope] = found
        return found

    def line(self, scope: int) -> tuple[int, ...]:
        """Return the order in which attributes of the class `scope` are looked for, itself first.

        It is the C3 order; where that does not exist, bases in order and depth first.
        """
        found = self._lines.get(scope)
        if found is None:
            found = self._lines[scope] = self._linearise(scope, 0, set())[:MAX_LINE]
        return found

    def has_outside(self, scope: int) -> bool:
        """Whether the class `scope` inherits from something that is not in the project."""
        return any(self._is_open_ended(scope) for scope in self.line(scope))

    def outside(self, scope: int) -> tuple[str, ...]:
        """Return what those bases of the class `scope` and of those above it are called that are not in the project."""
        above = (one for one in self.line(scope) if self._is_open_ended(one))
        return tuple(name for one in above for name in self._outside[one])

    def subclasses(self, scope: int) -> tuple[int, ...]:
        """Return the classes that inherit from the class `scope`, nearest first."""
        found = self._below.get(scope)
        if found is None:
            direct = self._direct_subclasses()
            seen = {scope: None}
            queue = [scope]
            for current in queue:
                for below in direct.get(current, ()):
                    if below not in seen and len(seen) <= MAX_SUBCLASSES:
                        seen[below] = None
                        queue.append(below)
            found = self._below[scope] = tuple(seen)[1:]
        return found

    def possible(self, value: Instance | Class) -> tuple[int, ...]:
        """Return the classes whose bodies can say what `value` has: its line, and its subclasses where those may be meant."""
        below = self.subclasses(value.scope) if value.open else ()
        return (*self.line(value.scope), *below)

    def setting(self, scope: int, name: str) -> tuple[int, ...]:
        """Return the subclasses of the class `scope` that give the attribute `name` a value that is no method."""
        having = self._setters().get(name)
        if not having:
            return ()
        key = (scope, name)
        found = self._settings.get(key)
        if found is None:
            found = tuple(below for below in self.subclasses(scope) if below in having)
            self._settings[key] = found
        return found

    def _setters(self) -> dict[str, set[int]]:
        """Return the classes that give an attribute a value, by its name; those without bases are none's subclasses."""
        if self._having_value is None:
            self._having_value = {}
            names, puts = self._project.names, self._inference.puts.of_class
            for number, scope in enumerate(self._project.scopes):
                if scope.kind != CLASS or not scope.bases:
                    continue
                for name, bindings in names[number].items():
                    if any(binding.kind == VALUE for binding in bindings):
                        self._having_value.setdefault(name, set()).add(number)
                for name in puts.get(number, ()):
                    self._having_value.setdefault(name, set()).add(number)
        return self._having_value

    def methods(self, scope: int) -> dict[str, int]:
        """Return the functions that the body of the class `scope` itself defines, by name."""
        return self._methods[scope]

    def first_method(self, scope: int, name: str) -> int:
        """Return the method `name` that an instance of the class `scope` has, or NONE."""
        having = self._having.get(name)
        return _first(having, self.line(scope)) if having else NONE

    def first_of(self, scope: int, names: Iterable[str]) -> int:
        """Return the first of the methods `names` that an instance of the class `scope` has, or NONE."""
        for name in names:
            method = self.first_method(scope, name)
            if method != NONE:
                return method
        return NONE

    def constructors(self, scope: int) -> tuple[int, ...]:
        """Return the methods that run when the class `scope` is called."""
        found = self._constructors.get(scope)
        if found is None:
            names = self._project.file_of[scope].rules.constructors
            methods = (self.first_method(scope, name) for name in names)
            found = self._constructors[scope] = tuple(one for one in methods if one != NONE)
        return found

    def overridden(self, scope: int, name: str) -> int:
        """Return the method that the method `name` of the class `scope` takes the place of, or NONE."""
        having = self._having.get(name, {})
        return _first(having, self.line(scope)[1:]) if len(having) > 1 else NONE

    def is_overridden(self, scope: int, name: str) -> bool:
        """Whether instances of some subclass of the class `scope` have another method `name`."""
        return name in self._having and bool(self._changing(scope, name))

    def overrides(self, scope: int, name: str) -> tuple[int, ...]:
        """Return the methods `name` that instances of subclasses of the class `scope` have in place of its own."""
        return tuple(dict.fromkeys(method for _, method in self._changing(scope, name)))

    def overrides_inside(self, method: int, name: str) -> tuple[int, ...]:
        """Return those of the `overrides` that a call on its own receiver can mean that the method `method` makes.

        That are those of the subclasses whose instances run `method`: they inherit it, or what they have in its place
        calls it.
        """
        key = (method, name)
        found = self._inside.get(key)
        if found is None:
            changing = self._changing(self._project.parent(method), name)
            given = (given for below, given in changing if self._runs(below, method))
            found = self._inside[key] = tuple(dict.fromkeys(given))
        return found

    def next_beside(self, scope: int, name: str) -> tuple[int, ...]:
        """Return the methods `name` that come next after the class `scope` in the lines of its subclasses.

        In `class Both(Mixin, Base)` what `Mixin` asks its next class for is what `Base` says.
        """
        key = (scope, name)
        found = self._next.get(key)
        if found is None:
            having = self._having.get(name, {})
            below = self.subclasses(scope) if having else ()
            lines = [self.line(number) for number in below if len(self.bases(number)) > 1]
            behind = [line[line.index(scope) + 1 :] for line in lines if scope in line]
            methods = (_first(having, line) for line in behind)
            found = self._next[key] = tuple(dict.fromkeys(m for m in methods if m != NONE))
        return found

    def _changing(self, scope: int, name: str) -> tuple[tuple[int, int], ...]:
        """Return the subclasses of the class `scope` that have another method `name`, each with that method.

        It may be that of a class beside: `class Both(Mixin, Base)` has what `Mixin` says in place of what `Base` says,
        and what only `Base` says where `Mixin` calls it.
        """
        key = (scope, name)
        found = self._changes.get(key)
        if found is None:
            having = self._having.get(name, {})
            above = self.line(scope)
            givers = (
                (below, below if below in having else self._beside(below, above, having))
                for below in (self.subclasses(scope) if having else ())
            )
            # A stub's class is a subclass too, and its method is the source's.
            symbol = self._inference.stubs.symbol
            found = tuple(
                (below, symbol(having[giver])) for below, giver in givers if giver != NONE
            )
            self._changes[key] = found
        return found

    def _beside(self, scope: int, above: Sequence[int], having: dict[int, int]) -> int:
        """Return the class out of `having` whose method the class `scope` has, NONE if that is one of those `above`."""
        if len(self.bases(scope)) < 2:
            return NONE
        giver = next((number for number in self.line(scope) if number in having), NONE)
        return NONE if giver in above else giver

    def _runs(self, scope: int, method: int) -> bool:
        """Whether instances of the class `scope`, below that of the method `method`, run that."""
        having = self._having[self._project.scopes[method].name]
        for number in self.line(scope):
            found = having.get(number, NONE)
            if found == method:
                return True
            if found != NONE and not self._passes_on(found):
                return False
        return False

    def _passes_on(self, method: int) -> bool:
        """Whether the method `method` names an attribute as itself: `super().close`, `Base.close`."""
        file = self._project.file_of[method]
        found = self._passing.get(file.number)
        if found is None:
            owners = [self._project.owner(file.first_scope + n) for n in range(len(file.scopes))]
            names = [self._project.scopes[owner].name for owner in owners]
            found = self._passing[file.number] = frozenset(
                owners[expr.scope]
                for expr in file.exprs
                if expr.op == ATTRIBUTE and expr.text == names[expr.scope]
            )
        return method in found

    def _find_methods(self, scope: int) -> dict[str, int]:
        project = self._project
        first = project.file_of[scope].first_scope
        found: dict[str, int] = {}
        for name, bindings in project.names[scope].items():
            for binding in project.without_overloads(scope, bindings):
                function = first + binding.value
                if binding.kind == DEFINITION and project.scopes[function].kind == FUNCTION:
                    found[name] = function
                    break
        return found

    def _find_bases(self, scope: int) -> tuple[int, ...]:
        found: dict[int, None] = {}
        file = self._project.file_of[scope]
        for base in self._project.scopes[scope].bases:
            expr = file.exprs[base]
            if expr.op == KEYWORD:
                continue
            if expr.op == SUBSCRIPT:
                base = expr.args[0]
            values = self._inference.of(file, base, 1)
            inside = [value.scope for value in values if isinstance(value, Class)]
            if not inside:
                self._outside.setdefault(scope, []).append(file.last_name(base))
            found.update((number, None) for number in inside if number != scope)
        return tuple(found)

    def _is_open_ended(self, scope: int) -> bool:
        self.bases(scope)
        return scope in self._outside

    def _linearise(self, scope: int, height: int, above: set[int]) -> tuple[int, ...]:
        known = self._lines.get(scope)
        if known is not None:
            return known
        bases = [base for base in self.bases(scope) if base not in above and base != scope]
        if not bases or height > MAX_HEIGHT:
            return (scope,)
        inner = above | {scope}
        if len(bases) == 1:  # as most classes have: nothing to merge
            line = self._linearise(bases[0], height + 1, inner)
            return (scope, *(number for number in line if number != scope))
        lines = [self._linearise(base, height + 1, inner) for base in bases]
        merged = _merge([*lines, tuple(bases)])
        if merged is None:
            merged = list(dict.fromkeys(number for line in lines for number in line))
        return (scope, *(number for number in merged if number != scope))

    def _direct_subclasses(self) -> dict[int, list[int]]:
        if self._subclasses is None:
            self._subclasses = {}
            for number, scope in enumerate(self._project.scopes):
                if scope.kind == CLASS and scope.bases:
                    for base in self.bases(number):
                        self._subclasses.setdefault(base, []).append(number)
        return self._subclasses


def _first(having: dict[int, int], classes: tuple[int, ...]) -> int:
    for scope in classes:
        if scope in having:
            return having[scope]
    return NONE


def _merge(lines: Sequence[Sequence[int]]) -> list[int] | None:
    """Return the C3 merge of `lines`, None when their orders contradict each other."""
    rest = [list(line) for line in lines if line]
    merged: list[int] = []
    while rest:
        behind = {number for line in rest for number in line[1:]}
        head = next((line[0] for line in rest if line[0] not in behind), None)
        if head is None:
            return None
        merged.append(head)
        rest = [kept for line in rest if (kept := line[1:] if line[0] == head else line)]
    return merged
