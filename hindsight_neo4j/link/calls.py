"""Call sites: whom they reach, and how sure that is.

    app.run()       a method of what `app` is, and its overrides where only a declaration says what it is
    Box(1)          the class and its constructor
    sorted(key=f)   `f` too, which `sorted` calls in place
    @register("x")  whatever `register("x")` gives: applying a decorator is a call from around the decorated

Where nothing is known about a receiver, a method whose name only one class of the project has is taken, unless a
built-in type has a method of that name. Never all namesakes: what stays open is counted on the caller.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from hindsight_neo4j.link.attributes import attribute
from hindsight_neo4j.link.edges import MAX_OVERRIDES, EdgeTable, Target, confidence
from hindsight_neo4j.link.infer import Inference
from hindsight_neo4j.link.numbers import ATTRIBUTE, CALL, CLASS, NAME
from hindsight_neo4j.link.project import ByOp, SourceFile
from hindsight_neo4j.link.results import argument_at
from hindsight_neo4j.link.values import (
    BoundMethod,
    Builtin,
    Class,
    External,
    Function,
    Instance,
    Module,
    Super,
    Value,
    Values,
)
from hindsight_neo4j.model.facts import NONE, Expr
from hindsight_neo4j.model.graph import TIER_CONFIDENCE, EdgeKind, How, Tier


class Reach(msgspec.Struct, frozen=True, gc=False):
    """What one call site reaches."""

    edges: tuple[tuple[int, Tier, How, float], ...]
    externals: tuple[str, ...]
    is_known: bool
    """Something is known about the callee, be it that it is nothing of the project."""
    is_guessable: bool
    """The callee is an attribute of something that nothing is known about."""


class Unresolved:
    """Call sites that no edge stands for, by caller."""

    def __init__(self) -> None:
        self.names: dict[int, dict[str, int]] = {}

    def add(self, caller: int, name: str) -> None:
        """Count one call site of `caller` whose callee is called `name` ("" when it has no name)."""
        names = self.names.get(caller)
        if names is None:
            names = self.names[caller] = {}
        names[name] = names.get(name, 0) + 1


class Calls:
    """Resolves call sites of one project into INVOKES edges."""

    def __init__(self, inference: Inference, edges: EdgeTable) -> None:
        self._inference = inference
        self._project = inference.project
        self._invokes = edges.of_kind(EdgeKind.INVOKES)
        self._by_receivers: dict[tuple[Values, str, How], Reach] = {}
        self._by_values: dict[tuple[Values, How], Reach] = {}
        self._methods = _methods_by_name(inference)
        self.unresolved = Unresolved()

    def add_file(self, file: SourceFile, by_op: ByOp) -> None:
        """Add the edges of every call site and decorator of `file`."""
        decorators = self._add_decorators(file)
        owners = self._inference.stubs.owners(file)
        exprs, how, add = file.exprs, How.CALL, self._add_call
        for index in by_op[CALL]:
            expr = exprs[index]
            add(file, expr, owners[expr.scope], How.DECORATOR if index in decorators else how)

    # ------------------------------------------------------------------ one site

    def _add_call(self, file: SourceFile, call: Expr, caller: int, how: How) -> None:
        index = call.args[0]
        callee = file.exprs[index]
        reach = self._reach(file, index, callee, how)
        if callee.text in self._inference.in_place[file.language.name] and callee.op in _NAMED:
            self._add_callbacks(file, call, callee.text, caller, reach)
        for scope, tier, how, sure in reach.edges:
            self._invokes.add(caller, scope, call.line, how, tier, sure)
        for name in reach.externals:
            self._invokes.add(caller, name, call.line, How.CALL)
        if not reach.is_known:
            self._add_guess(file, call, callee, caller, reach.is_guessable)

    def _add_guess(
        self, file: SourceFile, call: Expr, callee: Expr, caller: int, is_guessable: bool
    ) -> None:
        """Add the only method that a call of something unknown can mean, else count the site."""
        name = callee.text if callee.op in _NAMED else ""
        method = self._only_method(file, name) if is_guessable else NONE
        if method == NONE:
            self.unresolved.add(caller, name)
        else:
            self._invokes.add(caller, method, call.line, How.CALL, Tier.UNIQUE)

    def _reach(self, file: SourceFile, index: int, callee: Expr, how: How) -> Reach:
        """Return what calling `callee` reaches; equal receivers reach the same by the same name."""
        if callee.op == ATTRIBUTE:
            receivers, name = self._inference.of(file, callee.args[0]), callee.text
            read = (receivers, name, how)
            found = self._by_receivers.get(read)
            if found is None:
                found = self._by_receivers[read] = self._of_attribute(receivers, name, how)
            return found
        return self._of_value(self._inference.of(file, index), how)

    def _of_value(self, values: Values, how: How) -> Reach:
        """Return what calling one of `values` reaches."""
        key = (values, how)
        found = self._by_values.get(key)
        if found is None:
            targets = [target for value in values for target in self._targets(value, False, how)]
            found = self._by_values[key] = self._weighed(targets, values, False)
        return found

    def _of_attribute(self, receivers: Values, name: str, how: How) -> Reach:
        """Return what calling the attribute `name` of `receivers` reaches."""
        targets: list[Target] = []
        values: list[Value] = []
        for receiver in receivers:
            read = attribute(self._inference, receiver, name, 0)
            above = isinstance(receiver, Super)
            for value in read:
                targets += self._targets(value, above, how)
            values += read
        targets += self._overriding(receivers, name, targets)
        is_guessable = not any(isinstance(receiver, _KNOWN) for receiver in receivers)
        return self._weighed(targets, values, is_guessable)

    def _targets(self, value: Value, above: bool, how: How) -> list[Target]:
        """Return what calling `value` reaches; `above`: it was read from the classes above."""
        if isinstance(value, Function):
            return [Target(value.scope, Tier.DIRECT, how)]
        if isinstance(value, BoundMethod):
            tier = Tier.DECLARED if self._project.is_abstract(value.scope) else Tier.TYPED
            return [Target(value.scope, tier, How.SUPER if above else how)]
        if isinstance(value, Class):
            return [
                Target(value.scope, self._class_tier(value), How.NEW if how is How.CALL else how)
            ]
        if isinstance(value, Instance):
            names = self._project.file_of[value.scope].rules.call_methods
            return [Target(method, Tier.TYPED, how) for method in self._first(value.scope, names)]
        return []

    def _class_tier(self, value: Class) -> Tier:
        """Return how sure it is that this class is built, and no subclass, where only a declaration names it."""
        if not value.open:
            return Tier.DIRECT
        return Tier.OVERRIDE if self._inference.hierarchy.subclasses(value.scope) else Tier.TYPED

    def _first(self, scope: int, names: Sequence[str]) -> tuple[int, ...]:
        """Return the first of the methods `names` on the line of the class `scope`."""
        for name in names:
            method = self._inference.hierarchy.first_method(scope, name)
            if method != NONE:
                return (method,)
        return ()

    def _overriding(self, receivers: Values, name: str, targets: Sequence[Target]) -> list[Target]:
        """Return the methods that subclasses of receivers known by declaration only have under `name`."""
        found: dict[int, None] = {}
        for receiver in receivers:
            if isinstance(receiver, (Instance, Class)) and receiver.open:
                for method in self._inference.hierarchy.overrides(receiver.scope, name):
                    found[method] = None
        if not found:
            return []
        for target in targets:
            found.pop(target.scope, None)
        return [
            Target(
                method,
                Tier.DECLARED if self._project.is_abstract(method) else Tier.OVERRIDE,
                How.OVERRIDE,
            )
            for method in found
        ]

    def _weighed(
        self, targets: Sequence[Target], values: Sequence[Value], is_guessable: bool
    ) -> Reach:
        """Return `targets` with their confidence, and the constructors of the classes among them.

        Where a subclass may be built, the constructor is surer than the class: most subclasses inherit it.
        """
        if not targets:
            externals = [f"ext:{value.name}" for value in values if isinstance(value, External)]
            return Reach((), tuple(externals), bool(values), is_guessable)
        count = len({target.scope for target in targets})
        weighed = []
        for target in targets:
            scope, tier, how = target.scope, target.tier, target.how
            if count > MAX_OVERRIDES and tier is not Tier.DECLARED:
                tier = Tier.MANY
            sure = confidence(tier, count)
            weighed.append((scope, tier, how, sure))
            if self._project.scopes[scope].kind == CLASS:
                names = self._project.file_of[scope].rules.constructors
                if tier is Tier.OVERRIDE:
                    tier, sure = Tier.TYPED, TIER_CONFIDENCE[Tier.TYPED]
                weighed += [(method, tier, how, sure) for method in self._first(scope, names)]
        return Reach(tuple(weighed), (), True, is_guessable)

    def _only_method(self, file: SourceFile, name: str) -> int:
        if name in file.rules.builtin_methods:
            return NONE
        found = self._methods.get(file.language.name, {}).get(name, [])
        if not file.is_test:
            found = [method for method in found if not self._project.file_of[method].is_test]
        return found[0] if len(found) == 1 else NONE

    # ------------------------------------------------------------------ decorators and callbacks

    def _add_decorators(self, file: SourceFile) -> frozenset[int]:
        """Add what applying the decorators of `file` calls; return their expressions."""
        seen: set[int] = set()
        for number, scope in enumerate(file.scopes):
            if not scope.decorators:
                continue
            around = self._project.owner(self._project.parent(file.first_scope + number))
            caller = self._inference.stubs.symbol(around)
            for expr in scope.decorators:
                seen.add(expr)
                reach = self._of_value(self._inference.of(file, expr), How.DECORATOR)
                line = file.exprs[expr].line
                for target, tier, how, sure in reach.edges:
                    self._invokes.add(caller, target, line, how, tier, sure)
                for name in reach.externals:
                    self._invokes.add(caller, name, line, How.DECORATOR)
        return frozenset(seen)

    def _add_callbacks(
        self, file: SourceFile, call: Expr, name: str, caller: int, reach: Reach
    ) -> None:
        """Add what a function that calls its arguments in place is given, unless it is one of the project."""
        if reach.edges:
            return
        for word in self._inference.in_place[file.language.name][name]:
            place = int(word) if word.isdecimal() else -1
            argument = argument_at(file, call, place, word)
            if argument == NONE:
                continue
            given = self._of_value(self._inference.of(file, argument), How.CALLBACK)
            line = file.exprs[argument].line
            for scope, tier, how, sure in given.edges:
                self._invokes.add(caller, scope, line, how, tier, sure)


_NAMED = frozenset({NAME, ATTRIBUTE})


_KNOWN = (Instance, Class, Super, Module, External, Builtin)
"""Receivers of which enough is known to say that a method they lack is nowhere else."""


def _methods_by_name(inference: Inference) -> dict[str, dict[str, list[int]]]:
    """Return the methods of all classes by language and name, each name of a class once."""
    found: dict[str, dict[str, list[int]]] = {}
    project = inference.project
    for number, scope in enumerate(project.scopes):
        if scope.kind != CLASS or inference.stubs.is_merged(number):
            continue
        table = found.setdefault(project.file_of[number].language.name, {})
        for name, method in inference.hierarchy.methods(number).items():
            table.setdefault(name, []).append(method)
    return found
