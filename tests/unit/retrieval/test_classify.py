"""The classifier is honest: probabilities add up, flags win, and what is not sure is said to be so."""

from __future__ import annotations

from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_neo4j.model.question import Breadth, Intent, IntentGuess
from hindsight_neo4j.retrieval.classify import ABSTAIN_BELOW, LABELS, classify
from hindsight_neo4j.retrieval.policies import POLICIES, choose_policy


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("What would break if I rename Store.put?", Intent.LEADING),
        ("Which callers do I have to touch before I drop the old format?", Intent.LEADING),
        ("KeyError when reading a record that was just written", Intent.LAGGING),
        ("Why does test_put fail on Windows only?", Intent.LAGGING),
        ("How do the parser and the writer work together?", Intent.EXPLORATORY),
        ("What does Store.get return by default?", Intent.EXPLORATORY),
    ],
)
def test_plain_questions_of_each_intent_are_told_apart(question: str, label: Intent) -> None:
    assert classify(question).label is label


@given(st.text(max_size=300))
def test_probabilities_are_probabilities(question: str) -> None:
    guess = classify(question)
    assert set(guess.probabilities) == set(LABELS)
    assert sum(guess.probabilities.values()) == pytest.approx(1.0, abs=0.001)
    assert 0.0 <= guess.confidence <= 1.0001
    assert guess.abstained == (guess.confidence < ABSTAIN_BELOW)
    assert (guess.scope is None) == (guess.label is not Intent.EXPLORATORY)


def test_flags_win_over_the_classifier() -> None:
    guess = classify("Why does it crash?", intent=Intent.EXPLORATORY, scope=Breadth.DEEP)
    assert (guess.label, guess.scope, guess.source) == (
        Intent.EXPLORATORY,
        Breadth.DEEP,
        "flag",
    )
    assert not guess.abstained
    assert classify("Why does it crash?", scope=Breadth.BROAD).label is Intent.EXPLORATORY
    assert classify("How does it work?", intent=Intent.LAGGING, scope=Breadth.DEEP).scope is None


def test_the_model_that_ships_stays_small() -> None:
    model = files("hindsight_neo4j.retrieval").joinpath("intent_model.json")
    assert len(model.read_bytes()) < 2_000_000


def guess(label: Intent, scope: Breadth | None = None, *, abstained: bool = False) -> IntentGuess:
    return IntentGuess(label, scope, 0.9, {}, abstained, "classifier", "")


def test_every_family_has_a_row_for_every_intent_that_says_why() -> None:
    intents = {"leading", "lagging", "exploratory-broad", "exploratory-deep", "mixed"}
    assert all(intents <= family.keys() for family in POLICIES.values())
    assert all(row.why for family in POLICIES.values() for row in family.values())


def test_what_is_not_sure_is_walked_by_the_mixed_row() -> None:
    policy = choose_policy("default", guess(Intent.LEADING, abstained=True), "anything")
    assert policy.name == "default/mixed"


def test_asking_for_dependents_walks_against_the_edges_and_says_so() -> None:
    policy = choose_policy("default", guess(Intent.LEADING), "What depends on Store.put?")
    assert policy.name == "default/impact"
    assert "step/in" in {rule.template for rule in policy.steps}


@pytest.mark.parametrize(
    "question",
    [
        "which tests cover `Store.put`?",
        "Which unit tests exercise Store.put?",
        "what tests exist for Store.put?",
        "what tests Store.put?",
        "how is Store.put tested?",
        "is Store.put tested anywhere?",
        "are there any tests for Store.put?",
        "is there a test that calls Store.put?",
        "show me the tests of Store.put",
        "test coverage of Store.put",
    ],
)
def test_asking_for_tests_walks_to_tests_whatever_the_intent(question: str) -> None:
    for label in Intent:
        assert choose_policy("default", guess(label), question).name == "default/tests"
        assert choose_policy("article", guess(label), question).name != "default/tests"


@pytest.mark.parametrize(
    "question",
    [
        "the tests for `put` fail on Windows",
        "why is this test skipped?",
        "Test client ignores cookies",
        "how does the test client work?",
        "which test settings does Store.put use?",
        "is Store.put tested with Python 3.13?",
        "which tests cover Store.put? " + "It fails. " * 30,
    ],
)
def test_speaking_of_tests_is_no_asking_for_them(question: str) -> None:
    for label in Intent:
        assert choose_policy("default", guess(label), question).name != "default/tests"


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("who calls Store.put?", "default/impact"),
        ("which functions use `put`?", "default/impact"),
        ("show me all callers of put", "default/impact"),
        ("where is Store.put called?", "default/impact"),
        ("where is the session cookie used?", "default/exploratory-deep"),
        ("what calls does Store.put make?", "default/exploratory-deep"),
        ("what use is the cache?", "default/exploratory-deep"),
    ],
)
def test_who_asks_for_the_users_of_a_name_explores_against_the_edges(
    question: str, row: str
) -> None:
    told = guess(Intent.EXPLORATORY, Breadth.DEEP)
    assert choose_policy("default", told, question).name == row


def test_a_flag_wins_over_what_the_question_asks_for() -> None:
    told = classify("which tests cover Store.put?", intent=Intent.LAGGING)
    assert choose_policy("default", told, "which tests cover Store.put?").name == "default/lagging"


def test_long_runs_of_spaces_are_read_in_no_time() -> None:
    # Repeated groups that may be empty make a regular expression try every way to cut a run of spaces.
    guess = classify("when" + " " * 500 + "it fails")
    assert guess.probabilities


def test_no_guess_is_certain() -> None:
    guess = classify("what breaks if I change url_for?")
    assert guess.confidence < 1.0
