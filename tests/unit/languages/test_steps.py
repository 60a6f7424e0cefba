"""How likely a step is taken: surer edges are likelier, a start with many steps takes few of them, a test takes its own."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.train_steps import fit
from hindsight_neo4j.languages.steps import Steps, measured_steps, traits


def test_a_step_is_likelier_the_surer_its_edge_and_the_fewer_leave_its_start() -> None:
    steps = measured_steps()
    assert 0 < steps.taken(0.6, 3, False) < steps.taken(0.9, 3, False) < 1
    assert steps.taken(0.9, 30, False) < steps.taken(0.9, 3, False)
    assert steps.taken(0.9, 3, False) < steps.taken(0.9, 3, True)


def test_certain_and_impossible_edges_have_odds_too() -> None:
    steps = measured_steps()
    assert 0 < steps.taken(0.0, 1, False) < steps.taken(1.0, 1, False) < 1


def test_the_weights_that_made_the_runs_are_found_again() -> None:
    made = Steps(base=0.5, sure=0.8, leaving=-0.6, test=1.0)
    seen = [
        (sure, leaving, is_test)
        for sure in (0.1, 0.5, 0.7, 0.9)
        for leaving in (1, 5, 40)
        for is_test in (False, True)
    ]
    features = np.array([traits(*one) for one in seen])
    shares = np.array([made.taken(*one) for one in seen])
    found = fit([(features, shares, np.full(len(seen), 100.0))])
    for name in ("base", "sure", "leaving", "test"):
        assert getattr(found, name) == pytest.approx(getattr(made, name), abs=0.01)
