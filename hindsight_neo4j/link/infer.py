"""What an expression can be: inference on demand.

    inference.of(file, expr)        an expression's values
    inference.name(scope, "box")    a name's values, seen from a scope

Nothing is computed that nobody asks for, and what was computed is kept (`answers`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.languages.link_rules import LinkRules
from hindsight_neo4j.link import attributes, declared, results
from hindsight_neo4j.link.answers import Answers
from hindsight_neo4j.link.checks import Check, Checks
from hindsight_neo4j.link.fixtures import Fixtures
from hindsight_neo4j.link.flow import Flow
from hindsight_neo4j.link.hierarchy import Hierarchy
from hindsight_neo4j.link.holders import (
    MAX_NESTING,
    at_key,
    container,
    elements,
    is_holder,
    keyed,
    mapping,
    positions,
    union,
)
from hindsight_neo4j.link.members import Members
from hindsight_neo4j.link.order import Order
from hindsight_neo4j.link.project import ByOp, Project, SourceFile
from hindsight_neo4j.link.puts import INTO_CONTAINER, INTO_MAPPING, Puts, constant_key
from hindsight_neo4j.link.records import Put
from hindsight_neo4j.link.stubs import Stubs
from hindsight_neo4j.link.values import (
    FOREIGN,
    NOTHING,
    Builtin,
    Class,
    Container,
    External,
    Foreign,
    Function,
    Instance,
    Lambda,
    Mapping,
    Tuple,
    TypeForm,
    Value,
    Values,
)
from hindsight_neo4j.model.facts import NONE, Binding, Expr, Op
from hindsight_neo4j.model.numbers import (
    ATTRIBUTE,
    AWAIT,
    CALL,
    CAUGHT,
    CHOICE,
    CLASS,
    COMPREHENSION,
    CONSTANT,
    DEFINITION,
    ENTER,
    FORMAT,
    IMPORT,
    ITERATE,
    KEYWORD,
    LAMBDA,
    LIST,
    MAPPING,
    NAME,
    NUMBER,
    OPERATOR,
    PARAMETER,
    REST,
    REST_KEYWORD,
    SPREAD,
    STRING,
    SUBSCRIPT,
    TUPLE,
    UNPACK,
    VALUE,
    YIELD,
)

MAX_DISPLAY = 200
"""Entries of a list, tuple or mapping display that are looked at."""

MAX_POSITIONS = 24
"""Entries of a list display that are told apart by their positions."""

SLICE = ":"
"""The text of a constant that stands for a range of places."""

Rule = Callable[[SourceFile, int, Expr, int], Values]


class Inference(Answers):
    """Answers about one project, each computed once."""

    def __init__(self, project: Project, languages: LanguageSet, by_op: Sequence[ByOp]) -> None:
        super().__init__()
        self.project = project
        self.puts = Puts(project, by_op)
        self._checks = Checks(project, by_op)
        self.flow = Flow(self)
        self._order = Order(project)
        self.stubs = Stubs(project)
        self.members = Members(self, languages)
        self.hierarchy = Hierarchy(self)
        self.fixtures = Fixtures(project)
        self.known_functions = {
            language.name: results.known_functions(language.link) for language in languages
        }
        self.in_place = {language.name: _in_place(language.link) for language in languages}
        """Functions that call arguments in place -> which: a place or a parameter's name, by language."""
        self.handing_on = {
            language.name: {name: int(place) for name, place in _pairs(language.link.handing_on)}
            for language in languages
        }
        """Functions that call an argument with those after it -> its place, by language."""
        self.running = {
            language.name: dict(_pairs(language.link.running)) for language in languages
        }
        """Built-in functions -> the method of their argument that they run, by language."""
        self.makers: dict[int, results.Known | None] = {}
        """By class, what makes the container that it inherits from."""
        self.handed_back: dict[int, tuple[str, ...]] = {}
        self._memo: list[Values | None] = [None] * project.expr_count
        """What was found for each expression but names: nearly every one is asked for, by a number at hand."""
        self._names: list[dict[str, Values]] = [{} for _ in project.scopes]
        """What names can be, by each scope that asked and by the one whose names they are."""
        rules = self._rule_table()
        self._rules = [rules.get(op) for op in range(max(Op) + 1)]

    def close(self) -> None:
        """Forget all answers. The parts know each other, so their memory would wait for the cycle collector."""
        self.forget_all()
        self._memo.clear()
        self._names.clear()
        self.flow.close()
        self.puts.close()
        self.project.close()

    # ------------------------------------------------------------------ asking

    def of(self, file: SourceFile, expr: int, depth: int = 0) -> Values:
        """Return what the expression `expr` of `file` can be.

        Here and for names the steps of `Answers` are written out: no others are taken as often.
        """
        if expr == NONE:
            return NOTHING
        found = file.exprs[expr]
        if found.op == NAME:
            scope = file.first_scope + found.scope
            kept = self._names[scope].get(found.text)
            if kept is None:
                return self._new_name(scope, found.text, depth, found.line)
            return kept
        rule = self._rules[found.op]
        if rule is None:
            return NOTHING
        key = file.first_expr + expr
        kept = self._memo[key]
        if kept is not None:
            return kept
        known = self._known(key, depth)
        if known is not None:
            return known
        reader, opens, lowest = self._reader, self._opens, self._lowest
        place = self._start(key)
        values = rule(file, expr, found, depth + 1)
        if self._end(key, place, reader, opens, lowest, values):
            self._memo[key] = values
        return values

    def name(self, scope: int, text: str, depth: int = 0) -> Values:
        """Return what the name `text` can be where `scope` reads it."""
        kept = self._names[scope].get(text)
        return self._new_name(scope, text, depth) if kept is None else kept

    def _new_name(self, scope: int, text: str, depth: int, line: int = 0) -> Values:
        """Return what a name can be that `scope` did not ask for before, as `line` sees it if one is given."""
        asked, reading = self._names[scope], scope
        scope, bindings = self.project.look_up(scope, text)
        if line and scope == reading and self._order.comes_later(scope, bindings, line):
            return self.name(self.project.outer[scope], text, depth)
        places = self._order.places(scope, text, bindings) if len(bindings) > 1 else None
        if places is not None:
            is_here = line and scope == reading
            seen = self._order.seen(scope, places, line) if is_here else places[2]
            return self._seen_name(scope, text, bindings, seen, depth)
        table = self._names[scope]
        if table is not asked:
            kept = table.get(text)
            if kept is not None:
                asked[text] = kept
                return kept
        key = (scope, text)
        known = self._known(key, depth)
        if known is not None:
            return known
        reader, opens, lowest = self._reader, self._opens, self._lowest
        place = self._start(key)
        if bindings:
            values = self.bindings(scope, bindings, depth)
        else:
            values = self._outermost(scope, text, depth)
        if self._end(key, place, reader, opens, lowest, values):
            table[text] = asked[text] = values
        return values

    def _seen_name(
        self, scope: int, text: str, bindings: Sequence[Binding], seen: tuple[int, ...], depth: int
    ) -> Values:
        """Return what a name can be by those of its `bindings` that are `seen`, or by all of them."""
        visible = [bindings[number] for number in seen] if seen else bindings
        return self.once(
            (scope, text, seen), depth, lambda: self.bindings(scope, visible, depth + 1)
        )

    def attribute(self, value: Value, name: str, depth: int = 0) -> Values:
        """Return what the attribute `name` of `value` can be."""
        return attributes.attribute(self, value, name, depth)

    def types(self, file: SourceFile, expr: int, depth: int = 0) -> Values:
        """Return what a thing that is annotated with `expr` can be."""
        return declared.types(self, file, expr, depth)

    def returned(self, scope: int, receiver: Value | None, depth: int = 0) -> Values:
        """Return what a call of the function `scope` on `receiver` can give."""
        return results.returned(self, scope, receiver, depth)

    def call_method(
        self, value: Value, names: Sequence[str], depth: int, *, otherwise: Values = NOTHING
    ) -> Values:
        """Return what calling the first of the methods `names` that `value` has gives."""
        for name in names:
            for method in self.attribute(value, name, depth):
                found = results.of_callable(self, method, depth)
                if (
                    found == FOREIGN
                ):  # a base outside may have it; the next name may be the class's own
                    otherwise = otherwise or found
                elif found:
                    return found
        return otherwise

    # ------------------------------------------------------------------ names

    def bindings(self, scope: int, bindings: Sequence[Binding], depth: int) -> Values:
        """Return what a name can be that `bindings` of `scope` give a meaning."""
        if len(bindings) > 1:
            bindings = self.project.without_overloads(scope, bindings)
        if len(bindings) == 1 and bindings[0].type == NONE:
            found = self._binding(scope, bindings[0], depth)
        elif any(b.type != NONE for b in bindings if b.kind == VALUE):
            found = self._declared(scope, bindings, depth)
        else:
            found = union([self._binding(scope, binding, depth) for binding in bindings])
        checked = self._checks.found.get((scope, bindings[0].name))
        if checked:
            found = self._checked(found, checked, depth)
        puts = self.puts.into(scope, bindings[0].name)
        return self.filled(found, puts, depth) if puts else found

    def filled(self, values: Values, puts: Sequence[Put], depth: int) -> Values:
        """Return `values` with what is put into the containers among them: only what holds can be filled."""
        if not puts or not any(is_holder(value) for value in values):
            return values
        return union((values, *(self.put(put, depth) for put in puts[:MAX_DISPLAY])))

    def put(self, put: Put, depth: int) -> Values:
        """Return what `put` puts, in the containers that it puts it into."""
        values = self.of(put.file, put.value, depth + 1)
        if put.is_merged:
            held = self.iterated(values, put.file, depth + 1)
            values = (
                *(value for value in values if isinstance(value, Mapping)),
                *((container(held),) if held else ()),
            )
        for level in reversed(put.levels):
            if level == INTO_CONTAINER:
                values = (container(values),)
            elif level == INTO_MAPPING:
                values = (mapping(values),)
            else:
                values = (keyed([(level[1:], values)], NOTHING),)
        return values

    def holding(self, values: Values, depth: int) -> Values:
        """Return the containers among `values`, and what instances among them hold that are containers themselves."""
        holders = tuple(filter(is_holder, values))
        own = [self._held(value, depth) for value in values if isinstance(value, Instance)]
        return union((holders, *own)) if own else holders

    def _held(self, value: Instance, depth: int) -> Values:
        """Return what the methods of the class of `value` put into their receiver, if it inherits from a container."""
        puts = self.puts.of_receiver
        if not puts or results.maker(self, value.scope) is None:
            return NOTHING
        classes = self.hierarchy.possible(value)
        found = [put for scope in classes for put in puts.get(scope, ())]
        return union([self.put(put, depth) for put in found[:MAX_DISPLAY]])

    def stored(self, puts: Sequence[Put], depth: int) -> Values:
        """Return what an attribute can be, by what is put into it."""
        shown = puts[:MAX_DISPLAY]
        typed = [self.types(put.file, put.type, depth) for put in shown if put.type != NONE]
        assigned = union([self.put(put, depth) for put in shown if put.value != NONE])
        return _prefer_assigned(assigned, union(typed)) if typed else assigned

    def _binding(self, scope: int, binding: Binding, depth: int) -> Values:
        file = self.project.file_of[scope]
        if binding.kind == DEFINITION:
            return self.definition(file.first_scope + binding.value)
        if binding.kind == IMPORT:
            return self.members.imported(file, file.imports[binding.value], depth)
        if binding.kind == PARAMETER:
            return self.parameter(scope, binding.value, depth)
        return self.of(file, binding.value, depth + 1)

    def definition(self, scope: int) -> Values:
        """Return the class or function that `scope` is, its stub's counterpart being the same."""
        scope = self.stubs.symbol(scope)
        if self.project.scopes[scope].kind == CLASS:
            return (Class(scope, False),)
        return (Function(scope),)

    def _declared(self, scope: int, bindings: Sequence[Binding], depth: int) -> Values:
        file = self.project.file_of[scope]
        assigned = union(self._binding(scope, binding, depth) for binding in bindings)
        typed = union(
            self.types(file, binding.type, depth)
            for binding in bindings
            if binding.kind == VALUE and binding.type != NONE
        )
        return _prefer_assigned(assigned, typed)

    def parameter(self, scope: int, place: int, depth: int) -> Values:
        """Return what the parameter at `place` of the function `scope` can be."""
        file = self.project.file_of[scope]
        found = self.project.scopes[scope]
        if place >= len(found.parameters):
            return NOTHING
        parameter = found.parameters[place]
        if place == 0 and self.project.receiver_name(scope):
            return self._receiver(scope)
        values = self.types(file, parameter.type, depth)
        values = values or self.stubs.parameter(self, scope, parameter.name, depth)
        if parameter.kind == REST:
            return (container(values),) if values else self.flow.parameter(scope, place)
        if parameter.kind == REST_KEYWORD:
            return (mapping(values),) if values else self.flow.parameter(scope, place)
        if values and not results.is_callable_only(self, values):
            return values
        if parameter.default != NONE:
            default = self.of(file, parameter.default, depth + 1)
            values += tuple(value for value in default if not isinstance(value, Foreign))
        values = values or self.fixtures.value(self, scope, parameter.name, depth)
        return union((values, self.flow.parameter(scope, place)))

    def _receiver(self, scope: int) -> Values:
        owner = self.stubs.symbol(self.project.parent(scope))
        if self.project.is_class_method(scope):
            return (Class(owner, True), *self.flow.kinds(scope))
        return (Instance(owner, True),)

    def kinds_of_receiver(self, file: SourceFile, expr: int) -> Values:
        """Return the subclasses of whose instances `expr` is one, as the receiver of an inherited method."""
        method = self.project.receiving(file, expr)
        return NOTHING if method == NONE else self.flow.kinds(method)

    def _outermost(self, scope: int, text: str, depth: int) -> Values:
        file = self.project.file_of[scope]
        found = self.members.starred(file, text, depth)
        if found:
            return found
        if text in file.rules.builtins:
            return (Builtin(text),)
        return FOREIGN if self.members.has_external_star(file) else NOTHING

    # ------------------------------------------------------------------ expressions

    def _rule_table(self) -> dict[int, Rule]:
        return {
            ATTRIBUTE: self._attribute,
            CALL: lambda file, index, expr, depth: results.result(self, file, index, depth),
            STRING: _literal,
            NUMBER: _literal,
            FORMAT: _literal,
            SUBSCRIPT: self._subscript,
            LIST: self._list,
            TUPLE: self._tuple,
            MAPPING: self._mapping,
            CHOICE: self._any_argument,
            OPERATOR: self._operator,
            LAMBDA: lambda file, index, expr, depth: (Lambda(file.number, index),),
            COMPREHENSION: self._comprehension,
            AWAIT: self._any_argument,
            YIELD: self._delegated,
            SPREAD: self._any_argument,
            KEYWORD: self._any_argument,
            ITERATE: self._iterate,
            UNPACK: self._unpack,
            ENTER: self._enter,
            CAUGHT: self._caught,
        }

    def _attribute(self, file: SourceFile, _: int, expr: Expr, depth: int) -> Values:
        receivers = self.of(file, expr.args[0], depth)
        if not receivers:
            found = NOTHING
        elif len(receivers) == 1:
            found = attributes.attribute(self, receivers[0], expr.text, depth)
        else:
            found = union([attributes.attribute(self, v, expr.text, depth) for v in receivers])
        if expr.text in file.rules.class_attributes:
            found = union((found, self.kinds_of_receiver(file, expr.args[0])))
        if expr.text in self._checks.attributes:
            checked = self._checks.of_attribute(file, expr)
            if checked:
                return self._checked(found, checked, depth)
        return found

    def _checked(self, found: Values, checks: Sequence[Check], depth: int) -> Values:
        """Return `found` and what `checks` ask for."""
        groups = [found]
        for file, classes, is_class in checks:
            given = self._of_class(file, classes, depth + 1)
            groups.append(tuple(Class(v.scope, True) for v in given) if is_class else given)
        return union(groups)

    def _any_argument(self, file: SourceFile, _: int, expr: Expr, depth: int) -> Values:
        return union([self.of(file, argument, depth) for argument in expr.args[:MAX_DISPLAY]])

    def _delegated(self, file: SourceFile, _: int, expr: Expr, depth: int) -> Values:
        """Return what a generator returns that is walked to its end; of one that is sent to, nobody knows."""
        if not expr.text:
            return NOTHING
        return tuple(v for v in self.of(file, expr.args[0], depth) if not is_holder(v))

    def _list(self, file: SourceFile, _: int, expr: Expr, depth: int) -> Values:
        entries = expr.args
        if 0 < len(entries) <= MAX_POSITIONS and all(
            file.exprs[entry].op != SPREAD for entry in entries
        ):
            return (positions(self.of(file, entry, depth) for entry in entries),)
        return (container(self._entries(file, entries, depth)),)

    def _entries(self, file: SourceFile, entries: Sequence[int], depth: int) -> Values:
        groups = []
        for entry in entries[:MAX_DISPLAY]:
            values = self.of(file, entry, depth)
            groups.append(elements(values) if file.exprs[entry].op == SPREAD else values)
        return union(groups)

    def _tuple(self, file: SourceFile, index: int, expr: Expr, depth: int) -> Values:
        if any(file.exprs[entry].op == SPREAD for entry in expr.args):
            return self._list(file, index, expr, depth)
        return (positions(self.of(file, entry, depth) for entry in expr.args[:MAX_DISPLAY]),)

    def _mapping(self, file: SourceFile, _: int, expr: Expr, depth: int) -> Values:
        scope = file.first_scope + expr.scope
        entries: list[tuple[str, Values]] = []
        loose: list[Values] = []
        pairs = list(zip(expr.args[::2], expr.args[1::2], strict=False))
        for key, entry in pairs[:MAX_DISPLAY]:
            values = self.of(file, entry, depth)
            if key == NONE:
                loose += [value.elements for value in values if isinstance(value, Mapping)]
                continue
            name = constant_key(self.project, file, key, scope)
            if name:
                entries.append((name, values))
            else:
                loose.append(values)
        return (keyed(entries, union(loose)),)

    def _comprehension(self, file: SourceFile, _: int, expr: Expr, depth: int) -> Values:
        values = self.of(file, expr.args[-1], depth)
        return (mapping(values) if len(expr.args) > 1 else container(values),)

    def _operator(self, file: SourceFile, index: int, expr: Expr, depth: int) -> Values:
        groups: list[Values] = []
        left = self.of(file, expr.args[0], depth)
        if expr.text in file.rules.joining_operators:
            left = _joined(left, self.of(file, expr.args[1], depth))
        for value in left:
            if isinstance(value, Instance):
                groups.append(self.call_method(value, (expr.text,), depth))
            elif isinstance(value, (Class, TypeForm)):
                groups.append((TypeForm(file.number, index),))
            elif is_holder(value):
                groups.append((value,))
        return union(groups)

    def _subscript(self, file: SourceFile, index: int, expr: Expr, depth: int) -> Values:
        last = self._last_put(file, expr, depth)
        if last:
            return last
        values = self.of(file, expr.args[0], depth)
        groups = [self._at(file, value, expr) for value in self.holding(values, depth)]
        for value in values:
            if isinstance(value, Instance):
                methods = file.rules.item_methods
                groups.append(self.call_method(value, methods, depth))
            elif isinstance(value, Class):
                groups.append((value,))
            elif isinstance(value, (External, Builtin, TypeForm)):
                groups.append((TypeForm(file.number, index),))
        return union(groups)

    def _last_put(self, file: SourceFile, expr: Expr, depth: int) -> Values:
        """Return what was surely put last, right in this scope, at the keys that a subscript spells out; () if unknown."""
        scope = file.first_scope + expr.scope
        levels: list[str] = []
        place = expr
        while place.op == SUBSCRIPT:
            key = constant_key(self.project, file, place.args[-1], scope)
            if not key or len(levels) == MAX_NESTING:
                return NOTHING
            levels.insert(0, INTO_MAPPING + key)
            place = file.exprs[place.args[0]]
        if place.op != NAME or self.project.look_up(scope, place.text)[0] != scope:
            return NOTHING
        puts = self.puts.into(scope, place.text)
        for put in self._order.puts_before(scope, puts, expr.line) if puts else ():
            values = self.of(put.file, put.value, depth)
            if put.is_merged and len(levels) == 1:
                key = levels[0][1:]
                merged = (value for value in values if isinstance(value, Mapping))
                values = union(at_key(value, key) for value in merged if value.entries)
            elif put.levels != tuple(levels):
                continue
            if values:
                return values if self._order.is_sure(scope, put.line) else NOTHING
        return NOTHING

    def _at(self, file: SourceFile, value: Value, expr: Expr) -> Values:
        """Return what stands in `value` at the place that the subscript `expr` names."""
        index = expr.args[-1]
        place = file.exprs[index] if index != NONE else None
        if place is not None and place.op == CONSTANT and place.text == SLICE:
            return (self._part(file, value, place),)
        return at_key(value, self.key(file, index, file.first_scope + expr.scope))

    def _part(self, file: SourceFile, value: Value, bounds: Expr) -> Value:
        """Return what the slice `bounds` of `value` is."""
        numbers = [file.exprs[bound].text for bound in bounds.args]
        if not isinstance(value, Tuple) or len(numbers) != 2:
            return value
        if not all(number.isdecimal() for number in numbers):
            return value
        return positions(value.items[int(numbers[0][:9]) : int(numbers[1][:9])])

    def key(self, file: SourceFile, index: int, scope: int) -> str:
        """Return the key that a subscript or an argument spells out, "" when nobody knows it."""
        key = constant_key(self.project, file, index, scope)
        if key or index == NONE or file.exprs[index].op != NAME:
            return key
        home, bindings = self.project.look_up(scope, file.exprs[index].text)
        if len(bindings) != 1 or bindings[0].kind != IMPORT:
            return ""
        statement = self.project.file_of[home].imports[bindings[0].value]
        for place in self.members.places(self.project.file_of[home], statement):
            if isinstance(place, SourceFile):
                there = self.project.names[place.first_scope].get(statement.name, ())
                if len(there) == 1 and there[0].kind == VALUE:
                    return constant_key(self.project, place, there[0].value, place.first_scope)
        return ""

    def _iterate(self, file: SourceFile, _: int, expr: Expr, depth: int) -> Values:
        return self.iterated(self.of(file, expr.args[0], depth), file, depth)

    def iterated(self, values: Values, file: SourceFile, depth: int) -> Values:
        """Return the elements that walking over `values` gives."""
        groups = [elements(self.holding(values, depth))]
        for value in values:
            if isinstance(value, Instance):
                given = self.call_method(value, file.rules.iterate_methods, depth)
                groups.append(elements(given))
                for iterator in given:
                    if isinstance(iterator, Instance):
                        methods = file.rules.next_methods
                        groups.append(self.call_method(iterator, methods, depth))
        return union(groups)

    def _unpack(self, file: SourceFile, _: int, expr: Expr, depth: int) -> Values:
        values = self.of(file, expr.args[0], depth)
        if expr.text.startswith("*"):
            return (container(self.iterated(values, file, depth)),)
        place = int(expr.text)
        groups: list[Values] = []
        for value in values:
            if not isinstance(value, Tuple):
                groups.append(self.iterated((value,), file, depth))
            elif -len(value.items) <= place < len(value.items):
                groups.append(value.items[place])
        return union(groups)

    def _enter(self, file: SourceFile, _: int, expr: Expr, depth: int) -> Values:
        groups: list[Values] = []
        for value in self.of(file, expr.args[0], depth):
            if isinstance(value, Instance):
                methods = file.rules.enter_methods
                groups.append(self.call_method(value, methods, depth, otherwise=(value,)))
            elif isinstance(value, Container):
                groups.append(value.elements)
            else:
                groups.append((value,))
        return union(groups)

    def _caught(self, file: SourceFile, _: int, expr: Expr, depth: int) -> Values:
        return self._of_class(file, expr.args[0], depth)

    def _of_class(self, file: SourceFile, classes: int, depth: int) -> tuple[Instance, ...]:
        """Return an instance of the class, or of each class of the tuple, that `classes` is."""
        values = self.of(file, classes, depth)
        every = union((values, elements(values)))
        return tuple(Instance(value.scope, True) for value in every if isinstance(value, Class))


def _in_place(rules: LinkRules) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, argument in _pairs(rules.in_place):
        found.setdefault(name, []).append(argument)
    return found


def _pairs(entries: Iterable[str]) -> list[tuple[str, str]]:
    """Return the two words of each "map:0" of the `entries`, in order."""
    parts = (entry.partition(":") for entry in sorted(entries))
    return [(name, what) for name, _, what in parts]


def _joined(left: Values, right: Values) -> Values:
    """Return `left` with its containers holding what those of `right` hold besides; their places are then unknown."""
    added = tuple(filter(is_holder, right))
    if not added:
        return left
    both = (*left, *added)
    held = elements(both)
    kept = (value for value in both if isinstance(value, Mapping) or not is_holder(value))
    return (*kept, *((container(held),) if held else ()))


def _literal(_file: SourceFile, _index: int, _expr: Expr, _depth: int) -> Values:
    return FOREIGN


def _prefer_assigned(assigned: Values, typed: Values) -> Values:
    """Return what a name is that is both declared and assigned: the value seen, for it says more than the type."""
    seen: list[Value] = []
    for value in assigned:
        if isinstance(value, Instance):
            seen.append(Instance(value.scope, True))
        elif isinstance(value, Class):
            seen.append(Class(value.scope, True))
        elif isinstance(value, (Container, Mapping)) and value.elements:
            seen.append(value)
    return tuple(dict.fromkeys(seen)) or typed or assigned
