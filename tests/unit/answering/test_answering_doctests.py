"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

from hindsight_neo4j import connections
from hindsight_neo4j.answering import citations
from hindsight_neo4j.cli import model
from hindsight_neo4j.distillation import sieve
from hindsight_neo4j.evaluation import code_names


@pytest.mark.parametrize(
    "module",
    [citations, code_names, connections, model, sieve],
    ids=lambda module: module.__name__,
)
def test_examples_in_docstrings_hold(module: ModuleType) -> None:
    ran = doctest.testmod(module)
    assert ran.attempted
    assert ran.failed == 0
