"""TESTS edges: from a test to what it calls by itself, and to the fixtures it asks for.

A fixture that asks for another one INVOKES it, so the way from a test to what its fixtures run is in the graph.
"""

from __future__ import annotations

from hindsight_neo4j.link.edges import EdgeTable
from hindsight_neo4j.link.infer import Inference
from hindsight_neo4j.model.facts import NONE, ScopeKind
from hindsight_neo4j.model.graph import EdgeKind, How


def add_tests(inference: Inference, edges: EdgeTable) -> None:
    """Add the TESTS edges of every test; INVOKES edges must be there already."""
    project, fixtures = inference.project, inference.fixtures
    tests = {
        number
        for number, scope in enumerate(project.scopes)
        if scope.kind == ScopeKind.FUNCTION and fixtures.is_test(number)
    }
    for src, dst, found in edges.of_kind(EdgeKind.INVOKES):
        if src in tests and isinstance(dst, int) and not project.file_of[dst].is_test:
            for line in found.lines:
                edges.add(EdgeKind.TESTS, src, dst, line, found.how, found.tier, found.confidence)
    for number, scope in enumerate(project.scopes):
        if scope.kind != ScopeKind.FUNCTION or not fixtures.asks(number):
            continue
        kind = EdgeKind.TESTS if number in tests else EdgeKind.INVOKES
        for parameter in scope.parameters:
            fixture = fixtures.find(number, parameter.name)
            if fixture != NONE:
                edges.add(kind, number, fixture, parameter.line, How.FIXTURE)
