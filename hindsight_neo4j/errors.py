"""Everything that can go wrong in a run of ours. What is wrong *in the source read* is a Diagnostic.

    HindsightError                 exit code
    ├─ SettingsError               2   a flag, an environment variable or a file says something impossible
    ├─ SourceError                 1   the repository cannot be read, or holds nothing to read
    ├─ LanguageError               1   a language file is wrong or its grammar does not load
    ├─ TemplateError               2   a template, its header or a parameter is wrong; Cypher is refused
    ├─ QuestionError               2   the question cannot be asked (empty)
    ├─ SymbolError                 1   a symbol is unknown or ambiguous
    ├─ SnapshotError               1   a snapshot is unknown, or it is not said which
    ├─ StoreError
    │  ├─ StoreUnavailable         3   no index, or a store does not answer
    │  ├─ StoreBusy                3   another process writes this index
    │  ├─ SchemaMismatch           4   the index was written by another version
    │  └─ WriteFailed              3   a write did not finish; what was there before is untouched
    └─ ModelError                  5   a language model failed
       ├─ ModelUnavailable         5   its server does not answer, or not in time
       ├─ ModelRefused             5   its server refuses: the key, the model's name, the request
       │  └─ ContextOverflow       5   the request is longer than the model can read
       ├─ BadReply                 5   what came is no reply: HTML, broken JSON, nothing at all
       └─ SpendExceeded            5   the next call would pass the limit that was set

Each message is one line; `hint` says what to do about it.
"""

from __future__ import annotations

from typing import ClassVar, Final

MAKE_ROOM: Final = "what was there before is untouched; make room, or give --index DIR"
"""What to do where a write into an index folder failed: mostly its disk is full."""


class HindsightError(Exception):
    """The root of all errors of this package.

    Args:
        message: What is wrong, in one line.
        hint: What the reader can do about it, in one line; empty when there is nothing to add.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}: {self.hint}" if self.hint else self.message


class SettingsError(HindsightError):
    """A flag, an environment variable or a settings file holds an impossible value."""

    exit_code = 2


class SourceError(HindsightError):
    """The repository cannot be read, or holds nothing to read."""


class LanguageError(HindsightError):
    """A language file is wrong, or its grammar does not load."""


class TemplateError(HindsightError):
    """A template, its header or a parameter is wrong, or a Cypher text is refused."""

    exit_code = 2


class QuestionError(HindsightError):
    """The question cannot be asked."""

    exit_code = 2


class _Ambiguous(HindsightError):
    """A name does not lead to one thing.

    Args:
        message: What is wrong, in one line.
        candidates: What the name could mean, sorted; empty when it is unknown.
        hint: What to do.
    """

    def __init__(self, message: str, *, candidates: tuple[str, ...] = (), hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.candidates = candidates


class SymbolError(_Ambiguous):
    """A symbol is unknown or ambiguous; `candidates` are ids."""


class SnapshotError(_Ambiguous):
    """A snapshot is unknown, or there are several; `candidates` are those that are there."""


class StoreError(HindsightError):
    """A graph or chunk store failed."""

    exit_code = 3


class StoreUnavailable(StoreError):
    """There is no index here, or a store does not answer."""


class StoreBusy(StoreError):
    """Another process is writing this index."""


class SchemaMismatch(StoreError):
    """The index was written by another version of this package."""

    exit_code = 4


class WriteFailed(StoreError):
    """A write did not finish. What was there before is untouched."""


class ModelError(HindsightError):
    """A language model failed."""

    exit_code = 5


class ModelUnavailable(ModelError):
    """The model's server does not answer, or not in time."""


class ModelRefused(ModelError):
    """The model's server refuses: the key, the model's name or the request."""


class ContextOverflow(ModelRefused):
    """The request is longer than the model can read."""


class BadReply(ModelError):
    """What came is no reply, or not of the shape asked for."""


class SpendExceeded(ModelError):
    """The next call would pass the limit on tokens or cost; it was not sent."""
