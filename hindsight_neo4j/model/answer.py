"""Answers in prose, sentence by sentence, with the places that each one cites."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Mode(StrEnum):
    """How much a model does: nothing, plan and read, or choose each step as well."""

    OFFLINE = "offline"
    ASSISTED = "assisted"
    AGENT = "agent"


class Fault(StrEnum):
    """What is wrong with a citation, in words that a reader sees."""

    NONE = ""
    NO_FILE = "no such file was given to the model"
    NO_LINES = "these lines were not given to the model"
    NO_WORDS = "none of the names in the sentence stand there"


@dataclass(frozen=True, slots=True)
class Citation:
    """A place that a sentence cites. Lines are 1-based and inclusive; `fault` is empty where it holds."""

    path: str
    start_line: int
    end_line: int
    fault: Fault = Fault.NONE

    @property
    def holds(self) -> bool:
        """Whether the place was packed."""
        return self.fault is Fault.NONE


@dataclass(frozen=True, slots=True)
class Sentence:
    """One claim. It is supported when it cites something and every citation holds."""

    text: str
    citations: tuple[Citation, ...]
    supported: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered, checked against what it was given.

    Attributes:
        sentences: The claims, in order.
        found: False where the model said that the repository does not tell.
        model: Who answered.
        prompt: Name and version of the prompt.
    """

    sentences: tuple[Sentence, ...]
    found: bool
    model: str
    prompt: str

    @property
    def prose(self) -> str:
        """The answer as it was said, without a mark of ours."""
        return "\n".join(sentence.text for sentence in self.sentences)

    @property
    def text(self) -> str:
        """The answer, with what nothing supports marked as such."""
        return "\n".join(
            sentence.text
            if sentence.supported or not self.found
            else f"{sentence.text} [unsupported]"
            for sentence in self.sentences
        )

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations that hold, each once, in the order of the text."""
        held = (each for sentence in self.sentences for each in sentence.citations if each.holds)
        return tuple(dict.fromkeys(held))

    def to_dict(self) -> dict[str, Any]:
        """Return the documented object of `ask --json` (docs/cli.md)."""
        return {
            "text": self.text,
            "found": self.found,
            "citations": [_place(each) for each in self.citations],
            "sentences": [
                {
                    "text": sentence.text,
                    "supported": sentence.supported,
                    "citations": [
                        {**_place(each), "fault": each.fault.value} for each in sentence.citations
                    ],
                }
                for sentence in self.sentences
            ],
            "model": self.model,
            "prompt": self.prompt,
        }


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step of a run with a model, as `--trace` writes it.

    Attributes:
        step: Its number, from 1.
        at_ms: When it was done, in milliseconds since the question.
        action: "plan", a tool of the agent, "finish", "none" (the model named no step), "read" or "failed".
        arguments: What it was about.
        said: What came of it.
        tokens: Read and written for it; 0 where the cache knew.
    """

    step: int
    at_ms: float
    action: str
    arguments: dict[str, Any]
    said: str
    tokens: int

    def to_dict(self) -> dict[str, Any]:
        """Return the step as plain data, ready for JSON."""
        return asdict(self)


def _place(citation: Citation) -> dict[str, Any]:
    return {
        "path": citation.path,
        "start_line": citation.start_line,
        "end_line": citation.end_line,
    }
