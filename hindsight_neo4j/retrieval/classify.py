"""Classify: which intent a question has and how broad it is, by linear models over hashed n-grams that ship as data.

`intent_model.json` is made by `benchmarks/train/intent.py`. Names from code are blanked before anything is counted, so
the model reads how something is asked and not about what.
"""

from __future__ import annotations

import json
import math
import re
from base64 import b64decode
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias
from zlib import crc32

import numpy as np
import numpy.typing as npt

from hindsight_neo4j.model.question import Breadth, Intent, IntentGuess
from hindsight_neo4j.retrieval.anchors import is_code_name

LABELS = ("leading", "lagging", "exploratory-broad", "exploratory-deep")

READ_LENGTH = 600
"""Characters that are classified. What follows in a long issue are steps and logs, which sound alike in all intents."""

ABSTAIN_BELOW = 0.5
"""Least probability of the best label; below it the mixed policy is walked. Documented in docs/cli.md."""

MOST_SURE = 0.999
"""Most that a guess is said to be worth: some hundred texts were held out, and they show no more."""

FLAG_VALUE = 0.5
"""What a flag that is set counts, where each family of n-grams has the length 1."""

_TOKEN = re.compile(r"[A-Za-z_][\w.]*(?:\(\))?|\d+|[?!:`]|\n")
Flags: TypeAlias = tuple[tuple[str, re.Pattern[str]], ...]


def _compiled(*flags: tuple[str, str]) -> Flags:
    return tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in flags)


_FLAGS = _compiled(
    ("asks", r"\?\s*$"),
    ("question word first", r"^\W*(?:how|where|why|what|which|who|when|does|do|is|are|can)\b"),
    ("frame", r'File "|Traceback|\.\w{1,4}:\d+:|\bat \w[\w.]*\('),
    ("error name", r"\b\w*(?:Error|Exception|Warning)\b"),
    ("failing", r"\b(?:fail\w*|crash\w*|broken?|wrong\w*|bug\w*|leak\w*|hang\w*|raise[sd]?|throw\w*|unexpected\w*|regression|incorrect\w*|missing|ignored)\b"),
    ("negation", r"\b(?:not|no longer|never|cannot|can't|doesn't|don't|isn't|won't|without)\b"),
    ("fixing", r"\b(?:fix\w*|prevent|avoid|handle|correct(?:ly)?)\b"),
    ("changing", r"\b(?:add\w*|support\w*|allow\w*|remove\w*|rename\w*|drop\w*|make|replace\w*|refactor\w*|move\w*|deprecat\w*|improve\w*|change\w*|extend|introduce|migrate)\b"),
    ("first person plan", r"\b(?:I|we)(?:'d| want| would| need| plan| am going| are going|'m going| could| should)\b|\bif (?:I|we)\b|\bbefore (?:I|we)\b"),
    ("impact", r"\b(?:depends? on|callers?|calls|uses?|used by|affected|impact|break(?:s|ing)?|touch\w*)\b"),
    ("across", r"\b(?:across|overall|overview|architecture|interact\w*|modules|components|together|throughout|between|layers?|pipeline|flow\w*|system|different)\b"),
    ("inside", r"\b(?:returns?|default|value|parameter|argument|condition|method|function|inside|loop|branch|attribute|when does)\b"),
    ("time", r"\b(?:since|after|anymore|used to|previously|upgrade\w*|sometimes)\b"),
    ("no question word, short", r"^(?!.*\b(?:how|where|why|what|which|who|is|are|does)\b)[^?]{0,60}$"),
    ("up to six words", r"^\s*(?:\S+\s+){0,5}\S+\s*$"),
    ("seven to fourteen words", r"^\s*(?:\S+\s+){6,13}\S+\s*$"),
    ("long question", r"(?s)^\W*(?:how|where|why|what|which|who|when|in|under|at|describe|explain)\b\S*\s+(?:\S+\s+){13,}.*\?\s*$"),
)  # fmt: skip

_SCOPE_FLAGS = _compiled(
    ("one thing asked", r"^\W*(?:how|where|why|what) (?:does|is|was)\b"),
    ("several things asked", r"^\W*(?:how|where|why|what) (?:do|are|were)\b"),
    ("one part", r"\b(?:the|this|its) (?:[\w.«»-]+ ){0,4}(?:method|function|class|constructor|property|loop|helper|test|setter|parser)\b"),
    ("parts", r"\b(?:methods|functions|classes|modules|components|layers|tests|files|packages|services|backends|back ends|processes|plugins|tools|implementations|variants|models|subclasses)\b"),
    ("each", r"\b(?:both|each|all|every|several|various|multiple|respective\w*|mutual\w*|one another|each other)\b"),
    ("relation", r"\b(?:interact\w*|coordinat\w*|cooperat\w*|collaborat\w*|communicat\w*|shar(?:e|es|ed|ing)|divid\w*|agree\w*|propagat\w*|orchestrat\w*|integrat\w*|connect\w*|travel\w*|flow\w*|depend\w*|relation\w*|synchron\w*|reach(?:es)?|work together|fit together|hand(?:s|ed)? (?:over|on)|delegat\w*)\b"),
    ("detail", r"\b(?:default\w*|attribute|argument|parameter|flag|constant|suffix|prefix|exception|message|return(?:s|ed)?|value|condition|index|dtype|exact\w*|regex|regular expression|key)\b"),
    ("condition", r"\b(?:under (?:what|which) (?:condition|circumstance)s?|in (?:what|which) cases?|what happens (?:if|when|to)|when .* (?:is|are) (?:none|empty|zero|not|missing|set))"),
)  # fmt: skip

_JOINING = """
a an the this that these those it its his her their they them which what where when who whom whose why how is are was
were be been being do does did done has have had will would can could should may might must shall not no never only and
or but nor so if then than as at by for from in into of off on onto out over per through to toward under until up upon
via with within without across after against along among around before behind below between beyond during inside outside
throughout together all any both each either every few many more most much neither none one two three four several some
such same other another different various own first last next previous new old there here about above again also just
still yet too very while because since whether though although i we you my our your me us
"""

_PARTS = """
class classes method methods function functions module modules file files code package packages component components
layer layers test tests argument arguments parameter parameters attribute attributes default value values return returns
raise raises error exception call calls called defined implemented located used uses happens condition conditions name
type interact coordinate cooperate share shared pass passed passes flow depend depends dependency relationship hierarchy
inheritance pipeline architecture overall ensure ensures handle handles decide decides determine determines add change
remove make fix fails wrong support
"""

_KEPT = frozenset(f"{_JOINING} {_PARTS}".split())
"""Words that a shape keeps: those that join or ask, and parts of code with what they do."""


@dataclass(frozen=True, slots=True)
class Regression:
    """A linear model: its weights by choice and bucket, and the temperature that makes its shares honest."""

    temperature: float
    bias: npt.NDArray[np.float64]
    scale: float
    weights: npt.NDArray[np.int8]  # (choices, buckets), times `scale`

    def sums(self, features: dict[int, float]) -> list[float]:
        """Return the sum of each choice; the exponents of two of them tell their odds."""
        asked = self.weights[:, np.fromiter(features, np.intp)] @ np.fromiter(
            features.values(), np.float64
        )
        sums: list[float] = ((self.bias + self.scale * asked) / self.temperature).tolist()
        return sums


@dataclass(frozen=True, slots=True)
class IntentModel:
    """Two questions to a text: which of the three intents it has, and how broad it is if it explores.

    The first is put to all four labels, whose two that explore are added up: they are asked in different words.
    """

    buckets: int
    intent: Regression
    scope: Regression  # of deep against broad

    def probabilities(self, text: str) -> dict[str, float]:
        """Return the probability of each label for `text`."""
        leading, lagging, *exploring = _shares(self.intent.sums(hashed(text, self.buckets)))
        of_scope = _added(hashed_for_scope(text, self.buckets))
        scopes = _shares([0.0, *self.scope.sums(of_scope)])
        shares = [leading, lagging, *(sum(exploring) * scope for scope in scopes)]
        return dict(zip(LABELS, shares, strict=True))


def classify(
    question: str, *, intent: Intent | None = None, scope: Breadth | None = None
) -> IntentGuess:
    """Guess the intent of `question`, or take the one that is given.

    Args:
        question: Any text; its first `READ_LENGTH` characters count.
        intent: Overrides the classifier.
        scope: Overrides its scope; given alone it means an exploratory question.
    """
    probabilities = load_model().probabilities(question.strip()[:READ_LENGTH])
    if intent is None and scope is not None:
        intent = Intent.EXPLORATORY
    if intent is not None:
        return _as_told(intent, scope, probabilities)
    label = _three_way(probabilities)
    confidence = sum(value for name, value in probabilities.items() if name.startswith(label))
    return IntentGuess(
        label=label,
        scope=_scope(probabilities) if label is Intent.EXPLORATORY else None,
        confidence=min(round(confidence, 4), MOST_SURE),
        probabilities={name: round(value, 4) for name, value in probabilities.items()},
        abstained=confidence < ABSTAIN_BELOW,
        source="classifier",
        why=_why(question, label),
    )


@cache
def load_model() -> IntentModel:
    """Read the model that ships with the package, once a process."""
    data = json.loads(files(__package__).joinpath("intent_model.json").read_text("utf-8"))
    return IntentModel(data["buckets"], _regression(data["intent"]), _regression(data["scope"]))


def hashed(text: str, buckets: int) -> dict[int, float]:
    """Return the features of `text` that tell its intent, by bucket: n-grams of words, of letters, and flags.

    Training and inference share this function and the next; nothing else may decide what a bucket means.
    """
    return _added(
        (
            _unit(_word_grams(text), buckets),
            _unit(_letter_grams(text), buckets),
            {_bucket(name, buckets): FLAG_VALUE for name in _flags(text, _FLAGS)},
        )
    )


def hashed_for_scope(text: str, buckets: int) -> tuple[dict[int, float], ...]:
    """Return the features of `text` that tell its scope, by family and bucket: n-grams of letters and of shapes, flags.

    Each family learns alone and their sums are averaged: together, the n-grams would explain away what the few flags
    could tell of questions that sound like none of the lessons.
    """
    return (
        _unit(_letter_grams(text), buckets),
        _unit(_shape_grams(text), buckets),
        {_bucket(name, buckets): 1.0 for name in _flags(text, _SCOPE_FLAGS)},
    )


def _added(families: Iterable[dict[int, float]]) -> dict[int, float]:
    features: dict[int, float] = {}
    for family in families:
        for bucket, value in family.items():
            features[bucket] = features.get(bucket, 0.0) + value
    return features


def _unit(names: Iterable[str], buckets: int) -> dict[int, float]:
    counts = Counter(_bucket(name, buckets) for name in names)
    damped = {bucket: 1.0 + math.log(count) for bucket, count in counts.items()}
    length = math.sqrt(sum(value * value for value in damped.values())) or 1.0
    return {bucket: value / length for bucket, value in damped.items()}


def _bucket(name: str, buckets: int) -> int:
    return crc32(name.encode("utf-8", "replace")) % buckets


def _words(text: str) -> list[str]:
    words = []
    for match in _TOKEN.finditer(text):
        word = match.group()
        if word.isdigit():
            words.append("0")
        elif is_code_name(word.removesuffix("()")) or word.endswith("()"):
            words.append("«name»")
        else:
            words.append(word.lower())
    return words


def _word_grams(text: str) -> Iterator[str]:
    words = ["«start»", *_words(text), "«end»"]
    for size in (1, 2, 3):
        for at in range(len(words) - size + 1):
            yield "w " + " ".join(words[at : at + size])


def _letter_grams(text: str) -> Iterator[str]:
    for word in _words(text):
        padded = f" {word} "
        for size in (3, 4, 5):
            for at in range(len(padded) - size + 1):
                yield "c " + padded[at : at + size]


def _shape_grams(text: str) -> Iterator[str]:
    words = ["«start»", *map(_shape, _words(text)), "«end»"]
    for size in (2, 3, 4, 5):
        for at in range(len(words) - size + 1):
            yield "s " + " ".join(words[at : at + size])


def _shape(word: str) -> str:
    """Return `word` if it says how something is asked; else, of what it is about, only the ending."""
    if word in _KEPT or not word[0].isalpha():
        return word
    return next((f"·{end}" for end in ("ing", "ed", "ly") if word.endswith(end)), _number(word))


def _number(word: str) -> str:
    return "·s" if word.endswith("s") and not word.endswith("ss") else "·"


def _flags(text: str, flags: Flags) -> Iterator[str]:
    return ("f " + name for name, pattern in flags if pattern.search(text))


def _regression(data: dict[str, Any]) -> Regression:
    return Regression(
        temperature=data["temperature"],
        bias=np.array(data["bias"]),
        scale=data["scale"],
        weights=np.array([np.frombuffer(b64decode(row), np.int8) for row in data["weights"]]),
    )


def _shares(sums: list[float]) -> list[float]:
    top = max(sums)
    raised = [math.exp(each - top) for each in sums]
    return [each / sum(raised) for each in raised]


def _three_way(probabilities: dict[str, float]) -> Intent:
    def sum_of(intent: Intent) -> float:
        return sum(value for name, value in probabilities.items() if name.startswith(intent))

    return max(Intent, key=sum_of)


def _scope(probabilities: dict[str, float]) -> Breadth:
    return max(Breadth, key=lambda scope: probabilities[f"{Intent.EXPLORATORY}-{scope}"])


def _as_told(intent: Intent, scope: Breadth | None, probabilities: dict[str, float]) -> IntentGuess:
    if intent is not Intent.EXPLORATORY:
        scope = None
    elif scope is None:
        scope = _scope(probabilities)
    return IntentGuess(
        label=intent,
        scope=scope,
        confidence=1.0,
        probabilities={name: round(value, 4) for name, value in probabilities.items()},
        abstained=False,
        source="flag",
        why="you said so",
    )


def _why(question: str, label: Intent) -> str:
    seen = [name for name, pattern in _FLAGS if pattern.search(question[:READ_LENGTH])]
    return f"its wording; {', '.join(seen[:3])}" if seen else "its wording"
