"""TESTS edges: from a test to what it calls by itself, and to the fixtures it asks for.

A fixture that asks for another one INVOKES it, so the way from a test to what its fixtures run is in the graph.
"""

from __future__ import annotations

from hindsight_neo4j.link.edges import EdgeTable
from hindsight_neo4j.link.infer import Inference
from hindsight_neo4j.link.numbers import FUNCTION
from hindsight_neo4j.model.facts import NONE
from hindsight_neo4j.model.graph import EdgeKind, How


def add_tests(inference: Inference, edges: EdgeTable) -> None:
    """Add the TESTS edges of every test; INVOKES edges must be there already."""
    project, fixtures = inference.project, inference.fixtures
    invokes, tested = edges.of_kind(EdgeKind.INVOKES), edges.of_kind(EdgeKind.TESTS)
    functions = [n for n, scope in enumerate(project.scopes) if scope.kind == FUNCTION]
    tests = {number for number in functions if fixtures.is_test(number)}
    for number in tests:
        for dst, found in invokes.found.get(number, {}).items():
            if isinstance(dst, int) and not project.file_of[dst].is_test:
                tested.copy(number, dst, found)
    for number in functions:
        if number not in tests and not fixtures.is_fixture(number):
            continue
        kind = tested if number in tests else invokes
        for parameter in project.scopes[number].parameters:
            fixture = fixtures.find(number, parameter.name)
            if fixture != NONE:
                kind.add(number, fixture, parameter.line, How.FIXTURE)
