"""What a thing can be by its annotation: the instances, classes and containers that a type stands for.

A declared class also stands for its subclasses, so its instances are `open`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hindsight_neo4j.link.holders import container, mapping, positions, union
from hindsight_neo4j.link.project import SourceFile
from hindsight_neo4j.link.values import (
    FOREIGN,
    NOTHING,
    Builtin,
    Class,
    External,
    Foreign,
    Instance,
    Returning,
    TypeForm,
    TypeVariable,
    Value,
    Values,
)
from hindsight_neo4j.model.facts import NONE, Expr
from hindsight_neo4j.model.numbers import (
    ATTRIBUTE,
    CHOICE,
    CLASS,
    CONSTANT,
    NAME,
    OPERATOR,
    SUBSCRIPT,
    TUPLE,
)

if TYPE_CHECKING:
    from hindsight_neo4j.link.infer import Inference


def types(inference: Inference, file: SourceFile, expr: int, depth: int) -> Values:
    """Return what a thing that is annotated with `expr` can be; () when the annotation says nothing."""
    if expr == NONE:
        return NOTHING
    return inference.once(
        ("declared", file.first_expr + expr),
        depth,
        lambda: _types(inference, file, file.exprs[expr], expr, depth + 1),
    )


def _types(inference: Inference, file: SourceFile, found: Expr, expr: int, depth: int) -> Values:
    if found.op == SUBSCRIPT:
        return _applied(inference, file, found, depth)
    if found.op == OPERATOR or found.op == CHOICE:
        return union(types(inference, file, argument, depth) for argument in found.args)
    if found.op not in _NAMES:
        return NOTHING
    if found.text in file.rules.self_types:
        scope = _class_at(inference, file.first_scope + found.scope)
        if scope != NONE:
            return (Instance(inference.stubs.symbol(scope), True),)
    if found.text in file.rules.open_types:
        return NOTHING
    return union(_instance(inference, value, depth) for value in inference.of(file, expr, depth))


_NAMES = frozenset({NAME, ATTRIBUTE})


def _instance(inference: Inference, value: Value, depth: int) -> Values:
    """Return what an annotation that names `value` stands for."""
    if isinstance(value, Class):
        return (Instance(value.scope, True),)
    if isinstance(value, TypeVariable):
        return value.values
    if isinstance(value, TypeForm):
        return types(inference, inference.project.files[value.file], value.expr, depth)
    if isinstance(value, (External, Builtin)):
        return FOREIGN
    return NOTHING


def _applied(inference: Inference, file: SourceFile, found: Expr, depth: int) -> Values:
    """Return what `Type[arguments]` stands for."""
    rules = file.rules
    name = file.last_name(found.args[0])
    arguments = _arguments(file, found)
    if not arguments or name in rules.literal_types:
        return NOTHING
    if name in rules.union_types:
        return union(types(inference, file, argument, depth) for argument in arguments)
    first = types(inference, file, arguments[0], depth)
    if name in rules.wrapper_types:
        return first
    if name in rules.class_types:
        return tuple(Class(value.scope, True) for value in first if isinstance(value, Instance))
    last = types(inference, file, arguments[-1], depth)
    if name in rules.callable_types:
        return (Returning(last),)
    if name in rules.mapping_types:
        return (mapping(last),)
    if name in rules.tuple_types and not _is_endless(file, arguments):
        return (positions(types(inference, file, argument, depth) for argument in arguments),)
    named = types(inference, file, found.args[0], depth)
    if any(not isinstance(value, Foreign) for value in named):
        return named
    return (container(first),)


def _arguments(file: SourceFile, found: Expr) -> tuple[int, ...]:
    arguments = tuple(argument for argument in found.args[1:] if argument != NONE)
    if len(arguments) == 1 and file.exprs[arguments[0]].op == TUPLE:
        return file.exprs[arguments[0]].args
    return arguments


def _is_endless(file: SourceFile, arguments: tuple[int, ...]) -> bool:
    """Whether a tuple's arguments end in the mark for "any number of these"."""
    return len(arguments) == 2 and file.exprs[arguments[1]].op == CONSTANT


def _class_at(inference: Inference, scope: int) -> int:
    """Return the class that `scope` is or lies in."""
    project = inference.project
    while scope != NONE and project.scopes[scope].kind != CLASS:
        scope = project.parent(scope)
    return scope
