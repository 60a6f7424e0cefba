"""What an attribute of a value can be.

Classes and instances look along their class's line; the first class there that has the name, by its body or by what
its methods store, decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hindsight_neo4j.link.holders import union
from hindsight_neo4j.link.project import SourceFile
from hindsight_neo4j.link.puts import Attributes
from hindsight_neo4j.link.records import Put
from hindsight_neo4j.link.results import fallback_holders, of_callable
from hindsight_neo4j.link.values import (
    FOREIGN,
    NOTHING,
    BoundMethod,
    Builtin,
    Class,
    Container,
    External,
    Foreign,
    Function,
    Instance,
    Mapping,
    Module,
    Namespace,
    Partial,
    Property,
    Super,
    Tuple,
    TypeForm,
    Value,
    Values,
)
from hindsight_neo4j.model.facts import NONE, Binding
from hindsight_neo4j.model.numbers import CALL, DEFINITION, FUNCTION, VALUE

if TYPE_CHECKING:
    from hindsight_neo4j.link.infer import Inference

Owned = Instance | Class | Super
"""Values that look along a class's line."""

_OWNED = (Instance, Class, Super)

_WITHOUT_SOURCE = (Foreign, Container, Mapping, Partial, Property, Tuple, TypeForm)


def attribute(inference: Inference, value: Value, name: str, depth: int) -> Values:
    """Return what the attribute `name` of `value` can be."""
    if isinstance(value, _OWNED):
        kept = inference.kept((value, name))
        return _sought(inference, value, name, depth) if kept is None else kept
    if isinstance(value, Module):
        return inference.members.member(inference.project.files[value.file], name, depth)
    if isinstance(value, External):
        return (External(f"{value.name}.{name}"),)
    if isinstance(value, _WITHOUT_SOURCE):
        return FOREIGN
    if isinstance(value, Builtin):
        return (Builtin(f"{value.name}.{name}"),)
    if isinstance(value, Namespace):
        return inference.members.member(value.directory, name, depth)
    return NOTHING


def _sought(inference: Inference, value: Owned, name: str, depth: int) -> Values:
    return inference.once(
        (value, name), depth, lambda: _of_class(inference, value, name, depth + 1)
    )


def line(inference: Inference, value: Owned) -> tuple[int, ...]:
    """Return the classes where attributes of `value` are looked for, in order."""
    if not isinstance(value, Super):
        return inference.hierarchy.line(value.scope)
    classes = inference.hierarchy.line(value.receiver)
    if value.start in classes:
        return classes[classes.index(value.start) + 1 :]
    return inference.hierarchy.line(value.start)[1:]


def find_methods(inference: Inference, value: Owned, name: str) -> tuple[int, ...]:
    """Return the functions that the body of the first class on the line of `value` defines as `name`."""
    project = inference.project
    for scope in line(inference, value):
        bindings = project.names[scope].get(name)
        if bindings:
            first = project.file_of[scope].first_scope
            found = (first + binding.value for binding in bindings if binding.kind == DEFINITION)
            return tuple(method for method in found if _is_function(inference, method))
    return ()


def find_made(inference: Inference, value: Owned, name: str, is_stored: bool) -> tuple[int, ...]:
    """Return the functions that run where the attribute `name` is read, or set, if a call made it in the first class."""
    project = inference.project
    for scope in line(inference, value):
        bindings = project.names[scope].get(name)
        if bindings:
            kept = project.without_overloads(scope, bindings)
            made = inference.bindings(scope, kept, 0)
            return tuple(one for each in made for one in _behind(inference, each, is_stored))
    return ()


def _behind(inference: Inference, made: Value, is_stored: bool) -> list[int]:
    """Return the functions that run where an attribute that holds `made`, a property or the like, is read, or set."""
    if isinstance(made, Property):
        functions = made.setting if is_stored else made.reading
        return [one.scope for one in functions if isinstance(one, Function)]
    if isinstance(made, Instance):
        rules = inference.project.file_of[made.scope].rules
        names = rules.descriptor_setters if is_stored else rules.descriptor_methods
        method = inference.hierarchy.first_of(made.scope, names)
        return [] if method == NONE else [method]
    return []


def _of_class(inference: Inference, value: Owned, name: str, depth: int) -> Values:
    hierarchy, into = inference.hierarchy, inference.puts.into_attribute.get(name, _NO_PUTS)
    puts: list[Put] = []
    for scope in line(inference, value):
        found = _own(inference, scope, value, name, depth)
        if found is not None:
            if not isinstance(value, Super) and value.open:
                found = union((found, _below(inference, value, name, depth)))
                if into:
                    puts += _put_below(inference, value, name, depth)
            return inference.filled(found, puts, depth)
        puts += into.get(scope, ())
    if isinstance(value, Super):
        return FOREIGN if hierarchy.has_outside(value.receiver) else NOTHING
    rules = inference.project.file_of[value.scope].rules
    if name in rules.class_attributes:
        return (Class(value.scope, value.open),)
    found = inference.flow.attribute(value.scope, name)
    if value.open:
        found = union((found, _below(inference, value, name, depth)))
    found = inference.filled(found, puts, depth)
    found = found or _forwarded(inference, value, name, depth)
    return found or (FOREIGN if hierarchy.has_outside(value.scope) else NOTHING)


def _forwarded(inference: Inference, value: Instance | Class, name: str, depth: int) -> Values:
    """Return what the attribute `name` is of what `value` hands questions for attributes on to."""
    if isinstance(value, Class):
        return NOTHING
    names = inference.project.file_of[value.scope].rules.fallback_methods
    method = inference.hierarchy.first_of(value.scope, names)
    holders = NOTHING if method == NONE else fallback_holders(inference, method, depth)
    return union([attribute(inference, holder, name, depth) for holder in holders])


def _put_below(inference: Inference, value: Instance | Class, name: str, depth: int) -> list[Put]:
    """Return what subclasses put into the containers that they inherit as the attribute."""
    into = inference.puts.into_attribute[name]
    return [
        put
        for scope in inference.hierarchy.subclasses(value.scope)
        if scope in into and _own(inference, scope, value, name, depth) is None
        for put in into[scope]
    ]


MAX_BELOW = 30
"""Most subclasses whose own value of an attribute is looked at."""


def _below(inference: Inference, value: Instance | Class, name: str, depth: int) -> Values:
    """Return what subclasses say that the attribute is; methods are not asked for here (`Hierarchy.overrides`)."""
    groups: list[Values] = []
    for scope in inference.hierarchy.setting(value.scope, name)[:MAX_BELOW]:
        receiver = type(value)(scope, False)
        own = _own(inference, scope, receiver, name, depth)
        if own:
            groups.append(own)
    return union(groups)


def _own(inference: Inference, scope: int, value: Owned, name: str, depth: int) -> Values | None:
    """Return what the class `scope` itself says about the attribute, None when it says nothing."""
    names = inference.project.names
    bindings = names[scope].get(name)
    puts = inference.puts.of_class.get(scope, _NONE).get(name)
    stub = inference.stubs.stub(scope)
    lent = names[stub].get(name) if stub != NONE else None
    if not bindings and not puts and not lent:
        return None
    groups: list[Values] = []
    if bindings:
        groups.append(_bound(inference, scope, bindings, value, depth))
    if lent and not (groups and groups[0]):
        groups.append(_bound(inference, stub, lent, value, depth))
    if puts and not isinstance(value, Class):
        groups.append(inference.stored(puts, depth))
    if bindings or puts:
        groups.append(inference.flow.attribute(scope, name))
    into = inference.puts.into_attribute.get(name, _NO_PUTS).get(scope, ())
    return inference.filled(union(groups), into, depth)


_NONE: Attributes = {}
_NO_PUTS: dict[int, list[Put]] = {}


def _bound(
    inference: Inference, scope: int, bindings: list[Binding], value: Owned, depth: int
) -> Values:
    project = inference.project
    kept = project.without_overloads(scope, bindings)
    defined = [binding for binding in kept if binding.kind == DEFINITION]
    groups: list[Values] = []
    found = inference.bindings(scope, defined or kept, depth)
    is_static = any(_is_made_static(project.file_of[scope], binding) for binding in kept)
    for one in found:
        if isinstance(one, Function) and not is_static:
            groups.append(_method(inference, one.scope, value, depth))
        elif isinstance(one, Partial) and one.is_method and isinstance(one.callee, Function):
            methods = _method(inference, one.callee.scope, value, depth)
            groups.append(tuple(Partial(method, one.places, False) for method in methods))
        elif isinstance(one, Instance) and not isinstance(value, Class):
            groups.append(_given(inference, one, depth))
        elif isinstance(one, Property) and not isinstance(value, Class):
            groups += [_read(inference, reading, value, depth) for reading in one.reading]
        else:
            groups.append((one,))
    return union(groups)


def _given(inference: Inference, held: Instance, depth: int) -> Values:
    """Return what reading an attribute gives that holds `held`: that, or what it gives when it is asked."""
    names = inference.project.file_of[held.scope].rules.descriptor_methods
    if inference.hierarchy.first_of(held.scope, names) == NONE:
        return (held,)
    return inference.call_method(held, names, depth)


def _is_made_static(file: SourceFile, binding: Binding) -> bool:
    """Whether `binding` is a function that a call makes one without a receiver: `load = staticmethod(parse)`."""
    if binding.kind != VALUE or binding.value == NONE or file.exprs[binding.value].op != CALL:
        return False
    callee = file.exprs[binding.value].args[0]
    return file.last_name(callee) in file.rules.static_decorators


def _method(inference: Inference, scope: int, value: Owned, depth: int) -> Values:
    """Return what reading the function `scope` from `value` gives."""
    project = inference.project
    if project.is_property(scope) and not isinstance(value, Class):
        return inference.returned(scope, _instance(value), depth)
    if project.is_method(scope) and project.is_static(scope):
        return (Function(scope),)
    owner = value.receiver if isinstance(value, Super) else value.scope
    is_open = not isinstance(value, Super) and value.open
    is_instance = not isinstance(value, Class)
    if is_instance and project.is_method(scope) and project.is_class_method(scope):
        is_instance = False
    return (BoundMethod(scope, owner, is_open, is_instance),)


def _read(inference: Inference, reading: Value, value: Instance | Super, depth: int) -> Values:
    """Return what `reading`, the function behind an attribute of `value`, gives."""
    if isinstance(reading, Function):
        return inference.returned(reading.scope, _instance(value), depth)
    return of_callable(inference, reading, depth)


def _instance(value: Instance | Super) -> Instance:
    return value if isinstance(value, Instance) else Instance(value.receiver, False)


def _is_function(inference: Inference, scope: int) -> bool:
    return inference.project.scopes[scope].kind == FUNCTION
