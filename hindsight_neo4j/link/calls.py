"""Call sites: whom they reach, and how sure that is.

    app.run()       a method of what `app` is, and its overrides where only a declaration says what it is
    Box(1)          the class and its constructor
    sorted(key=f)   `f` too, which `sorted` calls in place
    @register("x")  whatever `register("x")` gives: applying a decorator is a call from around the decorated

Where nothing is known about a receiver, a method whose name only one class of the project has is taken, unless a
built-in type has a method of that name. Never all namesakes: what stays open is counted on the caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from hindsight_neo4j.languages.confidence import LATE
from hindsight_neo4j.link.attributes import attribute
from hindsight_neo4j.link.dispatch import Dispatch
from hindsight_neo4j.link.edges import MAX_OVERRIDES, EdgeTable
from hindsight_neo4j.link.holders import union
from hindsight_neo4j.link.infer import Inference
from hindsight_neo4j.link.project import ByOp, SourceFile
from hindsight_neo4j.link.records import Entrance, Reach, Site, Target
from hindsight_neo4j.link.results import (
    argument_at,
    decorated,
    filled,
    places_bound,
    places_given,
    unwrapped,
)
from hindsight_neo4j.link.values import (
    BoundMethod,
    Builtin,
    Class,
    External,
    Function,
    Instance,
    Lambda,
    Module,
    Partial,
    Super,
    Value,
    Values,
)
from hindsight_neo4j.model.facts import NONE, Expr
from hindsight_neo4j.model.graph import EdgeKind, How, Tier
from hindsight_neo4j.model.numbers import (
    ATTRIBUTE,
    AWAIT,
    CALL,
    CLASS,
    ENTER,
    ITERATE,
    NAME,
    RAISE,
    SPREAD,
    UNPACK,
    YIELD,
)

MAX_SURE = 2
"""Most targets of one call site that are as sure as what they were read from."""

MAX_LAMBDAS = 3
"""Functions without a name that call each other and are looked into."""


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
        self._confidences = edges.confidences
        self._by_receivers: dict[tuple[Values, str, How, int], Reach] = {}
        self._by_values: dict[tuple[Values, How, str], Reach] = {}
        self._by_targets: dict[object, Reach] = {}
        self._dispatch = Dispatch(inference)
        self._methods = _methods_by_name(inference)
        self._open: list[Site] = []
        self._lambdas = 0
        self._guesses: list[tuple[SourceFile, int, int, bool]] = []
        self._callbacks: list[tuple[SourceFile, int, int]] = []
        self._late = frozenset(
            number
            for number, scope in enumerate(self._project.scopes)
            if (scope.yields or scope.is_async) and not scope.decorators
        )
        """Functions whose bodies run where what they give is walked over or awaited."""
        self._walked: dict[int, set[int]] = {}
        self._by_op: dict[int, ByOp] = {}
        self.unresolved = Unresolved()

    def add_file(self, file: SourceFile, by_op: ByOp) -> None:
        """Take in every call site and decorator of `file`; those that rest on nothing that flows get their edges."""
        self._by_op[file.number] = by_op
        decorators = self._add_decorators(file)
        owners = self._inference.stubs.owners(file)
        exprs = file.exprs
        in_place = self._inference.in_place[file.language.name]
        handing_on = self._inference.handing_on[file.language.name]
        for index in by_op[CALL]:
            expr = exprs[index]
            how = How.DECORATOR if index in decorators else How.CALL
            self._take(file, index, owners[expr.scope], how, NONE)
            callee = exprs[expr.args[0]]
            if callee.text in in_place and callee.op in _NAMED:
                self._callbacks.append((file, index, owners[expr.scope]))
                self._take(file, index, NONE, How.CALLBACK, NONE)
            if callee.text in handing_on and callee.op in _NAMED:
                self._take(file, index, NONE, How.CALL, NONE)
        for index in by_op[RAISE]:
            self._add_raised(file, exprs[index], owners[exprs[index].scope])

    def _add_raised(self, file: SourceFile, raised: Expr, caller: int) -> None:
        """Add the class that is built where it is raised by its name."""
        self._inference.begin(None)
        classes = tuple(
            value for value in self._inference.of(file, raised.args[0]) if isinstance(value, Class)
        )
        for scope, tier, how, sure in self._of_value(classes, How.CALL).edges:
            self._invokes.add(caller, scope, raised.line, how, tier, sure)

    def finish(self) -> None:
        """Let values flow, and add the edges of all call sites that waited for them."""
        self._inference.flow.settle(self._resolve_again)
        self._inference.begin(None)
        for site in self._open:
            if site.caller == NONE:
                continue
            self._add_edges(site.file, site.index, site.caller, site.reach, site.how, site.first)
            if site.decorated == NONE and not site.reach.is_known:
                self._guesses.append((site.file, site.index, site.caller, site.reach.is_guessable))
        for file, index, caller in self._callbacks:
            self._add_callbacks(file, file.exprs[index], caller)
        for file, index, caller, is_guessable in self._guesses:
            self._add_guess(file, file.exprs[index], caller, is_guessable)

    def _take(self, file: SourceFile, index: int, caller: int, how: How, decorated: int) -> None:
        mark = self._inference.begin(-1 - len(self._open))
        reach = self._reached(file, index, caller, how, decorated)
        _note(reach.entrance, file, index, how, decorated)
        if self._inference.is_open(mark):
            first = frozenset(edge[0] for edge in reach.edges)
            self._open.append(Site(file, index, caller, how, decorated, reach, first))
            return
        if caller == NONE:
            return
        self._add_edges(file, index, caller, reach, how, None)
        if decorated == NONE and not reach.is_known:
            self._guesses.append((file, index, caller, reach.is_guessable))

    def _resolve_again(self, keys: Iterable[int]) -> None:
        for key in keys:
            site = self._open[-1 - key]
            self._inference.begin(key)
            reach = self._reached(site.file, site.index, site.caller, site.how, site.decorated)
            if reach is not site.reach:
                site.reach = reach
                _note(reach.entrance, site.file, site.index, site.how, site.decorated)
                self._inference.flow.has_more(reach.entrance)

    def _add_edges(
        self,
        file: SourceFile,
        index: int,
        caller: int,
        reach: Reach,
        how: How,
        first: frozenset[int] | None,
    ) -> None:
        line = file.exprs[index].line
        for scope, tier, way, sure in reach.edges:
            if tier in _SEEN:
                if scope in self._late and how is How.CALL and not self._is_walked(file, index):
                    tier, sure = Tier.FLOW, LATE
                elif first is not None and scope not in first:
                    tier = Tier.FLOW
                    sure = self._confidences.of(tier, way, len(reach.edges))
            self._invokes.add(caller, scope, line, way, tier, sure)
        for name in reach.externals:
            self._invokes.add(caller, name, line, how)

    def _is_walked(self, file: SourceFile, index: int) -> bool:
        """Whether what the call `index` gives is walked over or awaited where it stands."""
        found = self._walked.get(file.number)
        if found is None:
            found = self._walked[file.number] = _walked(file, self._by_op[file.number])
        return index in found

    # ------------------------------------------------------------------ one site

    def _add_guess(self, file: SourceFile, call: Expr, caller: int, is_guessable: bool) -> None:
        """Add the only method that a call of something unknown can mean, else count the site."""
        callee = file.exprs[call.args[0]]
        name = callee.text if callee.op in _NAMED else ""
        method = self._only_method(file, name) if is_guessable else NONE
        if method == NONE:
            self.unresolved.add(caller, name)
        else:
            self._invokes.add(caller, method, call.line, How.CALL, Tier.UNIQUE)

    def _reached(
        self, file: SourceFile, index: int, caller: int, how: How, decorated: int
    ) -> Reach:
        """Return what a site reaches, without a `caller` the functions that it hands something on to."""
        if caller != NONE:
            return self._reach(file, _callee(file, index, decorated), how)
        call = file.exprs[index]
        if how is How.CALLBACK:
            given = [self._inference.of(file, each) for each in self._in_place(file, call)]
            return self._of_value(union(given), how)
        name = file.exprs[call.args[0]].text
        place = self._inference.handing_on[file.language.name][name] + 1
        if place >= len(call.args) or self._reach(file, call.args[0], how).edges:
            return self._of_value((), how)
        places = (1 if name in file.rules.partial_methods else 0) - place
        called = self._inference.of(file, call.args[place])
        return self._of_value(tuple(filled(value, places) for value in called), how)

    def _reach(self, file: SourceFile, index: int, how: How) -> Reach:
        """Return what calling the expression `index` reaches; equal receivers reach the same by the same name."""
        callee = file.exprs[index]
        if callee.op != ATTRIBUTE or callee.text in file.rules.class_attributes:
            name = callee.text if callee.op == NAME else ""
            return self._of_value(self._inference.of(file, index), how, name)
        receivers, name = self._inference.of(file, callee.args[0]), callee.text
        around = NONE
        if receivers:
            around = self._own_method(file, callee.args[0], receivers[0], name)
        if around != NONE:
            # The others are subclasses, and what these have in its place is found as overrides.
            receivers = receivers[:1]
        read = (receivers, name, how, around)
        found = self._by_receivers.get(read)
        if found is None:
            mark = self._inference.mark()
            found = self._of_attribute(receivers, name, how, around)
            if not self._inference.is_open(mark):
                self._by_receivers[read] = found
        return found

    def _of_value(self, values: Values, how: How, name: str = "") -> Reach:
        """Return what calling one of `values` by the name `name` reaches."""
        key = (values, how, name)
        found = self._by_values.get(key)
        if found is None:
            mark = self._inference.mark()
            targets = [
                target for value in values for target in self._targets(value, name, False, how)
            ]
            found = self._weighed(targets, values, False)
            if not self._inference.is_open(mark):
                self._by_values[key] = found
        return found

    def _own_method(self, file: SourceFile, receiver: int, value: Value, name: str) -> int:
        """Return the method whose own receiver `receiver` is, NONE if it is none or nothing takes the place of `name`."""
        if not isinstance(value, (Instance, Class)) or not value.open:
            return NONE
        if not self._inference.hierarchy.is_overridden(value.scope, name):
            return NONE
        return self._project.receiving(file, receiver)

    def _of_attribute(self, receivers: Values, name: str, how: How, around: int) -> Reach:
        """Return what calling the attribute `name` of `receivers` reaches; `around`: the method whose own they are."""
        targets: list[Target] = []
        values: list[Value] = []
        for receiver in receivers:
            read = attribute(self._inference, receiver, name, 0)
            above = isinstance(receiver, Super)
            for value in read:
                targets += self._targets(value, name, above, how)
            values += read
        targets += self._overriding(receivers, name, targets, around)
        is_guessable = not any(isinstance(receiver, _KNOWN) for receiver in receivers)
        return self._weighed(targets, values, is_guessable, around != NONE)

    def _targets(self, value: Value, name: str, above: bool, how: How) -> list[Target]:
        """Return what calling `value` by `name` reaches; `above`: it was read from the classes above."""
        if isinstance(value, Function):
            return [
                Target(value.scope, Tier.DIRECT, how, 0),
                *self._wrappers(value.scope, name, how),
                *self._chosen(value.scope, how, 0),
            ]
        if isinstance(value, BoundMethod):
            tier = Tier.MANY if value.is_like else Tier.TYPED
            if self._project.is_abstract(value.scope):
                tier = Tier.DECLARED
            way = How.SUPER if above else how
            bound = places_bound(self._inference, value)
            return [
                Target(value.scope, tier, way, bound, value.open),
                *self._wrappers(value.scope, name, way),
                *self._chosen(value.scope, way, bound),
            ]
        if isinstance(value, Class):
            new = How.NEW if how is How.CALL else how
            return [Target(value.scope, self._class_tier(value), new, 0, value.open)]
        if isinstance(value, Instance):
            return self._called(value, how)
        if isinstance(value, Lambda):
            return self._inside(value)
        if isinstance(value, Partial):
            return [
                msgspec.structs.replace(target, bound=target.bound + value.places)
                if target.bound is not None
                else target
                for target in self._targets(value.callee, name, above, how)
            ]
        return []

    def _chosen(self, scope: int, how: How, bound: int) -> list[Target]:
        """Return what the function `scope` hands on to by the type of its argument."""
        choices = self._dispatch.choices(scope)
        return [Target(choice, Tier.FLOW, how, bound) for choice in choices]

    def _wrappers(self, scope: int, name: str, how: How) -> list[Target]:
        """Return the functions that decorators put in the place of the function `scope`, if that is called by `name`."""
        found = self._project.scopes[scope]
        if not found.decorators or found.name != name:
            return []
        given = decorated(self._inference, scope, 0, 0)
        return [
            Target(value.scope, Tier.FLOW, how, None)
            for value in map(unwrapped, given)
            if isinstance(value, Function) and value.scope != scope
        ]

    def _called(self, value: Instance, how: How) -> list[Target]:
        """Return the methods that calling an instance runs."""
        names = self._project.file_of[value.scope].rules.call_methods
        found = []
        method = self._inference.hierarchy.first_of(value.scope, names)
        if method != NONE:
            is_abstract = self._project.is_abstract(method)
            found.append(Target(method, Tier.DECLARED if is_abstract else Tier.TYPED, how, 1))
        for name in names:
            found += self._overriding((value,), name, found, NONE)
        return found

    def _inside(self, value: Lambda) -> list[Target]:
        """Return what the call that a function without a name consists of reaches: it is no node of its own."""
        file = self._project.files[value.file]
        body = file.exprs[file.exprs[value.expr].args[0]]
        if body.op != CALL or self._lambdas == MAX_LAMBDAS:
            return []
        self._lambdas += 1
        reach = self._reach(file, body.args[0], How.CALL)
        self._lambdas -= 1
        return [Target(scope, tier, how, None) for scope, tier, how, _ in reach.edges]

    def _class_tier(self, value: Class) -> Tier:
        """Return how sure it is that this class is built, and no subclass, where only a declaration names it."""
        if not value.open:
            return Tier.DIRECT
        return Tier.OVERRIDE if self._inference.hierarchy.subclasses(value.scope) else Tier.TYPED

    def _overriding(
        self, receivers: Values, name: str, targets: list[Target], around: int
    ) -> list[Target]:
        """Return the methods `name` that subclasses have, where only a declaration says what is called, or `super`."""
        hierarchy = self._inference.hierarchy
        found: dict[int, None] = {}
        for receiver in receivers:
            if isinstance(receiver, (Instance, Class)) and receiver.open:
                if around == NONE:
                    found.update(dict.fromkeys(hierarchy.overrides(receiver.scope, name)))
                else:
                    found.update(dict.fromkeys(hierarchy.overrides_inside(around, name)))
            elif isinstance(receiver, Super):
                found.update(dict.fromkeys(hierarchy.next_beside(receiver.start, name)))
        if not found:
            return []
        for target in targets:
            found.pop(target.scope, None)
        return [
            Target(
                method,
                Tier.DECLARED if self._project.is_abstract(method) else Tier.OVERRIDE,
                How.OVERRIDE,
                1,
            )
            for method in found
        ]

    def _weighed(
        self,
        targets: list[Target],
        values: Sequence[Value],
        is_guessable: bool,
        is_own: bool = False,
    ) -> Reach:
        """Return `targets` with their confidence, and the constructors of the classes among them.

        Where a subclass may be built, the constructor is surer than the class: most subclasses inherit it.
        """
        count = len({target.scope for target in targets})
        is_abstract = any(target.tier is Tier.DECLARED for target in targets)
        sure, hierarchy = self._confidences.of, self._inference.hierarchy
        seen = len({target.scope for target in targets if target.tier in _SEEN})
        weighed: list[tuple[int, Tier, How, float]] = []
        entered: dict[tuple[int, int], None] = {}
        for target in targets:
            scope, how = target.scope, target.how
            tier = _tier(target, count, seen)
            if self._project.scopes[scope].kind != CLASS:
                own = is_own and how is How.OVERRIDE
                weighed.append((scope, tier, how, sure(tier, how, count, is_abstract, own)))
                if target.bound is not None:
                    entered[scope, target.bound] = None
                continue
            constructors = hierarchy.constructors(scope)
            outside = tier in _SEEN and not constructors and hierarchy.has_outside(scope)
            built = Tier.FLOW if outside else tier
            weighed.append((scope, built, how, sure(built, how, count, is_abstract)))
            for method in constructors:
                made = Tier.TYPED if tier is Tier.OVERRIDE else tier
                if made in _SEEN and self._project.parent(method) != scope:
                    made = Tier.FLOW
                weighed.append((method, made, how, sure(made, how, count, is_abstract)))
                entered[method, 1 + (target.bound or 0)] = None
        for value in values:
            given, value = places_given(value), unwrapped(value)
            if isinstance(value, Lambda):
                file = self._project.files[value.file]
                entered[file.first_scope + int(file.exprs[value.expr].text), given] = None
        called = map(unwrapped, values)
        externals = [f"ext:{value.name}" for value in called if isinstance(value, External)]
        is_known = bool(targets) or bool(values)
        key = (tuple(weighed), tuple(entered), tuple(externals), is_known, is_guessable)
        found = self._by_targets.get(key)
        if found is None:
            entrance = Entrance(key[1], [], [], [])
            found = Reach(key[0], () if targets else key[2], is_known, is_guessable, entrance)
            self._by_targets[key] = found
            self._inference.flow.add_entrance(entrance)
        return found

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
                self._take(file, expr, caller, How.DECORATOR, file.first_scope + number)
        return frozenset(seen)

    def _in_place(self, file: SourceFile, call: Expr) -> list[int]:
        """Return the arguments that the called function calls in place; none if it is one of the project."""
        name = file.exprs[call.args[0]].text
        if self._reach(file, call.args[0], How.CALL).edges:
            return []
        found = [
            argument_at(file, call, int(word) if word.isdecimal() else -1, word)
            for word in self._inference.in_place[file.language.name][name]
        ]
        return [argument for argument in found if argument != NONE]

    def _add_callbacks(self, file: SourceFile, call: Expr, caller: int) -> None:
        """Add what a function that calls its arguments in place is given."""
        for argument in self._in_place(file, call):
            given = self._of_value(self._inference.of(file, argument), How.CALLBACK)
            line = file.exprs[argument].line
            for scope, tier, how, sure in given.edges:
                self._invokes.add(caller, scope, line, how, tier, sure)


_NAMED = frozenset({NAME, ATTRIBUTE})

_WALKING = (ITERATE, SPREAD, UNPACK, ENTER, AWAIT)

_SEEN = frozenset({Tier.DIRECT, Tier.TYPED})
"""Tiers of targets that are known from what was seen; what flowed in was seen too, and less surely."""


_KNOWN = (Instance, Class, Super, Module, External, Builtin)
"""Receivers of which enough is known to say that a method they lack is nowhere else."""


def _walked(file: SourceFile, by_op: ByOp) -> set[int]:
    """Return the expressions of `file` that what stands around them walks over or awaits; built-in functions walk too."""
    exprs, rules = file.exprs, file.rules
    found = {exprs[index].args[0] for op in _WALKING for index in by_op[op]}
    found.update(exprs[index].args[0] for index in by_op[YIELD] if exprs[index].text)
    for index in by_op[CALL]:
        args = exprs[index].args
        callee = exprs[args[0]].text
        if callee in rules.builtins or callee in rules.builtin_methods:
            found.update(args[1:])
    return found


def _callee(file: SourceFile, index: int, decorated: int) -> int:
    """Return what is called at `index`: a call's callee, or the decorator that stands there."""
    return file.exprs[index].args[0] if decorated == NONE else index


def _note(entrance: Entrance, file: SourceFile, index: int, how: How, decorated: int) -> None:
    """Note what stands at `index` as one more call of `entrance`, unless that enters nothing."""
    if not entrance.entered:
        return
    if decorated != NONE:
        entrance.decorated.append((decorated, index))
    elif how is How.CALLBACK:
        entrance.walked.append((file, index))
    else:
        entrance.sites.append((file, index))


def _tier(target: Target, count: int, seen: int) -> Tier:
    """Return the tier of one of `count` targets of a site, of which `seen` were: among many, none is sure."""
    if target.tier in _SEEN:
        if target.is_open and count > MAX_OVERRIDES:
            return Tier.MANY
        return Tier.FLOW if seen > MAX_SURE else target.tier
    if target.tier is Tier.OVERRIDE and count > MAX_OVERRIDES:
        return Tier.MANY
    return target.tier


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
