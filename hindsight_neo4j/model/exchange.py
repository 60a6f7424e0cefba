"""What is said to a language model and what it says, in a form that belongs to no library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Final, TypeAlias


class Role(StrEnum):
    """Who speaks: our instructions, the question with its data, or the model."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Role
    text: str

    def to_dict(self) -> dict[str, str]:
        """Return the message as chat endpoints write it."""
        return {"role": self.role.value, "content": self.text}


@dataclass(frozen=True, slots=True)
class Request:
    """One call of a model. `shape` is the JSON schema that the reply must have; None for prose."""

    messages: tuple[Message, ...]
    shape: dict[str, Any] | None = None
    shape_name: str = ""

    @property
    def text(self) -> str:
        """All that is sent, as one text to count."""
        return "\n".join(message.text for message in self.messages)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said. Tokens are the server's count, or ours where it gives none. `stop` is why it ended."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    stop: str = "stop"


Hear: TypeAlias = Callable[[str], None]
"""Is given a reply while it comes: each time, all of it so far."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What calls of a model took. `cost` is in the currency of the prices; None where no prices are set.

    `calls` are those that were sent; `cached` are those that the cache answered, which cost nothing.
    """

    calls: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None

    @property
    def tokens(self) -> int:
        """All tokens, read and written."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Usage) -> Usage:
        costs = [each for each in (self.cost, other.cost) if each is not None]
        return Usage(
            self.calls + other.calls,
            self.cached + other.cached,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            sum(costs) if costs else None,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the usage as plain data, ready for JSON."""
        return asdict(self)


NO_USAGE: Final = Usage()


class Shaping(StrEnum):
    """How a server is made to reply in JSON of a given schema."""

    AUTO = "auto"
    JSON_SCHEMA = "json_schema"
    TOOL = "tool"
    PROMPT = "prompt"


OPENAI: Final = "https://api.openai.com/v1"
"""Where a model is when only its name is given."""


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Which model answers, where it is and how it is called.

    Attributes:
        name: The model, as its server calls it.
        base_url: The endpoint up to `/v1`.
        api_key: Who asks; never shown, and not part of what a cache is keyed by.
        temperature: 0 for the likeliest words.
        seed: For servers that can repeat themselves; None leaves it to them.
        timeout_s: Most seconds for one call with its retries' waits left out.
        max_output_tokens: Most tokens of one reply.
        context_tokens: Most tokens that the model reads at once; 0 where that is not known.
        retries: How often a call is repeated that failed by no fault of ours (429, 5xx, no connection).
        shaping: How JSON is asked for; AUTO tries the three ways in order and remembers what worked.
        price_in: What a million tokens read cost; None where unknown.
        price_out: What a million tokens written cost.
    """

    name: str
    base_url: str
    api_key: str = field(default="", repr=False)
    temperature: float = 0.0
    seed: int | None = 0
    timeout_s: float = 120.0
    max_output_tokens: int = 1_024
    context_tokens: int = 0
    retries: int = 4
    shaping: Shaping = Shaping.AUTO
    price_in: float | None = None
    price_out: float | None = None

    def cache_key(self) -> dict[str, Any]:
        """Return what a reply depends on besides the messages."""
        return {
            "model": self.name,
            "base_url": self.base_url,
            "temperature": self.temperature,
            "seed": self.seed,
            "max_output_tokens": self.max_output_tokens,
        }


@dataclass(frozen=True, slots=True)
class SpendLimit:
    """Where the spending on one question stops. None: no limit.

    Attributes:
        cost: In the currency of the prices.
        tokens: Read and written together.
    """

    cost: float | None = None
    tokens: int | None = None
