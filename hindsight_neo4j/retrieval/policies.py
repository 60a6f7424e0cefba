"""Policies: where each intent walks from its seeds. One row per intent and family; a new intent is a new row.

The families are `default`, `article` (the published system's own rules, kept as a baseline) and `bm25` (no walk at
all, the floor). In `default`, a change or a failure that neither fits surely is walked by the mixed row. Two kinds of
question have rows of their own there: what depends on something, and which tests run it; both are walked against the edges.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from hindsight_neo4j.errors import SettingsError
from hindsight_neo4j.model.graph import EdgeKind
from hindsight_neo4j.model.question import Breadth, Intent, IntentGuess
from hindsight_neo4j.retrieval.anchors import find_anchors
from hindsight_neo4j.retrieval.frontier import StepRule


@dataclass(frozen=True, slots=True)
class Policy:
    """How far and along what a kind of question is walked.

    Attributes:
        name: "family/row".
        steps: The frontier's rules; no steps, no walk.
        max_hops: Most edges from a seed.
        decay: What each hop multiplies a node's strength by.
        holders: Whether the classes and files around the first seeds are seeds too, since imports, decorators and
            module-level calls start there.
        why: Where the choice comes from, in a sentence.
        plain: Leaves out sub-questions and the symbol index as well.
        from_named: Starts at what the question names, where it names something, and not at keyword hits; and answers with
            nothing else than that and what was reached, where anything was.
        only_tests: Of what was reached, answers with tests alone, of which it then says by what way they get there.
        pull: How much more than usual the graph counts.
        learned: Whether the learned ranking orders what was found, and not the sum of hand-set weights. It has learned from
            changes: to questions that only want to understand, it brings nothing (docs/benchmarks.md).
    """

    name: str
    steps: tuple[StepRule, ...]
    max_hops: int
    decay: float
    holders: bool
    why: str
    plain: bool = False
    from_named: bool = False
    only_tests: bool = False
    pull: float = 1.0
    learned: bool = True


def choose_policy(family: str, intent: IntentGuess, question: str) -> Policy:
    """Return the row of `family` for a question of that intent.

    Raises:
        SettingsError: There is no such family.
    """
    rows = POLICIES.get(family)
    if rows is None:
        raise SettingsError(
            f"there is no policy {family!r}", hint=f"use one of {', '.join(sorted(POLICIES))}"
        )
    special = rows.get(_special_row(intent, question))
    return special or rows[_row(intent)]


def _row(intent: IntentGuess) -> str:
    if intent.label is Intent.EXPLORATORY:
        return f"{intent.label}-{intent.scope or Breadth.BROAD}"
    return "mixed" if intent.abstained else intent.label


def _special_row(intent: IntentGuess, question: str) -> str:
    """Return the row for what the question asks for by its words, "" where it is a matter of the intent alone."""
    if len(question) > _LONGEST_ASKING:
        return ""
    if intent.source != "flag":
        if _TESTS_OF.match(question):
            return "tests"
        if _USERS_OF.match(question) or (_USED.match(question) and find_anchors(question)):
            return "impact"
    is_leading = intent.label is Intent.LEADING and not intent.abstained
    return "impact" if is_leading and _DEPENDENTS.search(question) else ""


_LONGEST_ASKING = 300
"""Characters: a longer text is a report, and what it says of uses and breakage is no question for them."""

_DEPENDENTS = re.compile(
    r"\b(?:depends? on|dependents?|callers?|call sites?|used by|users of|usages? of|affect(?:s|ed)?|impact(?:s|ed)?|"
    r"breaks?|broken|relies|rely|blast radius)\b"
    r"|\b(?:who|what|which|anything|anybody|everything)\b.{0,80}?\b(?:calls?|uses?|imports?|reads?|passes|needs?)\b",
    re.IGNORECASE,
)

_USERS_OF = re.compile(
    r"\W*(?:"
    r"(?:who|what)(?: else)? (?:calls(?! (?:do|does|did|are)\b)|uses|imports|invokes|overrides|references|inherits from|depends on|relies on)\b"
    r"|which \w+ (?:calls?|uses?|imports?|invokes?|overrides?|references?|inherits? from|depends? on|rel(?:y|ies) on)\b"
    r"|(?:(?:list|show|find)(?: me)? )?(?:all )?(?:the )?(?:callers?|call sites|users|usages?|dependents?|references) (?:of|to)\b"
    r")",
    re.IGNORECASE,
)
_USED = re.compile(
    r"\W*where (?:is|are|does|do)\b.{1,80}?\b(?:used|called|invoked|imported|referenced)\b",
    re.IGNORECASE,
)
"""Of what is no name ("where is the cookie used?") words tell more than edges."""

_TESTS_OF = re.compile(
    r"\W*(?:"
    r"(?:which|what)(?: \w+)? tests\b"
    r"|(?:which|what|(?:is|are) there(?: any| a)?|(?:list|show|find)(?: me)?(?: all)?(?: the)?)(?: \w+)? tests?"
    r" (?:that |which )?(?:cover|exercis|run|hit|touch|check|call|us(?:e|ing)|for\b|of\b)"
    r"|(?:how|where|by what|is|are)\b.{1,80}?\btested\b(?! (?:with|on|against))"
    r"|(?:what|who) tests\b"
    r"|(?:what is |show )?(?:the )?test coverage (?:of|for)\b"
    r")",
    re.IGNORECASE,
)
"""Only as a question's beginning: "the tests for `f` fail on Windows" reports a failure."""


def _out(*kinds: EdgeKind, last_hop: int = 2, cap: int = 25, expands: bool = True) -> StepRule:
    return StepRule("step/out", kinds, last_hop=last_hop, cap=cap, expands=expands)


def _in(*kinds: EdgeKind, last_hop: int = 2, cap: int = 25, expands: bool = True) -> StepRule:
    return StepRule("step/in", kinds, last_hop=last_hop, cap=cap, expands=expands)


def _down(last_hop: int = 1, cap: int = 40, expands: bool = True) -> StepRule:
    return StepRule("step/children", last_hop=last_hop, cap=cap, expands=expands)


def _beside(cap: int = 15) -> StepRule:
    return StepRule("step/siblings", last_hop=1, cap=cap, expands=False)


_INVOKES, _IMPORTS, _INHERITS = EdgeKind.INVOKES, EdgeKind.IMPORTS, EdgeKind.INHERITS
_OVERRIDES, _REFERENCES, _TESTS = EdgeKind.OVERRIDES, EdgeKind.REFERENCES, EdgeKind.TESTS

_NO_WALK = Policy(
    "bm25", (), 0, 0.0, False, "keyword search alone, the floor to beat", plain=True, learned=False
)

_ARTICLE_OUT = Policy(
    "article/leading",
    (_out(_INVOKES, _IMPORTS, cap=0),),
    2,
    0.5,
    True,
    "the article: outgoing invoke and import edges, to the dependencies of a planned change",
    learned=False,
)
_ARTICLE_BROAD = Policy(
    "article/exploratory-broad",
    (_out(_INVOKES, _IMPORTS, _INHERITS, cap=0), _in(_INVOKES, _IMPORTS, _INHERITS, cap=0)),
    1,
    0.5,
    True,
    "the article: wide expansion across files",
    learned=False,
)

_MIXED = Policy(
    "default/mixed",
    (
        _out(_INVOKES, _IMPORTS, _INHERITS, _TESTS, cap=15),
        _in(_INVOKES, _INHERITS, _TESTS, cap=10, expands=False),
    ),
    1,
    0.5,
    True,
    "no intent is sure: one hop either way",
)

POLICIES: Final[dict[str, dict[str, Policy]]] = {
    "default": {
        "leading": Policy(
            "default/leading",
            (
                _out(_INVOKES, _IMPORTS, _INHERITS),
                _in(_INHERITS, _OVERRIDES, last_hop=1, expands=False),
            ),
            2,
            0.5,
            True,
            "a planned change is read file by file along its dependencies; overriders and subclasses change with it",
        ),
        "impact": Policy(
            "default/impact",
            (_in(_INVOKES, _IMPORTS, _INHERITS, _OVERRIDES, _REFERENCES, _TESTS, cap=40),),
            2,
            0.5,
            False,
            "it asks what depends on something: dependents lie against the edges, and share no words with it",
            from_named=True,
            pull=3.0,
            learned=False,
        ),
        "tests": Policy(
            "default/tests",
            (_in(_TESTS, cap=40), _in(_INVOKES, last_hop=1, cap=15)),
            2,
            0.5,
            False,
            "it asks for the tests of something: they lie against TESTS edges, its own and its callers'",
            from_named=True,
            only_tests=True,
            pull=3.0,
            learned=False,
        ),
        "lagging": Policy(
            "default/lagging",
            (
                _out(_INVOKES, _TESTS, _IMPORTS),
                _in(_INVOKES, last_hop=1, cap=15, expands=False),
                _out(_INHERITS, _OVERRIDES, last_hop=1, cap=10, expands=False),
            ),
            2,
            0.5,
            True,
            "a symptom is shown by frames and tests; its cause lies in what they call, function by function",
        ),
        "exploratory-broad": Policy(
            "default/exploratory-broad",
            (
                _out(_IMPORTS, _INVOKES, _REFERENCES, _INHERITS, _TESTS, cap=20),
                _in(_IMPORTS, _INVOKES, _INHERITS, _REFERENCES, _TESTS, cap=15),
                _beside(),
            ),
            1,
            0.5,
            True,
            "the article's wide expansion, each kind of edge capped so that no hub fills the list",
            learned=False,
        ),
        "exploratory-deep": Policy(
            "default/exploratory-deep",
            (
                # First, so that of a file's members those that a seed calls are shown as called.
                _out(_INVOKES, _TESTS, _INHERITS, last_hop=1, cap=20, expands=False),
                _down(),
            ),
            1,
            0.5,
            True,
            "the article's descent from file to class to function, and the callees one hop away",
            learned=False,
        ),
        "mixed": _MIXED,
    },
    "article": {
        "leading": _ARTICLE_OUT,
        "lagging": Policy(
            "article/lagging",
            (_in(_INVOKES, _IMPORTS, cap=0),),
            2,
            0.5,
            True,
            "the article: incoming edges back toward a root cause",
            learned=False,
        ),
        "exploratory-broad": _ARTICLE_BROAD,
        "exploratory-deep": Policy(
            "article/exploratory-deep",
            (_down(last_hop=2, cap=0),),
            2,
            0.5,
            True,
            "the article: descent into one file's classes and functions",
            learned=False,
        ),
        "mixed": _ARTICLE_BROAD,
    },
}
POLICIES["bm25"] = dict.fromkeys(POLICIES["default"], _NO_WALK)
