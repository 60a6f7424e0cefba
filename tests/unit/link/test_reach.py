"""The walk from tests to what they reach."""

from __future__ import annotations

from hindsight_neo4j.link.reach import MOST, surest_tests

TEST, OTHER_TEST, NEAR, FAR = 1, 2, 10, 11


def test_a_function_keeps_its_surest_way_from_each_test() -> None:
    steps = {TEST: [(FAR, 0.5), (NEAR, 1.0)], NEAR: [(FAR, 0.9)]}

    found = surest_tests({TEST: 1.0}, [], lambda function: steps.get(function, []))

    assert found[FAR][TEST] > 0.5


def test_a_way_that_is_known_without_walking_is_walked_on_from() -> None:
    steps = {NEAR: [(FAR, 0.9)]}

    found = surest_tests({TEST: 1.0}, [(0.8, NEAR, TEST)], lambda function: steps.get(function, []))

    assert found[NEAR] == {TEST: 0.8}
    assert 0 < found[FAR][TEST] < 0.8


def test_no_way_goes_through_another_test() -> None:
    steps = {TEST: [(OTHER_TEST, 1.0)], OTHER_TEST: [(NEAR, 1.0)]}
    jumps = [(0.9, OTHER_TEST, TEST)]

    found = surest_tests(
        {TEST: 1.0, OTHER_TEST: 1.0}, jumps, lambda function: steps.get(function, [])
    )

    assert found == {NEAR: {OTHER_TEST: 1.0}}


def test_of_many_tests_a_function_keeps_the_surest_in_order() -> None:
    tests = {number: 1 - number / 1000 for number in range(100, 100 + 2 * MOST)}

    found = surest_tests(tests, [], lambda function: [(NEAR, 1.0)] if function in tests else [])

    assert list(found[NEAR]) == list(tests)[:MOST]
