"""The examples in docstrings are true."""

import doctest

import pytest

from hindsight_neo4j.extract.python import strings, targets


@pytest.mark.parametrize("module", [strings, targets])
def test_examples(module):
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed
