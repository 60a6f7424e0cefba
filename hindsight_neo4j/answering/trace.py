"""The trace: each step of a model on one question, numbered, with its time and what it took."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from hindsight_neo4j.model.answer import TraceStep
from hindsight_neo4j.models.talk import Talk

Trace = Callable[[TraceStep], None]


@dataclass(slots=True)
class Tracer:
    """Makes the steps of one question. `hear` is given each as soon as it is done."""

    talk: Talk
    hear: Trace
    _began: float = field(default_factory=time.monotonic)
    _steps: int = 0
    _tokens: int = field(init=False)

    def __post_init__(self) -> None:
        # A talk may have other questions behind it.
        self._tokens = self.talk.usage.tokens

    def note(self, action: str, arguments: Mapping[str, object], said: str) -> None:
        """Note a step: its tokens are those used since the step before."""
        tokens = self.talk.usage.tokens
        self._steps += 1
        at_ms = round((time.monotonic() - self._began) * 1_000, 1)
        took = tokens - self._tokens
        self.hear(TraceStep(self._steps, at_ms, action, dict(arguments), said, took))
        self._tokens = tokens
