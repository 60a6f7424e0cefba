"""Uses of symbols that are no call in the text: properties, operators, `with`, loops, and names passed on.

box.size        INVOKES the property
a + b           INVOKES `__add__` of what `a` is known to be; the same for `with`, loops and elements
register(f)     REFERENCES f: so do tables, assignments, class attributes and annotations
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

from hindsight_neo4j.languages.confidence import LATE
from hindsight_neo4j.link.attributes import find_made, find_methods
from hindsight_neo4j.link.calls import MAX_SURE
from hindsight_neo4j.link.edges import EdgeTable
from hindsight_neo4j.link.infer import Inference
from hindsight_neo4j.link.project import ByOp, SourceFile
from hindsight_neo4j.link.results import unwrapped
from hindsight_neo4j.link.values import (
    BoundMethod,
    Builtin,
    Class,
    Function,
    Instance,
    Super,
    Value,
    Values,
)
from hindsight_neo4j.model.facts import NONE, Expr, Scope
from hindsight_neo4j.model.graph import EdgeKind, How, Tier
from hindsight_neo4j.model.numbers import (
    ATTRIBUTE,
    CALL,
    CLASS,
    ENTER,
    FUNCTION,
    ITERATE,
    KEYWORD,
    NAME,
    OPERATOR,
    PARAMETER,
    SUBSCRIPT,
    VALUE,
)


class Uses:
    """Turns uses in one project into INVOKES and REFERENCES edges."""

    def __init__(self, inference: Inference, edges: EdgeTable) -> None:
        self._inference = inference
        self._project = inference.project
        self._invokes = edges.of_kind(EdgeKind.INVOKES)
        self._references = edges.of_kind(EdgeKind.REFERENCES)
        self._waiting: list[Callable[[], None]] = []
        self._is_settled = False
        self._first: dict[int, Values] = {}
        """What things were, by expression, before anything flowed, where that waits."""
        self._readers: dict[int, Sequence[int]] = {}
        self._symbols: set[str] = set()
        self._methods: set[str] = set()
        self._properties: set[str] = set()
        self._made: set[str] = set()
        """Names that hold what a call made, a property or the like."""
        kinds = self._descriptor_kinds()
        for number, scope in enumerate(self._project.scopes):
            if scope.kind in _SYMBOLS:
                self._symbols.add(scope.name)
                if scope.kind == CLASS:
                    file = self._project.file_of[number]
                    self._made |= _made(file, scope, file.rules.property_functions | kinds)
                if self._project.is_method(number):
                    self._methods.add(scope.name)
                    if self._project.is_property(number):
                        self._properties.add(scope.name)
        self._running = {
            language: {
                function: method for function, method in table.items() if method in self._methods
            }
            for language, table in inference.running.items()
        }

    def add_file(self, file: SourceFile, by_op: ByOp) -> None:
        """Add the edges of every use in `file`; those that rest on what flows wait for `finish`."""
        self._inference.begin(None)
        roles = _roles(file, by_op)
        stored = {store.target for scope in file.scopes for store in scope.stores}
        owners = self._inference.stubs.owners(file)
        self._add_names(file, by_op[NAME], owners, roles)
        self._add_attributes(file, by_op[ATTRIBUTE], owners, roles, stored)
        for op, how, names, is_set in self._implicit(file):
            for index in by_op[op] if names else ():
                if is_set == (index in stored):
                    expr = file.exprs[index]
                    caller = owners[expr.scope]
                    self._add_implicit(file, expr.args[0], expr.line, caller, how, names)
        self._add_run(file, by_op[CALL], owners)
        self._add_steps(file, by_op[ITERATE], owners)
        common = set(self._running[file.language.name].values())
        for index in by_op[OPERATOR]:
            expr = file.exprs[index]
            caller, at = owners[expr.scope], expr.args[0]
            if expr.text in common:
                self._add_run_of(file, at, expr.line, caller, expr.text)
            elif expr.text in self._methods:
                self._add_implicit(file, at, expr.line, caller, How.OPERATOR, (expr.text,))

    def _descriptor_kinds(self) -> set[str]:
        """Return the names of the classes whose instances run a method where an attribute that holds one is read or set."""
        found = set()
        for number, scope in enumerate(self._project.scopes):
            if scope.kind == CLASS:
                rules = self._project.file_of[number].rules
                names = (*rules.descriptor_methods, *rules.descriptor_setters)
                if self._inference.hierarchy.first_of(number, names) != NONE:
                    found.add(scope.name)
        return found

    def finish(self) -> None:
        """Add the edges that waited until values had flowed."""
        self._is_settled = True
        for add in self._waiting:
            add()
        self._waiting.clear()  # each knows this object, so they would wait for the cycle collector

    def _receivers(self, file: SourceFile, at: int) -> Values | None:
        """Return what the expression `at` is; None where that rests on cells, so that it has to wait."""
        mark = self._inference.mark()
        receivers = self._inference.of(file, at)
        if self._is_settled or not self._inference.is_open(mark):
            return receivers
        self._first[file.first_expr + at] = receivers
        return None

    def _tier(self, file: SourceFile, at: int, receivers: Values, receiver: Value) -> Tier:
        """Return how sure it is that `receiver`, one of `receivers`, is what the expression `at` is."""
        first = self._first.get(file.first_expr + at)
        flowed = first is not None and receiver not in first
        return Tier.FLOW if flowed or len(receivers) > MAX_SURE else Tier.TYPED

    def _implicit(self, file: SourceFile) -> list[tuple[int, How, tuple[str, ...], bool]]:
        """Return what syntax calls which methods, as far as some class has them, and whether where a value is given."""
        rules = file.rules
        ways = (
            (ENTER, How.WITH, rules.enter_methods + rules.exit_methods, False),
            (ITERATE, How.ITERATION, rules.iterate_methods, False),
            (SUBSCRIPT, How.OPERATOR, rules.item_methods, False),
            (SUBSCRIPT, How.OPERATOR, rules.item_setters, True),
        )
        return [
            (op, how, tuple(name for name in names if name in self._methods), is_set)
            for op, how, names, is_set in ways
        ]

    def _add_attributes(
        self,
        file: SourceFile,
        indexes: list[int],
        owners: list[int],
        roles: bytearray,
        stored: set[int],
    ) -> None:
        exprs, symbols = file.exprs, self._symbols
        properties = self._properties | self._made
        for index in indexes:
            expr = exprs[index]
            if expr.text in properties:
                self._add_property(file, expr, owners[expr.scope], index in stored)
            if expr.text in symbols and not roles[index] & _SILENT:
                self._add_member(file, index, owners[expr.scope], roles[index])

    def _add_member(self, file: SourceFile, index: int, caller: int, role: int) -> None:
        """Add what an attribute that is passed on names."""
        expr = file.exprs[index]
        receivers = self._receivers(file, expr.args[0])
        if receivers is None:
            self._waiting.append(partial(self._add_member, file, index, caller, role))
        elif receivers:
            self._add_reference(self._inference.of(file, index), expr, caller, role)

    def _add_names(
        self, file: SourceFile, indexes: list[int], owners: list[int], roles: bytearray
    ) -> None:
        exprs, named = file.exprs, self._names_of_symbols(file, indexes)
        seen: dict[tuple[int, str], Values] = {}
        for index in indexes:
            expr = exprs[index]
            if expr.text not in named or roles[index] & _SILENT:
                continue
            place = (expr.scope, expr.text)
            values = seen.get(place)
            if values is None:
                values = self._symbols_named(file.first_scope + expr.scope, expr.text)
                seen[place] = values
            if values:
                self._add_reference(values, expr, owners[expr.scope], roles[index])

    def _names_of_symbols(self, file: SourceFile, indexes: list[int]) -> set[str]:
        """Return the names that can mean a class or a function in `file`.

        A definition or an import brings such a name; all names that are read, where a star or a stub brings some that
        `file` does not spell out.
        """
        members, stubs = self._inference.members, self._inference.stubs
        if members.stars(file) or file.number in stubs.file_of:
            return {file.exprs[index].text for index in indexes}
        return {
            binding.name
            for scope in file.scopes
            for binding in scope.bindings
            if binding.kind not in _ASSIGNED
        }

    def _symbols_named(self, scope: int, text: str) -> Values:
        """Return the classes and functions that `text` names in `scope` by definition or import."""
        project = self._project
        scope, bindings = project.look_up(scope, text)
        kinds = {binding.kind for binding in bindings}
        if kinds and kinds <= _ASSIGNED:
            return ()
        values = map(unwrapped, self._inference.name(scope, text))
        return tuple(value for value in values if isinstance(value, (Class, Function)))

    def _add_reference(self, values: Values, expr: Expr, caller: int, role: int) -> None:
        for value in values:
            if not isinstance(value, (Class, Function, BoundMethod)):
                continue
            scope = self._project.scopes[value.scope]
            if value.scope == caller or (expr.op == ATTRIBUTE and scope.name != expr.text):
                continue
            is_callback = role & _PASSED and scope.kind == FUNCTION
            how = How.CALLBACK if is_callback else How.NAME
            self._references.add(caller, value.scope, expr.line, how)

    def _add_property(self, file: SourceFile, expr: Expr, caller: int, is_stored: bool) -> None:
        receivers = self._receivers(file, expr.args[0])
        if receivers is None:
            self._waiting.append(partial(self._add_property, file, expr, caller, is_stored))
            return
        for receiver in receivers:
            if not isinstance(receiver, (Instance, Super)):
                continue
            methods = find_methods(self._inference, receiver, expr.text)
            method = self._accessor(file, methods, is_stored)
            if method != NONE:
                tier = self._tier(file, expr.args[0], receivers, receiver)
                readers = self._descriptors(file, method)
                for reader in readers:
                    self._invokes.add(caller, reader, expr.line, How.PROPERTY, tier)
                how, sure = How.PROPERTY, LATE if readers else 0.0
                self._invokes.add(
                    caller, method, expr.line, how, Tier.FLOW if readers else tier, sure
                )
            elif expr.text in self._made:
                tier = self._tier(file, expr.args[0], receivers, receiver)
                for made in find_made(self._inference, receiver, expr.text, is_stored):
                    self._invokes.add(caller, made, expr.line, How.PROPERTY, tier)

    def _descriptors(self, file: SourceFile, method: int) -> Sequence[int]:
        """Return the methods of the project's own kinds of property that run when `method` is read, and it by them."""
        found = self._readers.get(method)
        if found is None:
            home, names = self._project.file_of[method], file.rules.descriptor_methods
            kinds = [
                value.scope
                for decorator in self._project.scopes[method].decorators
                for value in self._inference.of(home, decorator)
                if isinstance(value, Class)
            ]
            readers = (self._inference.hierarchy.first_of(kind, names) for kind in kinds)
            found = self._readers[method] = [reader for reader in readers if reader != NONE]
        return found

    def _accessor(self, file: SourceFile, methods: tuple[int, ...], is_stored: bool) -> int:
        """Return the one of a property's functions that reading it calls, or, `is_stored`, setting it."""
        for method in methods:
            fits = (
                not self._project.decorators(method).isdisjoint(file.rules.setter_decorators)
                if is_stored
                else self._project.is_property(method)
            )
            if fits:
                return method
        return NONE

    def _add_run(self, file: SourceFile, calls: list[int], owners: list[int]) -> None:
        """Add the methods that built-in functions run of their argument: `len(box)`."""
        exprs, running = file.exprs, self._running[file.language.name]
        for index in calls:
            call = exprs[index]
            callee = exprs[call.args[0]]
            method = running.get(callee.text)
            if method is None or callee.op != NAME or len(call.args) == 1:
                continue
            if self._inference.of(file, call.args[0]) == (Builtin(callee.text),):
                self._add_run_of(file, call.args[1], call.line, owners[call.scope], method)

    def _add_run_of(self, file: SourceFile, at: int, line: int, caller: int, method: str) -> None:
        """Add the `method` of the expression `at` if that is one thing only: nearly everything has such a method."""
        receivers = self._receivers(file, at)
        if receivers is None:
            self._waiting.append(partial(self._add_run_of, file, at, line, caller, method))
        elif len(receivers) == 1:
            tier = self._tier(file, at, receivers, receivers[0])
            self._add_methods(receivers[0], caller, line, How.OPERATOR, (method,), tier)

    def _add_steps(self, file: SourceFile, loops: list[int], owners: list[int]) -> None:
        """Add the methods that give a loop its next element."""
        rules = file.rules
        steps = tuple(name for name in rules.next_methods if name in self._methods)
        for index in loops if steps else ():
            expr = file.exprs[index]
            self._add_step(file, expr, owners[expr.scope], steps)

    def _add_step(self, file: SourceFile, expr: Expr, caller: int, steps: tuple[str, ...]) -> None:
        receivers = self._receivers(file, expr.args[0])
        if receivers is None:
            self._waiting.append(partial(self._add_step, file, expr, caller, steps))
            return
        for receiver in receivers:
            if isinstance(receiver, Instance):
                names = file.rules.iterate_methods
                tier = self._tier(file, expr.args[0], receivers, receiver)
                for iterator in self._inference.call_method(receiver, names, 0):
                    self._add_methods(iterator, caller, expr.line, How.ITERATION, steps, tier)

    def _add_implicit(
        self, file: SourceFile, at: int, line: int, caller: int, how: How, names: tuple[str, ...]
    ) -> None:
        """Add those of the methods `names` that the expression `at` has, which syntax at `line` runs."""
        receivers = self._receivers(file, at)
        if receivers is None:
            self._waiting.append(partial(self._add_implicit, file, at, line, caller, how, names))
            return
        for receiver in receivers:
            tier = self._tier(file, at, receivers, receiver)
            self._add_methods(receiver, caller, line, how, names, tier)

    def _add_methods(
        self, value: Value, caller: int, line: int, how: How, names: tuple[str, ...], tier: Tier
    ) -> None:
        """Add those of the methods `names` that `value` has."""
        if isinstance(value, Instance):
            for name in names:
                for method in find_methods(self._inference, value, name)[:1]:
                    self._invokes.add(caller, method, line, how, tier)


_SYMBOLS = frozenset({CLASS, FUNCTION})
_ASSIGNED = frozenset({VALUE, PARAMETER})


def _made(file: SourceFile, scope: Scope, words: AbstractSet[str]) -> set[str]:
    """Return the names that the body of the class `scope` gives what a call of one of `words` makes."""
    exprs = file.exprs
    return {
        binding.name
        for binding in scope.bindings
        if binding.kind == VALUE
        and binding.value != NONE
        and exprs[binding.value].op == CALL
        and exprs[exprs[binding.value].args[0]].text in words
    }


_CALLED, _PASSED, _HEADER = 1, 2, 4
_SILENT = _CALLED | _HEADER
"""Called names have INVOKES edges, those in decorators and bases have edges of their own."""


def _roles(file: SourceFile, by_op: ByOp) -> bytearray:
    """Return what each expression of `file` is to the one around it."""
    roles = bytearray(len(file.exprs))
    for index in by_op[CALL]:
        args = file.exprs[index].args
        roles[args[0]] = _CALLED
        for argument in args[1:]:
            roles[argument] |= _PASSED
    for index in by_op[KEYWORD]:
        roles[file.exprs[index].args[0]] |= _PASSED
    for scope in file.scopes:
        for expr in scope.decorators + scope.bases:
            while expr != NONE:
                roles[expr] |= _HEADER
                args = file.exprs[expr].args
                expr = args[0] if args else NONE
    return roles
