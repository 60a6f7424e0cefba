"""All facts of a snapshot, numbered: every scope and every expression of every file has one number of its own.

Files are taken in the order of their paths, so numbers, and all that is ordered by them, do not depend on the order in
which the facts came. Tables that only some scopes need (stores, children) are built when first asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from hindsight_neo4j.languages.language import Language, LanguageSet
from hindsight_neo4j.languages.link_rules import LinkRules
from hindsight_neo4j.model.facts import NONE, Binding, Expr, FileFacts, Import, Op, Scope
from hindsight_neo4j.model.numbers import (
    ATTRIBUTE,
    BLOCK,
    CALL,
    CLASS,
    DEFINITION,
    EITHER,
    FUNCTION,
    NAME,
    POSITIONAL,
    SUBSCRIPT,
)

NameTable = dict[str, list[Binding]]
ByOp = list[list[int]]
"""Expressions of a file by their `op`."""

_OPS: Final = range(max(Op) + 1)
_OP_OF: Final = attrgetter("op")


class SourceFile:
    """One file's facts and its place among the others."""

    __slots__ = (
        "abstract_places",
        "children",
        "directory",
        "exprs",
        "facts",
        "first_expr",
        "first_scope",
        "imports",
        "is_package",
        "is_test",
        "language",
        "number",
        "path",
        "rules",
        "scopes",
    )

    def __init__(
        self, number: int, facts: FileFacts, language: Language, first_scope: int, first_expr: int
    ) -> None:
        self.number = number
        self.facts = facts
        self.path = facts.path
        self.directory, _, name = facts.path.rpartition("/")
        self.is_package = name in language.package_files
        self.is_test = language.is_test_path(facts.path)
        self.language = language
        self.rules: LinkRules = language.link
        self.scopes: tuple[Scope, ...] = facts.scopes
        self.exprs: tuple[Expr, ...] = facts.exprs
        self.imports: tuple[Import, ...] = facts.imports
        self.first_scope = first_scope
        self.first_expr = first_expr
        self.children: list[list[int]] | None = None
        self.abstract_places: frozenset[tuple[int, int]] | None = None

    def close(self) -> None:
        """Let go of the facts, whoever still knows this file."""
        self.facts = _NO_FACTS
        self.scopes, self.exprs, self.imports = (), (), ()
        self.children = self.abstract_places = None

    def by_op(self) -> ByOp:
        """Return the expressions by what they are, each list in the file's order."""
        found: list[list[int]] = [[] for _ in _OPS]
        append_to = [indexes.append for indexes in found]
        for index, op in enumerate(map(_OP_OF, self.exprs)):
            append_to[op](index)
        return found

    def last_name(self, expr: int) -> str:
        """Return the name that the expression ends in: `b` for `a.b`, `a.b()` and `a.b[c]`; "" without one."""
        while expr != NONE:
            found = self.exprs[expr]
            if found.op in _NAMED:
                return found.text
            if found.op not in _APPLIED:
                break
            expr = found.args[0]
        return ""


_NO_FACTS: Final = FileFacts("", "", "", 0, (), (), (), None, (), ())

_NAMED = frozenset({NAME, ATTRIBUTE})
_APPLIED = frozenset({CALL, SUBSCRIPT})


class Project:
    """The files of a snapshot and the scopes in them."""

    def __init__(self, files: Sequence[FileFacts], languages: LanguageSet) -> None:
        self.files: list[SourceFile] = []
        self.scopes: list[Scope] = []
        self.file_of: list[SourceFile] = []
        first_expr = 0
        for facts in sorted(files, key=lambda facts: facts.path):
            language = languages[facts.language]
            file = SourceFile(len(self.files), facts, language, len(self.scopes), first_expr)
            self.files.append(file)
            self.scopes.extend(facts.scopes)
            self.file_of.extend([file] * len(facts.scopes))
            first_expr += len(facts.exprs)
        self.expr_count = first_expr
        self.paths = {file.path: file for file in self.files}
        self.outer = self._outer_scopes()
        self.names = [
            _name_table(scope) if scope.bindings else _NO_BINDINGS for scope in self.scopes
        ]
        """The bindings of each scope by name, each list in source order."""
        self._decorators: dict[int, frozenset[str]] = {}
        self._receivers: dict[int, str] = {}
        self._abstract: dict[int, bool] = {}

    def close(self) -> None:
        """Let go of the facts and of all tables about them."""
        for file in self.files:
            file.close()
        for table in (self.files, self.scopes, self.file_of, self.outer, self.names):
            table.clear()

    def _outer_scopes(self) -> list[int]:
        """Return for each scope the one where a name is looked for next: class bodies are not seen from inside."""
        outer = [NONE] * len(self.scopes)
        for number, scope in enumerate(self.scopes):
            if scope.parent == NONE:
                continue
            parent = self.file_of[number].first_scope + scope.parent
            while self.scopes[parent].kind == CLASS:
                parent = self.parent(parent)
            outer[number] = parent
        return outer

    def parent(self, scope: int) -> int:
        """Return the scope around `scope`, NONE for a module."""
        parent = self.scopes[scope].parent
        return parent if parent == NONE else self.file_of[scope].first_scope + parent

    def owner(self, scope: int) -> int:
        """Return the nearest scope that is a symbol or a module: `scope` itself unless it is a BLOCK."""
        while self.scopes[scope].kind == BLOCK:
            scope = self.parent(scope)
        return scope

    def look_up(self, scope: int, text: str) -> tuple[int, Sequence[Binding]]:
        """Return the scope whose name `text` is where `scope` reads it, and its bindings there.

        Without any the scope is the outermost, the module.
        """
        names, outer = self.names, self.outer
        bindings = names[scope].get(text)
        while not bindings:
            around = outer[scope]
            if around == NONE:
                return scope, ()
            scope = around
            bindings = names[scope].get(text)
        return scope, bindings

    def children(self, scope: int) -> list[int]:
        """Return the scopes right inside `scope`, in source order."""
        file = self.file_of[scope]
        if file.children is None:
            file.children = [[] for _ in file.scopes]
            for number, inner in enumerate(file.scopes):
                if inner.parent != NONE:
                    file.children[inner.parent].append(file.first_scope + number)
        return file.children[scope - file.first_scope]

    def without_overloads(self, scope: int, bindings: Sequence[Binding]) -> Sequence[Binding]:
        """Return `bindings` without signatures that never run and without additions to a property."""
        if len(bindings) == 1:
            return bindings
        file = self.file_of[scope]
        kept = [
            binding
            for binding in bindings
            if binding.kind != DEFINITION
            or file.rules.never_called.isdisjoint(self.decorators(file.first_scope + binding.value))
        ]
        return kept or bindings

    def is_method(self, scope: int) -> bool:
        """Whether `scope` is a function right inside a class."""
        found = self.scopes[scope]
        if found.kind != FUNCTION or found.parent == NONE:
            return False
        return self.file_of[scope].scopes[found.parent].kind == CLASS

    def class_around(self, scope: int) -> int:
        """Return the class whose method `scope` is or lies in, NONE without one."""
        while scope != NONE:
            if self.is_method(scope):
                return self.parent(scope)
            scope = self.parent(scope)
        return NONE

    def decorators(self, scope: int) -> frozenset[str]:
        """Return the last names of the decorators of `scope`."""
        if not self.scopes[scope].decorators:
            return _NO_NAMES
        found = self._decorators.get(scope)
        if found is None:
            file = self.file_of[scope]
            found = frozenset(file.last_name(expr) for expr in self.scopes[scope].decorators)
            self._decorators[scope] = found
        return found

    def receiver_name(self, scope: int) -> str:
        """Return what the method `scope` calls its receiver, "" when it has none."""
        found = self._receivers.get(scope)
        if found is None:
            found = self._receivers[scope] = self._find_receiver(scope)
        return found

    def _find_receiver(self, scope: int) -> str:
        parameters = self.scopes[scope].parameters
        if not parameters or parameters[0].kind not in _POSITIONAL or not self.is_method(scope):
            return ""
        if self.is_static(scope):
            return ""
        return parameters[0].name

    def receiving(self, file: SourceFile, expr: int) -> int:
        """Return the method whose receiver `expr` of `file` is, NONE without one."""
        found = file.exprs[expr]
        if found.op != NAME:
            return NONE
        around, bindings = self.look_up(file.first_scope + found.scope, found.text)
        return around if bindings and self.receiver_name(around) == found.text else NONE

    def is_class_method(self, scope: int) -> bool:
        """Whether the receiver of the method `scope` is the class."""
        rules = self.file_of[scope].rules
        if self.scopes[scope].name in rules.class_methods:
            return True
        return not self.decorators(scope).isdisjoint(rules.class_decorators)

    def is_static(self, scope: int) -> bool:
        """Whether the method `scope` has no receiver."""
        return not self.decorators(scope).isdisjoint(self.file_of[scope].rules.static_decorators)

    def is_property(self, scope: int) -> bool:
        """Whether the function `scope` reads like an attribute."""
        if not self.scopes[scope].decorators:
            return False
        endings = self.file_of[scope].rules.property_endings
        return any(name.endswith(endings) for name in self.decorators(scope))

    def is_abstract(self, scope: int) -> bool:
        """Whether subclasses must define the function `scope`: it says so, or all it does is to raise."""
        found = self._abstract.get(scope)
        if found is None:
            found = self._abstract[scope] = self._find_abstract(scope)
        return found

    def _find_abstract(self, scope: int) -> bool:
        file, found = self.file_of[scope], self.scopes[scope]
        rules = file.rules
        if not self.decorators(scope).isdisjoint(rules.abstract_decorators):
            return True
        if (
            found.returns
            or found.yields
            or found.stores
            or len(found.bindings) > len(found.parameters)
        ):
            return False
        lines = file.facts.statement_lines
        body = lines[bisect_right(lines, found.name_line) : bisect_right(lines, found.end_line)]
        if len(body) > (1 if not found.doc else 2):
            return False
        last = body[-1] if body else found.name_line
        return (scope - file.first_scope, last) in self._abstract_places(file)

    def _abstract_places(self, file: SourceFile) -> frozenset[tuple[int, int]]:
        """Return where errors that stand for a missing body are named: (scope, line) in `file`."""
        if file.abstract_places is None:
            errors = file.rules.abstract_errors
            file.abstract_places = frozenset(
                (expr.scope, expr.line)
                for expr in file.exprs
                if expr.text in errors and expr.op == NAME
            )
        return file.abstract_places


def _name_table(scope: Scope) -> NameTable:
    table: NameTable = {}
    for binding in scope.bindings:
        table.setdefault(binding.name, []).append(binding)
    return table


_NO_NAMES: frozenset[str] = frozenset()
_NO_BINDINGS: NameTable = {}
_POSITIONAL = frozenset({POSITIONAL, EITHER})
