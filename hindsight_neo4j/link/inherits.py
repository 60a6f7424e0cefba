"""INHERITS and OVERRIDES edges."""

from __future__ import annotations

from hindsight_neo4j.link.edges import Edges, EdgeTable
from hindsight_neo4j.link.infer import Inference
from hindsight_neo4j.link.values import Class, External
from hindsight_neo4j.model.facts import NONE
from hindsight_neo4j.model.graph import EdgeKind, How
from hindsight_neo4j.model.numbers import CLASS, KEYWORD, SUBSCRIPT


def add_hierarchy(inference: Inference, edges: EdgeTable) -> None:
    """Add what every class inherits from, and what its methods take the place of."""
    project, stubs = inference.project, inference.stubs
    inherits, overrides = edges.of_kind(EdgeKind.INHERITS), edges.of_kind(EdgeKind.OVERRIDES)
    for number, scope in enumerate(project.scopes):
        if scope.kind == CLASS and not stubs.is_merged(number):
            _add_bases(inference, inherits, number)
            _add_overrides(inference, overrides, number)


def _add_bases(inference: Inference, edges: Edges, number: int) -> None:
    file = inference.project.file_of[number]
    for base in inference.project.scopes[number].bases:
        expr = file.exprs[base]
        if expr.op == KEYWORD:
            continue
        named = expr.args[0] if expr.op == SUBSCRIPT else base
        for value in inference.of(file, named):
            if isinstance(value, Class) and value.scope != number:
                edges.add(number, value.scope, expr.line, How.BASE)
            elif isinstance(value, External):
                edges.add(number, f"ext:{value.name}", expr.line, How.BASE)


def _add_overrides(inference: Inference, edges: Edges, number: int) -> None:
    hierarchy, scopes = inference.hierarchy, inference.project.scopes
    for name, method in hierarchy.methods(number).items():
        above = hierarchy.overridden(number, name)
        if above not in (NONE, method):
            edges.add(method, above, scopes[method].name_line, How.OVERRIDE)
