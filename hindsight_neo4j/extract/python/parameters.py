"""Parameters of functions and lambdas."""

from __future__ import annotations

from hindsight_neo4j.extract.python.targets import assign
from hindsight_neo4j.extract.python.walk import Walk
from hindsight_neo4j.languages.grammar import Node
from hindsight_neo4j.model.facts import NONE, Binding, Parameter
from hindsight_neo4j.model.numbers import (
    EITHER,
    KEYWORD_ONLY,
    PARAMETER,
    POSITIONAL,
    REST,
    REST_KEYWORD,
)


def read_parameters(walk: Walk, node: Node | None) -> tuple[list[Parameter], list[Node]]:
    """Return the parameters, and the lists of names that Python 2 allows in their place.

    Defaults and types are evaluated in the present scope, around the function.
    """
    found: list[Parameter] = []
    patterns: list[Node] = []
    kinds = walk.kinds
    kind = EITHER
    for child in () if node is None else node.children:
        form = child.kind_id
        if form == kinds.identifier:
            text = walk.text(child)
            found.append(Parameter(text, kind, NONE, NONE, child.start_point[0] + 1))
        elif form in kinds.parameter_forms:
            parameter = _parameter(walk, child, kind, patterns)
            found.append(parameter)
            if parameter.kind == REST:
                kind = KEYWORD_ONLY
        elif form == kinds.keyword_separator:
            kind = KEYWORD_ONLY
        elif form == kinds.positional_separator:
            found = [Parameter(p.name, POSITIONAL, p.default, p.type, p.line) for p in found]
        else:
            walk.visit(child)
    return found, patterns


def bind_parameters(walk: Walk, parameters: list[Parameter], patterns: list[Node]) -> None:
    """Give the present scope its parameters."""
    scope = walk.facts.scope
    scope.parameters = parameters
    scope.bindings += [
        Binding(parameter.name, PARAMETER, index, parameter.type, parameter.line)
        for index, parameter in enumerate(parameters)
        if parameter.name
    ]
    for pattern in patterns:
        assign(walk, pattern, NONE)


def _parameter(walk: Walk, node: Node, kind: int, patterns: list[Node]) -> Parameter:
    """Read a parameter that is more than a name: `*a`, `**k`, `a=1`, `a: T`, `a: T = 1`."""
    kinds = walk.kinds
    is_bare = node.kind_id in kinds.splats or node.kind_id in kinds.sequences
    first, *rest = (node,) if is_bare else walk.parts(node)
    name: Node | None = first
    if first.kind_id in kinds.splats:
        name = walk.first(first)
        kind = REST if first.kind_id in kinds.starred else REST_KEYWORD
    elif first.kind_id in kinds.sequences:
        patterns.append(first)
    default = annotation = NONE
    for part in rest:
        if part.kind_id == kinds.type:
            annotation = walk.visit(part)
        else:
            default = walk.visit(part)
    is_name = name is not None and name.kind_id == kinds.identifier
    text = walk.text(name) if name is not None and is_name else ""
    return Parameter(text, kind, default, annotation, first.start_point[0] + 1)
