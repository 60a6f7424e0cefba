"""What a call gives: an instance, what a function returns, and the few functions whose meaning is fixed.

A function that hands back its own argument (an identity decorator, `ensure_sync`) is resolved at each call: counting
all its callers' arguments together would mix everything with everything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hindsight_neo4j.languages.link_rules import LinkRules
from hindsight_neo4j.link.holders import (
    MAX_VALUES,
    at_key,
    container,
    is_holder,
    mapping,
    positions,
    union,
)
from hindsight_neo4j.link.project import SourceFile
from hindsight_neo4j.link.values import (
    FOREIGN,
    NOTHING,
    BoundMethod,
    Builtin,
    Class,
    External,
    Foreign,
    Function,
    Instance,
    Lambda,
    Mapping,
    Module,
    Partial,
    Property,
    Returning,
    Super,
    Text,
    Tuple,
    TypeVariable,
    Value,
    Values,
)
from hindsight_neo4j.model.facts import NONE, Expr, Scope
from hindsight_neo4j.model.numbers import (
    ATTRIBUTE,
    CALL,
    CHOICE,
    FORMAT,
    ITERATE,
    KEYWORD,
    LIST,
    NAME,
    OPERATOR,
    PARAMETER,
    SPREAD,
    STRING,
    TUPLE,
    VALUE,
)

if TYPE_CHECKING:
    from hindsight_neo4j.link.infer import Inference


def result(inference: Inference, file: SourceFile, call: int, depth: int) -> Values:
    """Return what the call `call` of `file` gives."""
    expr = file.exprs[call]
    callee = file.exprs[expr.args[0]]
    groups: list[Values] = []
    for value in inference.of(file, expr.args[0], depth):
        if isinstance(value, (External, Builtin)):
            groups.append(_outside(inference, file, expr, value, depth))
        else:
            groups.append(of_callable(inference, value, depth))
            if isinstance(value, Class):
                make = maker(inference, value.scope)
                groups.append(NOTHING if make is None else make(inference, file, expr, depth))
            groups.append(_passed_through(inference, file, expr, value, depth))
    if callee.op == ATTRIBUTE:
        held = _of_holder(inference, file, expr, callee, depth)
        if held is not None:
            return union((held, *(group for group in groups if group != FOREIGN)))
    return union(groups)


def _of_holder(
    inference: Inference, file: SourceFile, call: Expr, callee: Expr, depth: int
) -> Values | None:
    """Return what a method of the containers that are called gives; None when no container is."""
    rules, name = file.rules, callee.text
    holders = inference.holding(inference.of(file, callee.args[0], depth), depth)
    if not holders:
        return None
    if name in rules.same_methods:
        return holders
    held = union(at_key(value, "") for value in holders)
    if name in rules.values_methods:
        return (container(held),)
    if name in rules.items_methods:
        return (container((positions((FOREIGN, held)),)),)
    if name in rules.element_methods:
        key = call.args[1] if len(call.args) > 1 else NONE
        word = inference.key(file, key, file.first_scope + call.scope)
        held = union(at_key(value, word) for value in holders)
        return union((held, *(inference.of(file, each, depth) for each in call.args[2:])))
    return FOREIGN


def of_callable(inference: Inference, value: Value, depth: int) -> Values:
    """Return what calling `value` gives, whatever the arguments."""
    if isinstance(value, Class):
        return (Instance(value.scope, value.open),)
    if isinstance(value, BoundMethod):
        receiver = (Instance if value.instance else Class)(value.owner, value.open)
        return returned(inference, value.scope, receiver, depth)
    if isinstance(value, Function):
        return returned(inference, value.scope, None, depth)
    if isinstance(value, Instance):
        rules = inference.project.file_of[value.scope].rules
        return inference.call_method(value, rules.call_methods, depth)
    if isinstance(value, Returning):
        return value.values
    if isinstance(value, Partial):
        return of_callable(inference, value.callee, depth)
    if isinstance(value, Lambda):
        file = inference.project.files[value.file]
        return inference.of(file, file.exprs[value.expr].args[0], depth)
    if isinstance(value, Foreign):
        return FOREIGN
    return NOTHING


def decorated(inference: Inference, scope: int, level: int, depth: int) -> Values:
    """Return what the decorators of the definition `scope` from `level` on, the outermost being 0, make of it.

    That is the definition itself unless one of them gives a function of its own.
    """
    file, decorators = inference.project.file_of[scope], inference.project.scopes[scope].decorators
    for decorator in decorators[level:]:
        given = [
            value
            for called in inference.of(file, decorator, depth)
            if isinstance(called, (Function, BoundMethod, Partial))
            for value in of_callable(inference, called, depth)
            if isinstance(unwrapped(value), Function)
        ]
        if given:
            return tuple(dict.fromkeys(given))
    return inference.definition(scope)


def unwrapped(value: Value) -> Value:
    """Return what calling `value` calls, whatever arguments it brings along."""
    return value.callee if isinstance(value, Partial) else value


MAX_GIVEN = 12
"""Most parameters that are filled ahead of a call."""


def places_given(value: Value) -> int:
    """Return how many parameters of what `value` calls are filled ahead of the call."""
    return value.places if isinstance(value, Partial) else 0


def places_bound(inference: Inference, value: BoundMethod) -> int:
    """Return how many parameters of a function are filled by what it was read from, an instance or a class."""
    return 1 if value.instance or inference.project.is_class_method(value.scope) else 0


def filled(value: Value, places: int, is_method: bool = False) -> Partial:
    """Return `value` with `places` more of its parameters filled."""
    given = min(places_given(value) + places, MAX_GIVEN)
    return Partial(unwrapped(value), given, is_method)


def returned(inference: Inference, scope: int, receiver: Value | None, depth: int) -> Values:
    """Return what a call of the function `scope` gives on `receiver`."""
    values = inference.kept(("returned", scope))
    if values is None:
        values = _sought(inference, scope, depth)
    if not isinstance(receiver, (Instance, Class)):
        return values
    owner = inference.stubs.symbol(inference.project.parent(scope))
    if not _gives_own_kind(inference, scope):
        return values
    return tuple(
        Instance(receiver.scope, receiver.open)
        if isinstance(value, Instance) and value.scope == owner
        else value
        for value in values
    )


def _sought(inference: Inference, scope: int, depth: int) -> Values:
    return inference.once(
        ("returned", scope), depth, lambda: _returned(inference, scope, depth + 1)
    )


def _returned(inference: Inference, scope: int, depth: int) -> Values:
    file, found = inference.project.file_of[scope], inference.project.scopes[scope]
    declared = inference.types(file, found.returns_type, depth)
    if not declared:
        declared = inference.stubs.returned(inference, scope, depth)
    if not is_callable_only(inference, declared) and any(
        not is_holder(value) or at_key(value, "") for value in declared
    ):
        return declared
    own = _own_parameters(found, inference.project.receiver_name(scope))
    groups = [
        inference.of(file, expr, depth)
        for expr in found.returns
        if not (file.exprs[expr].op == NAME and file.exprs[expr].text in own)
    ]
    given = union(_yielded(inference, file, expr, depth) for expr in found.yields)
    if found.yields:
        groups.append((container(given),))
    return union((*groups, tuple(v for v in declared if not is_holder(v)))) or declared


def is_callable_only(inference: Inference, declared: Values) -> bool:
    """Whether a declaration says no more than that something can be called."""
    for value in declared:
        if isinstance(value, Instance):
            rules = inference.project.file_of[value.scope].rules
            if inference.hierarchy.first_of(value.scope, rules.call_methods) == NONE:
                return False
        elif not isinstance(value, Returning):
            return False
    return bool(declared)


def _yielded(inference: Inference, file: SourceFile, expr: int, depth: int) -> Values:
    found = file.exprs[expr]
    if not found.args:
        return NOTHING
    values = inference.of(file, found.args[0], depth)
    return inference.iterated(values, file, depth) if found.text else values


def _own_parameters(scope: Scope, receiver: str) -> frozenset[str]:
    """Return the parameters of `scope` that never get another value, but for its `receiver`."""
    names = {parameter.name for parameter in scope.parameters} - {receiver}
    for binding in scope.bindings:
        if binding.kind != PARAMETER:
            names.discard(binding.name)
    return frozenset(names)


def _gives_own_kind(inference: Inference, scope: int) -> bool:
    """Whether the method `scope` returns its receiver, a new instance of its class, or says so."""
    project = inference.project
    file, found = project.file_of[scope], project.scopes[scope]
    if found.returns_type != NONE:
        return file.last_name(found.returns_type) in file.rules.self_types
    receiver = project.receiver_name(scope)
    if not receiver:
        return False
    for expr in found.returns:
        place = file.exprs[expr]
        if place.op == CALL:
            place = file.exprs[place.args[0]]
        if place.op == NAME and place.text == receiver:
            return True
    return False


def _passed_through(
    inference: Inference, file: SourceFile, call: Expr, value: Value, depth: int
) -> Values:
    """Return the arguments that the called function hands back as they are."""
    given, value = places_given(value), unwrapped(value)
    if not isinstance(value, (BoundMethod, Function)):
        return NOTHING
    names = _handed_back(inference, value.scope)
    if not names:
        return NOTHING
    parameters = inference.project.scopes[value.scope].parameters
    places = {parameter.name: place for place, parameter in enumerate(parameters)}
    bound = places_bound(inference, value) if isinstance(value, BoundMethod) else 0
    groups = []
    for name in names:
        argument = argument_at(file, call, places[name] - bound - given, name)
        if argument != NONE:
            groups.append(inference.of(file, argument, depth))
    return union(groups)


def _handed_back(inference: Inference, scope: int) -> tuple[str, ...]:
    kept = inference.handed_back.get(scope)
    if kept is None:
        file, found = inference.project.file_of[scope], inference.project.scopes[scope]
        own = _own_parameters(found, inference.project.receiver_name(scope))
        names = (file.exprs[expr].text for expr in found.returns if file.exprs[expr].op == NAME)
        kept = tuple(dict.fromkeys(name for name in names if name in own))
        inference.handed_back[scope] = kept
    return kept


def argument_at(file: SourceFile, call: Expr, place: int, name: str) -> int:
    """Return the argument that the call gives for the parameter at `place` or called `name`, NONE without."""
    positional = 0
    for argument in call.args[1:]:
        found = file.exprs[argument]
        if found.op == KEYWORD:
            if found.text == name:
                return found.args[0]
        elif found.op == SPREAD:
            place = NONE  # nobody knows how many places the spread fills
        else:
            if positional == place:
                return argument
            positional += 1
    return NONE


# ---------------------------------------------------------------- functions of fixed meaning


def _outside(
    inference: Inference, file: SourceFile, call: Expr, value: External | Builtin, depth: int
) -> Values:
    name = value.name.rpartition(".")[2]
    known = inference.known_functions[file.language.name].get(name)
    if known is not None:
        return known(inference, file, call, depth)
    return FOREIGN if isinstance(value, Builtin) else NOTHING


Known = Callable[["Inference", SourceFile, Expr, int], Values]


def maker(inference: Inference, scope: int) -> Known | None:
    """Return what makes the container that the class `scope` inherits from, None where it is no container."""
    if scope not in inference.makers:
        file = inference.project.file_of[scope]
        known, rules = inference.known_functions[file.language.name], file.rules
        holding = rules.mapping_functions | rules.gathering_functions
        names = (name for name in inference.hierarchy.outside(scope) if name in holding)
        inference.makers[scope] = known.get(next(names, ""))
    return inference.makers[scope]


def _argument(inference: Inference, file: SourceFile, call: Expr, place: int, depth: int) -> Values:
    return inference.of(file, argument_at(file, call, place, ""), depth)


def _super(inference: Inference, file: SourceFile, call: Expr, depth: int) -> Values:
    if len(call.args) < 2:
        scope = inference.project.class_around(file.first_scope + call.scope)
        if scope == NONE:
            return NOTHING
        scope = inference.stubs.symbol(scope)
        return (Super(scope, scope),)
    starts = [v for v in _argument(inference, file, call, 0, depth) if isinstance(v, Class)]
    receivers = [
        value.scope
        for value in _argument(inference, file, call, 1, depth)
        if isinstance(value, (Instance, Class))
    ]
    return tuple(
        Super(start.scope, receiver) for start in starts for receiver in receivers or [start.scope]
    )


def _cast(inference: Inference, file: SourceFile, call: Expr, depth: int) -> Values:
    declared = inference.types(file, argument_at(file, call, 0, "typ"), depth)
    return declared or _argument(inference, file, call, 1, depth)


def _attribute_by_name(inference: Inference, file: SourceFile, call: Expr, depth: int) -> Values:
    word = argument_at(file, call, 1, "")
    otherwise = _argument(inference, file, call, 2, depth)
    if word == NONE:
        return otherwise
    holders = _argument(inference, file, call, 0, depth)
    groups = [otherwise]
    for named in texts(inference, file, word)[:MAX_TEXTS]:
        if isinstance(named, Text):
            groups += [inference.attribute(value, named.text, depth) for value in holders]
    if file.exprs[word].op == STRING:
        return union(groups)
    for value in holders:
        if isinstance(value, Module):
            spelled = inference.members.spelled(file)
            names = (name for place, name in spelled if place.number == value.file and name)
            groups += [inference.attribute(value, name, depth) for name in names]
    start, end = _known_ends(inference, file, word, file.first_scope + call.scope, 0)
    if len(start) + len(end) >= MIN_KNOWN:
        groups += [_methods_like(inference, value, start, end) for value in holders]
    return union(groups)


def fallback_holders(inference: Inference, method: int, depth: int) -> Values:
    """Return what `method`, which is asked for an attribute by its name, looks that name up in."""
    file, found = inference.project.file_of[method], inference.project.scopes[method]
    name = found.parameters[-1].name if found.parameters else ""
    groups = []
    for expr in found.returns:
        call = file.exprs[expr]
        if call.op != CALL or file.last_name(call.args[0]) not in file.rules.attribute_functions:
            continue
        word = argument_at(file, call, 1, "")
        if word != NONE and file.exprs[word].op == NAME and file.exprs[word].text == name:
            groups.append(_argument(inference, file, call, 0, depth))
    return union(groups)


def texts(inference: Inference, file: SourceFile, expr: int, indirections: int = 0) -> Values:
    """Return the texts that the expression `expr` can be, as far as they are spelled out."""
    if expr == NONE:
        return NOTHING
    found = file.exprs[expr]
    if found.op == STRING:
        return (Text(found.text),)
    if indirections == MAX_INDIRECTIONS:
        return NOTHING
    if found.op in _ANY_OF:
        entries = found.args[:MAX_TEXTS]
        return union(texts(inference, file, each, indirections + 1) for each in entries)
    if found.op != NAME:
        return NOTHING
    project = inference.project
    around, bindings = project.look_up(file.first_scope + found.scope, found.text)
    file = project.file_of[around]
    groups: list[Values] = []
    for binding in bindings:
        if binding.kind == VALUE:
            groups.append(texts(inference, file, binding.value, indirections + 1))
        elif binding.kind == PARAMETER:
            parameter = project.scopes[around].parameters[binding.value]
            groups.append(texts(inference, file, parameter.default, indirections + 1))
            groups.append(inference.flow.texts(around, binding.value))
    return union(groups)


_ANY_OF = frozenset({CHOICE, ITERATE, LIST, TUPLE})

MAX_TEXTS = 40
"""Most names by which attributes are read at one place, and most entries of a display that are looked at for them."""

MIN_KNOWN = 3
"""Letters of an attribute's name that must be known for the methods that fit to be taken."""

MAX_INDIRECTIONS = 5
"""Names, displays and operators that are followed to a text: a loop over the tuple that a name stands for takes four."""


def _known_ends(
    inference: Inference, file: SourceFile, expr: int, scope: int, indirections: int
) -> tuple[str, str]:
    """Return how the text `expr` surely starts and ends."""
    found = file.exprs[expr]
    if found.op == STRING:
        return found.text, found.text
    if indirections == MAX_INDIRECTIONS:
        return "", ""
    if found.op == NAME:
        around, bindings = inference.project.look_up(scope, found.text)
        if len(bindings) == 1 and bindings[0].kind == VALUE and bindings[0].value != NONE:
            file = inference.project.file_of[around]
            return _known_ends(inference, file, bindings[0].value, around, indirections + 1)
        return "", ""
    if found.op == CALL and file.exprs[found.args[0]].op == ATTRIBUTE:
        callee = file.exprs[found.args[0]]
        start, end = _known_ends(inference, file, callee.args[0], scope, indirections + 1)
        return start.partition("{")[0], end.rpartition("}")[2]
    if found.op == OPERATOR and len(found.args) == 2:
        left = _known_ends(inference, file, found.args[0], scope, indirections + 1)
        right = _known_ends(inference, file, found.args[1], scope, indirections + 1)
        if file.exprs[found.args[0]].op == STRING and "%" in left[0]:
            return left[0].partition("%")[0], ""
        return left[0], right[1]
    if found.op == FORMAT and found.args:
        first, last = file.exprs[found.args[0]], file.exprs[found.args[-1]]
        return (
            first.text if first.op == STRING else "",
            last.text if last.op == STRING else "",
        )
    return "", ""


def _methods_like(inference: Inference, value: Value, start: str, end: str) -> Values:
    """Return the methods of `value`, and of its subclasses where those may be meant, whose names fit."""
    if not isinstance(value, (Instance, Class)):
        return NOTHING
    hierarchy = inference.hierarchy
    found: dict[int, int] = {}
    for scope in hierarchy.possible(value):
        for name, method in hierarchy.methods(scope).items():
            if name.startswith(start) and name.endswith(end) and len(name) >= len(start) + len(end):
                found.setdefault(method, scope)
    return tuple(
        BoundMethod(method, value.scope, False, isinstance(value, Instance), True)
        for method in found
    )[:MAX_VALUES]


def _imported(inference: Inference, file: SourceFile, call: Expr, depth: int) -> Values:
    """Return the modules that a call imports: the one spelled out, else those that texts of the file spell out."""
    word = argument_at(file, call, 0, "")
    if word != NONE and file.exprs[word].op == STRING:
        places = inference.members.named(file, file.exprs[word].text)
        return tuple(Module(place.number) for place in places if isinstance(place, SourceFile))
    spelled = inference.members.spelled(file)
    return tuple(dict.fromkeys(Module(place.number) for place, _ in spelled))[:MAX_VALUES]


def _class_of(inference: Inference, file: SourceFile, call: Expr, depth: int) -> Values:
    argument = argument_at(file, call, 0, "")
    if argument == NONE:
        return NOTHING
    values = inference.of(file, argument, depth)
    classes = tuple(Class(v.scope, v.open) for v in values if isinstance(v, Instance))
    return union((classes, inference.kinds_of_receiver(file, argument)))


def _same(inference: Inference, file: SourceFile, call: Expr, depth: int) -> Values:
    return _argument(inference, file, call, 0, depth)


def _partial(inference: Inference, file: SourceFile, call: Expr, depth: int) -> Values:
    return _given(inference, file, call, depth, False)


def _partial_method(inference: Inference, file: SourceFile, call: Expr, depth: int) -> Values:
    return _given(inference, file, call, depth, True)


_NAMED_ARGUMENTS = frozenset({KEYWORD, SPREAD})


def _given(
    inference: Inference, file: SourceFile, call: Expr, depth: int, is_method: bool
) -> Values:
    """Return the first argument of the call as what is called later, with the others."""
    places = 0
    for argument in call.args[2:]:
        op = file.exprs[argument].op
        if op == SPREAD and file.exprs[argument].text == "*":
            places = MAX_GIVEN  # nobody knows how many: what a call adds by place fits nowhere
        elif op not in _NAMED_ARGUMENTS:
            places += 1
    values = _argument(inference, file, call, 0, depth)
    return tuple(dict.fromkeys(filled(value, places, is_method) for value in values))


def _property(inference: Inference, file: SourceFile, call: Expr, depth: int) -> Values:
    reading, setting = (
        inference.of(file, argument_at(file, call, place, name), depth)
        for place, name in enumerate(file.rules.property_arguments)
    )
    return (Property(reading, setting),)


def _gathered(inference: Inference, file: SourceFile, call: Expr, depth: int) -> Values:
    return (container(union(_walked(inference, file, call, depth))),)


def _flattened(inference: Inference, file: SourceFile, call: Expr, depth: int) -> Values:
    held = inference.iterated(_argument(inference, file, call, 0, depth), file, depth)
    return (container(inference.iterated(held, file, depth)),)


def _chosen(inference: Inference, file: SourceFile, call: Expr, depth: int) -> Values:
    values = _argument(inference, file, call, 1, depth)
    return (container(inference.iterated(values, file, depth)),)


def _applied(inference: Inference, file: SourceFile, call: Expr, depth: int) -> Values:
    called = _argument(inference, file, call, 0, depth)
    return (container(union(of_callable(inference, value, depth) for value in called)),)


def _walked(inference: Inference, file: SourceFile, call: Expr, depth: int) -> list[Values]:
    """Return what each argument of the call holds."""
    return [
        inference.iterated(inference.of(file, argument, depth), file, depth)
        for argument in call.args[1:]
        if file.exprs[argument].op != KEYWORD
    ]


def _element(inference: Inference, file: SourceFile, call: Expr, depth: int) -> Values:
    values = _argument(inference, file, call, 0, depth)
    found = inference.iterated(values, file, depth)
    if len(call.args) > 2:
        found = union((found, *(inference.of(file, each, depth) for each in call.args[2:])))
    return found


def _numbered(inference: Inference, file: SourceFile, call: Expr, depth: int) -> Values:
    values = inference.iterated(_argument(inference, file, call, 0, depth), file, depth)
    return (container((positions((FOREIGN, values)),)),)


def _parallel(inference: Inference, file: SourceFile, call: Expr, depth: int) -> Values:
    return (container((positions(_walked(inference, file, call, depth)),)),)


def _mapping(inference: Inference, file: SourceFile, call: Expr, depth: int) -> Values:
    groups = [
        inference.of(file, argument, depth)
        for argument in call.args[1:]
        if file.exprs[argument].op == KEYWORD
    ]
    given = _argument(inference, file, call, 0, depth)
    for pair in inference.iterated(given, file, depth):
        if isinstance(pair, Tuple) and len(pair.items) == 2:
            groups.append(pair.items[1])
    merged = tuple(value for value in given if isinstance(value, Mapping))
    return merged if merged and not groups else union((merged, (mapping(union(groups)),)))


def _type_variable(inference: Inference, file: SourceFile, call: Expr, depth: int) -> Values:
    bounds = [
        inference.types(file, file.exprs[argument].args[0], depth)
        if file.exprs[argument].op == KEYWORD
        else inference.types(file, argument, depth)
        for argument in call.args[2:]
    ]
    return (TypeVariable(union(bounds)),)


def known_functions(rules: LinkRules) -> dict[str, Known]:
    """Return the functions whose meaning is fixed, by the words of a language."""
    roles: tuple[tuple[frozenset[str], Known], ...] = (
        (rules.same_functions, _same),
        (rules.partial_functions, _partial),
        (rules.partial_methods, _partial_method),
        (rules.property_functions, _property),
        (rules.gathering_functions, _gathered),
        (rules.flattening_functions, _flattened),
        (rules.choosing_functions, _chosen),
        (rules.applying_functions, _applied),
        (rules.element_functions, _element),
        (rules.mapping_functions, _mapping),
        (rules.numbering_functions, _numbered),
        (rules.parallel_functions, _parallel),
        (rules.type_variables, _type_variable),
        (rules.class_functions, _class_of),
        (rules.attribute_functions, _attribute_by_name),
        (rules.import_functions, _imported),
        (rules.cast_functions, _cast),
        (rules.super_functions, _super),
    )
    return {word: known for words, known in roles for word in words}
