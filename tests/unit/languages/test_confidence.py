"""Figures of edges: one for every tier, cases fall back on theirs, and one package does not speak for all."""

from __future__ import annotations

import pytest

from benchmarks.train_confidence import MOST, drawn, fit, shares
from hindsight_neo4j.languages.confidence import Confidences, case_of, measured
from hindsight_neo4j.model.graph import How, Tier


def test_every_tier_has_a_figure_that_is_a_share() -> None:
    figures = measured()
    assert all(0 <= figures.of(tier, How.CALL) <= 1 for tier in Tier)
    assert figures.of(Tier.DIRECT, How.CALL) > 0.9 > 0.1 > figures.of(Tier.DECLARED, How.CALL)


def test_a_site_with_few_targets_is_surer_than_one_with_many() -> None:
    figures = measured()
    few, many = (
        figures.of(tier, How.OVERRIDE, targets)
        for tier, targets in ((Tier.OVERRIDE, 3), (Tier.MANY, 15))
    )
    assert few >= 0.5 > many


def test_what_a_method_calls_on_its_own_receiver_is_surer_than_what_others_call() -> None:
    figures = measured()
    for tier, targets in ((Tier.OVERRIDE, 5), (Tier.MANY, 15)):
        own, other = (figures.of(tier, How.OVERRIDE, targets, False, own) for own in (True, False))
        assert own > max(0.5, other)


def test_a_case_that_was_never_seen_takes_the_figure_of_its_tier() -> None:
    figures = Confidences({"flow": 0.7}, {case_of(Tier.FLOW, How.CALL, 1, False, False): 0.9})
    assert figures.of(Tier.FLOW, How.CALL, 1) == 0.9
    assert figures.of(Tier.FLOW, How.WITH, 1) == 0.7


def test_what_is_seen_seldom_stays_near_what_is_believed() -> None:
    assert drawn(0, 0, 0.5) == 0.5
    assert drawn(1, 1, 0.5) < 0.6 < drawn(100, 100, 0.5)


def test_no_package_counts_for_more_than_its_share() -> None:
    case = case_of(Tier.MANY, How.OVERRIDE, 15, False, False)
    cases, tiers = shares({"large": [(case, True)] * 1000, "small": [(case, False)] * 10})
    assert cases[case] == (MOST, MOST + 10) == tiers["many"]
    assert fit({"large": [(case, True)] * 1000}).of_case(Tier.MANY, case) < 0.8


@pytest.mark.parametrize("targets", [1, 2, 6, 7, 20, 21, 1000])
def test_counts_are_told_apart_by_their_bounds(targets: int) -> None:
    assert case_of(Tier.FLOW, How.CALL, targets, False, False).split()[2] in {
        "1",
        "2",
        "6",
        "20",
        "21",
    }
