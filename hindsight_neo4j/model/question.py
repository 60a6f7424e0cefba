"""Questions and what retrieval makes of them: intents, sub-questions, candidates, evidence, results."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final

from hindsight_neo4j.model.answer import Answer
from hindsight_neo4j.model.exchange import NO_USAGE, Usage

SCHEMA_VERSION = 1
"""Version of the JSON objects that `locate` and `ask` print."""


class Intent(StrEnum):
    """What the asker is about to do: change something, explain a failure, or understand."""

    LEADING = "leading"
    LAGGING = "lagging"
    EXPLORATORY = "exploratory"


class Breadth(StrEnum):
    """Whether the answer lies across files or inside one file, class or function."""

    BROAD = "broad"
    DEEP = "deep"


@dataclass(frozen=True, slots=True)
class IntentGuess:
    """An intent with the classifier's confidence (0 to 1) and why, in a few words.

    `probabilities` has the four labels leading, lagging, exploratory-broad, exploratory-deep. `abstained` means that
    no label was sure enough; the mixed policy is walked then, but for an exploratory one. `source` is
    "classifier", "model" or "flag".
    """

    label: Intent
    scope: Breadth | None
    confidence: float
    probabilities: dict[str, float]
    abstained: bool
    source: str
    why: str


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """A part of the question. `start` and `end` are character offsets in it; `anchors` are the words it hangs on."""

    text: str
    start: int
    end: int
    anchors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hop:
    """One edge walked, from what was known to what was found.

    `src` and `dst` are the edge's own ends; `forward` says whether it was walked from `src` to `dst`. `path` and `line`
    are where the edge stands in the source (line 0 where it has no line).
    """

    src: str
    dst: str
    kind: str
    forward: bool
    path: str
    line: int
    how: str
    tier: str
    confidence: float


IN_FITTING_FILE: Final = "inside a file that fits"
"""The reason of a candidate for which nothing speaks but where it lies."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A node that may be relevant. `parts` are the named parts that add up to `score`; `hops` lead from its seed."""

    id: str
    kind: str
    name: str
    path: str
    start_line: int
    end_line: int
    signature: str
    doc: str
    is_test: bool
    unresolved: int
    score: float
    parts: dict[str, float]
    hops: tuple[Hop, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A candidate's text, packed into the context budget. `whole` is false where only the signature fitted."""

    id: str
    path: str
    start_line: int
    end_line: int
    text: str
    tokens: int
    whole: bool
    via: tuple[Hop, ...]


@dataclass(frozen=True, slots=True)
class Budget:
    """The context budget, in tokens of the tokenizer named."""

    limit: int
    used: int
    tokenizer: str


@dataclass(frozen=True, slots=True)
class Step:
    """One thing retrieval did, for `--explain`: a template with its bound parameters, or a search."""

    stage: str
    what: str
    params: dict[str, Any]
    rows: int
    ms: float


@dataclass(frozen=True, slots=True)
class Located:
    """A ranking, best first. Modules are classes and top-level functions."""

    question: str
    snapshot: str
    policy: str
    intent: IntentGuess
    subquestions: tuple[SubQuestion, ...]
    files: tuple[Candidate, ...]
    modules: tuple[Candidate, ...]
    classes: tuple[Candidate, ...]
    functions: tuple[Candidate, ...]
    reason: str  # why nothing was found; empty when something was
    steps: tuple[Step, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the documented `locate --json` object (docs/cli.md)."""
        return {
            "schema": SCHEMA_VERSION,
            "question": self.question,
            "snapshot": self.snapshot,
            "policy": self.policy,
            "intent": {
                "label": self.intent.label.value,
                "scope": self.intent.scope.value if self.intent.scope else None,
                "confidence": self.intent.confidence,
                "probabilities": self.intent.probabilities,
                "abstained": self.intent.abstained,
                "source": self.intent.source,
                "why": self.intent.why,
            },
            "subquestions": [asdict(part) for part in self.subquestions],
            "files": [{"id": c.id, "score": c.score} for c in self.files],
            "modules": [{"id": c.id, "score": c.score} for c in self.modules],
            "classes": [_placed(c) for c in self.classes],
            "functions": [_placed(c) for c in self.functions],
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Asked:
    """A ranking with the evidence packed for a reader or a model.

    `answer` is None when no model is set, or when it `failed`; `answer_reason` says which. `notes` say what went otherwise
    than planned, `usage` what the model took.
    """

    located: Located
    evidence: tuple[Evidence, ...]
    budget: Budget
    unresolved: tuple[tuple[str, int, str], ...]  # node id, calls without an edge, their names
    answer: Answer | None
    answer_reason: str
    failed: bool = False
    notes: tuple[str, ...] = ()
    usage: Usage = NO_USAGE

    def to_dict(self) -> dict[str, Any]:
        """Return the documented `ask --json` object (docs/cli.md)."""
        return {
            **self.located.to_dict(),
            "evidence": [
                {
                    "id": piece.id,
                    "path": piece.path,
                    "start_line": piece.start_line,
                    "end_line": piece.end_line,
                    "text": piece.text,
                    "tokens": piece.tokens,
                    "whole": piece.whole,
                    "via": [
                        {
                            "src": hop.src,
                            "dst": hop.dst,
                            "kind": hop.kind,
                            "line": hop.line,
                            "confidence": hop.confidence,
                        }
                        for hop in piece.via
                    ],
                }
                for piece in self.evidence
            ],
            "budget": asdict(self.budget),
            "unresolved": [
                {"id": node, "calls": calls, "names": names}
                for node, calls, names in self.unresolved
            ],
            "answer": self.answer.to_dict() if self.answer else None,
            "answer_reason": self.answer_reason,
            "failed": self.failed,
            "notes": list(self.notes),
            "usage": self.usage.to_dict(),
        }


def _placed(candidate: Candidate) -> dict[str, Any]:
    return {
        "id": candidate.id,
        "score": candidate.score,
        "start_line": candidate.start_line,
        "end_line": candidate.end_line,
    }
