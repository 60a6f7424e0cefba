"""Talk: one model with its cache, its limits and the sum of what it took. All calls of a model go through here."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from hindsight_neo4j.errors import BadReply, SettingsError, SpendExceeded
from hindsight_neo4j.model.exchange import (
    Hear,
    Message,
    ModelOptions,
    Reply,
    Request,
    Role,
    SpendLimit,
    Usage,
)
from hindsight_neo4j.models.ledger import Ledger, key_of
from hindsight_neo4j.models.shape import read, schema_of

if TYPE_CHECKING:
    from hindsight_neo4j.models.chat import ChatModel

_MILLION = 1_000_000

Shape = TypeVar("Shape", bound=msgspec.Struct)


@dataclass(slots=True)
class Talk:
    """A model to talk to about one state of one index. Several threads may ask at once.

    Attributes:
        name: What the model is called.
        where: Where what is said goes to, for people.
        options: Prices and most tokens of a reply.
        version: The state of the index, part of what replies are kept by.
        count: Tokens of a text, never too few.
        ledger: Where replies and sums are kept; None keeps nothing.
        limit: Where spending stops.
        usage: What was taken so far.
    """

    name: str
    where: str
    options: ModelOptions
    identity: dict[str, Any]
    version: str
    count: Callable[[str], int]
    send: Callable[[Request, Hear | None], Reply]
    close: Callable[[], None]
    ledger: Ledger | None = None
    limit: SpendLimit = field(default_factory=SpendLimit)
    usage: Usage = field(default_factory=Usage)
    _alone: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)
    _under_way: list[Usage] = field(default_factory=list, init=False, repr=False)

    @classmethod
    def to(
        cls,
        model: ChatModel | ModelOptions,
        *,
        version: str,
        count: Callable[[str], int],
        ledger: Ledger | None = None,
        limit: SpendLimit | None = None,
    ) -> Talk:
        """Return a talk with `model`: a caller's own, or ours made of options. Nothing is sent yet.

        Raises:
            SettingsError: The libraries are not installed, it is no chat model, or a cost limit has no prices.
        """
        try:
            from hindsight_neo4j.models import chat as chats  # noqa: PLC0415  a second of imports
        except ImportError as error:
            raise SettingsError(
                f"a model needs libraries that are not installed ({error.name})",
                hint="pip install 'hindsight-neo4j[models]'",
            ) from error

        options = model if isinstance(model, ModelOptions) else None
        chat = chats.EndpointChat.of(options) if options else model
        if not isinstance(chat, chats.ChatModel):
            raise SettingsError(f"{type(model).__name__} is no chat model of langchain_core")
        name = chats.name_of(chat)
        talk = cls(
            name=name,
            where=options.base_url if options else type(model).__name__,
            options=options or ModelOptions(name=name, base_url=""),
            identity=chats.identity_of(chat),
            version=version,
            count=count,
            send=lambda request, hear: chats.exchange(chat, request, hear),
            close=chat.close if isinstance(chat, chats.EndpointChat) else _nothing,
            ledger=ledger,
            limit=limit or SpendLimit(),
        )
        if talk.limit.cost is not None and talk.cost(1, 1) is None:
            raise SettingsError(
                "a limit on cost needs prices",
                hint="set HINDSIGHT_MODEL_PRICE_IN and _PRICE_OUT, or use --max-tokens",
            )
        return talk

    def ask(self, request: Request, hear: Hear | None = None) -> Reply:
        """Return the reply to `request`, from the cache where it was given before.

        `hear` is given a reply in prose while it comes; one from the cache comes at once.

        Raises:
            SpendExceeded: The call could pass the limit; it was not sent.
            ModelError: The model failed.
        """
        key = key_of(request, self.identity, self.version)
        if self.ledger is not None and (known := self.ledger.find(key)):
            self._note(Usage(cached=1))
            if hear is not None and request.shape is None:
                hear(known.text)
            return known
        with self._allowed(request):
            reply = self._counted(request, self.send(request, hear))
            if self.ledger is not None:
                self.ledger.keep(key, reply)
            self._note(
                Usage(
                    calls=1,
                    prompt_tokens=reply.prompt_tokens,
                    completion_tokens=reply.completion_tokens,
                    cost=self.cost(reply.prompt_tokens, reply.completion_tokens),
                )
            )
        return reply

    def ask_shaped(self, request: Request, shape: type[Shape]) -> Shape:
        """Return the reply to `request` as a `shape`. A reply of another shape is sent back once, with what is wrong.

        Raises:
            BadReply: The second reply is of another shape too, or the first had no end.
            ModelError: The model failed.
        """
        request = replace(request, shape=schema_of(shape), shape_name=shape.__name__.lower())
        first = self.ask(request)
        try:
            return read(first.text, shape)
        except BadReply as wrong:
            if first.stop == "length":  # it would be cut again
                raise BadReply(
                    f"{self.name} came to no end within {self.options.max_output_tokens:,} tokens"
                ) from wrong
            again = Message(
                Role.USER,
                f"{wrong.message}. Reply with one JSON object of this schema and nothing else:\n"
                + json.dumps(request.shape, ensure_ascii=False),
            )
            said = Message(Role.ASSISTANT, first.text[:2_000])
            return read(
                self.ask(replace(request, messages=(*request.messages, said, again))).text, shape
            )

    def most(self, request: Request) -> Usage:
        """Return the most that a call could take, without sending it."""
        read_tokens = self.count(request.text)
        written = self.options.max_output_tokens
        return Usage(1, 0, read_tokens, written, self.cost(read_tokens, written))

    def cost(self, prompt: int, completion: int) -> float | None:
        """Return the price of so many tokens, None where a price is not set."""
        price_in, price_out = self.options.price_in, self.options.price_out
        if price_in is None or price_out is None:
            return None
        return (prompt * price_in + completion * price_out) / _MILLION

    @contextmanager
    def _allowed(self, request: Request) -> Iterator[None]:
        """Count the most that a call could take as taken while it is under way."""
        most = self.most(request)
        with self._alone:
            self._check(sum(self._under_way, self.usage + most))
            self._under_way.append(most)
        try:
            yield
        finally:
            with self._alone:
                self._under_way.remove(most)

    def _check(self, after: Usage) -> None:
        if self.limit.tokens is not None and after.tokens > self.limit.tokens:
            raise SpendExceeded(
                f"the next call could pass {self.limit.tokens:,} tokens"
                f" ({self.usage.tokens:,} used)",
                hint="raise --max-tokens or lower --budget",
            )
        if self.limit.cost is not None and (after.cost or 0) > self.limit.cost:
            raise SpendExceeded(
                f"the next call could pass the cost of {self.limit.cost:g}",
                hint="raise --max-cost or lower --budget",
            )

    def _counted(self, request: Request, reply: Reply) -> Reply:
        """The reply with our own counts where the server gave none."""
        return replace(
            reply,
            prompt_tokens=reply.prompt_tokens or self.count(request.text),
            completion_tokens=reply.completion_tokens or self.count(reply.text),
        )

    def _note(self, usage: Usage) -> None:
        with self._alone:
            self.usage += usage
        if self.ledger is not None:
            self.ledger.add(self.name, usage)


def _nothing() -> None:
    """Close nothing: a caller's model is the caller's."""
