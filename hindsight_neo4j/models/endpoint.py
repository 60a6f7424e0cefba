"""One OpenAI-compatible server. The only importer of `openai`.

    endpoint = Endpoint(ModelOptions(name="qwen", base_url="http://127.0.0.1:8080/v1"))
    endpoint.complete(Request((Message(Role.USER, "hello"),))).text

The client library waits and repeats where that can help (408, 409, 429 with its Retry-After, 5xx, no connection). What is
left becomes one of our errors. Redirects are not followed: code of a repository must reach the host that was named and
no other.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar

import httpx2
import openai

from hindsight_neo4j.errors import (
    BadReply,
    ContextOverflow,
    ModelError,
    ModelRefused,
    ModelUnavailable,
)
from hindsight_neo4j.model.exchange import OPENAI, Hear, ModelOptions, Reply, Request, Shaping

MOST_CHARACTERS_PER_TOKEN: Final = 64
"""A streamed reply longer than this many characters for each token allowed is cut: its server does not count."""

_NO_KEY: Final = "none"  # the library wants a word; servers without keys ignore it
_OVERFLOW: Final = (
    "context_length_exceeded",
    "context length",
    "context size",
    "maximum context",
    "too many tokens",
    "exceed_context_size",
    "prompt is too long",
)
_NOT_SHAPED: Final = (
    "response_format",
    "json_schema",
    "tool",
    "grammar",
    "not supported",
    "schema",
)

Found = TypeVar("Found")


class Endpoint:
    """A server and the model on it. Several threads may ask it at once.

    Holds connections and, from the first call that blocks, a thread: close it, or use it as a context manager.
    """

    def __init__(self, options: ModelOptions) -> None:
        self.options = options
        self._shaping = options.shaping
        self._starting = threading.Lock()
        self._held: tuple[_Loop, openai.AsyncOpenAI] | None = None
        self._closed = False

    def __enter__(self) -> Endpoint:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections, and end the calls that are under way. May be called twice."""
        with self._starting:
            held, self._held, self._closed = self._held, None, True
        if held is not None:
            loop, client = held
            with suppress(openai.OpenAIError, OSError, RuntimeError):
                loop.run(_end(client))
            loop.close()

    def complete(self, request: Request, hear: Hear | None = None) -> Reply:
        """Return the reply to `request`. Ctrl-C ends the call at once.

        Where `hear` is given, a reply in prose comes as a stream, and its tokens are left for the caller to count.

        Raises:
            ModelError: As the tree in `errors` says.
        """
        loop, client = self._holding()
        return loop.run(self._complete(request, client, hear))

    def _holding(self) -> tuple[_Loop, openai.AsyncOpenAI]:
        with self._starting:
            if self._closed:
                raise ModelUnavailable(f"the connections to {self.options.base_url} are closed")
            if self._held is None:
                self._held = _Loop(), self._connected()
            return self._held

    async def acomplete(self, request: Request, hear: Hear | None = None) -> Reply:
        """Return the reply to `request`, without blocking the loop. Raises as `complete`."""
        async with self._connected() as client:
            return await self._complete(request, client, hear)

    async def astream(self, request: Request) -> AsyncIterator[str]:
        """Yield the reply to `request` piece by piece. Raises as `complete`; also when the stream breaks off."""
        async with self._connected() as client:
            async for piece, _ in self._pieces(request, client):
                if piece:
                    yield piece

    async def _heard(self, request: Request, client: openai.AsyncOpenAI, hear: Hear) -> Reply:
        text, stop = "", ""
        try:
            async for piece, ended in self._pieces(request, client):
                text, stop = text + piece, ended or stop
                hear(text)
        except _NoStream:
            reply = await self._once(request, client, Shaping.PROMPT)
            hear(reply.text)
            return reply
        if not text.strip():
            raise BadReply(f"{self.options.name} said nothing")
        return Reply(text, 0, 0, stop)

    async def _pieces(
        self, request: Request, client: openai.AsyncOpenAI
    ) -> AsyncIterator[tuple[str, str]]:
        """The pieces of a reply, each with why the reply ended, if it did."""
        options = self.options
        most = MOST_CHARACTERS_PER_TOKEN * options.max_output_tokens
        until = time.monotonic() + options.timeout_s
        finished = came = False
        with _said(options):
            stream = await client.chat.completions.create(
                **self._call(request, Shaping.PROMPT), stream=True
            )
            events = aiter(stream)
            # One wait for each event: a limit around a generator's yields would fall on whoever reads it.
            while event := await asyncio.wait_for(anext(events, None), until - time.monotonic()):
                came = True
                for choice in event.choices or ():
                    finished = finished or choice.finish_reason is not None
                    piece = choice.delta.content or ""
                    most -= len(piece)
                    yield piece, choice.finish_reason or ""
                if most < 0:
                    yield "", "length"
                    return
        if not came:
            raise _NoStream(f"{options.base_url} sends no streams")
        if not finished:
            raise ModelUnavailable(f"{options.base_url} broke off in the middle of its reply")

    def stream(self, request: Request) -> Iterator[str]:
        """Yield the reply to `request` piece by piece. Raises as `astream`."""
        loop, _ = self._holding()
        pieces = self.astream(request)
        while (piece := loop.run(_next(pieces))) is not None:
            yield piece

    def _connected(self) -> openai.AsyncOpenAI:
        options = self.options
        return openai.AsyncOpenAI(
            base_url=options.base_url,
            api_key=options.api_key or _NO_KEY,
            timeout=options.timeout_s,
            max_retries=options.retries,
            organization="",
            project="",
            http_client=openai.DefaultAsyncHttpxClient(
                timeout=options.timeout_s, follow_redirects=False
            ),
        )

    async def _complete(
        self, request: Request, client: openai.AsyncOpenAI, hear: Hear | None
    ) -> Reply:
        if hear is not None and request.shape is None:
            return await self._heard(request, client, hear)
        for shaping in self._ways(request):
            try:
                reply = await self._once(request, client, shaping)
            except _Unshaped:
                continue
            if request.shape is not None:
                self._shaping = shaping
            return reply
        raise ModelRefused(
            f"{self.options.base_url} takes no request of ours",
            hint="set HINDSIGHT_MODEL_SHAPING",
        )

    def _ways(self, request: Request) -> tuple[Shaping, ...]:
        if request.shape is None:
            return (Shaping.PROMPT,)
        if self._shaping is not Shaping.AUTO:
            return (self._shaping,)
        return (Shaping.JSON_SCHEMA, Shaping.TOOL, Shaping.PROMPT)

    async def _once(self, request: Request, client: openai.AsyncOpenAI, way: Shaping) -> Reply:
        options = self.options
        # The library's timeout is for each piece that arrives; this one ends a server that sends a byte a minute.
        longest = options.timeout_s * (options.retries + 1)
        can_fall_back = request.shape is not None and way is not Shaping.PROMPT
        with _said(options, can_fall_back=can_fall_back and self._shaping is Shaping.AUTO):
            async with asyncio.timeout(longest):
                answer = await client.chat.completions.create(**self._call(request, way))
        return _reply(answer, options)

    def _call(self, request: Request, way: Shaping) -> dict[str, Any]:
        options = self.options
        if options.base_url == OPENAI and not options.api_key:
            # Code of a repository is not sent to where it is sure to be refused; perhaps an address was forgotten.
            raise ModelRefused(
                f"{OPENAI} wants a key, and nothing was sent",
                hint="set HINDSIGHT_MODEL_API_KEY, or name another server with --model-url",
            )
        call: dict[str, Any] = {
            "model": options.name,
            "messages": [message.to_dict() for message in request.messages],
            "temperature": options.temperature,
            "max_tokens": options.max_output_tokens,
        }
        if options.seed is not None:
            call["seed"] = options.seed
        if request.shape is not None and way is Shaping.JSON_SCHEMA:
            shape = {"name": request.shape_name, "schema": request.shape, "strict": True}
            call["response_format"] = {"type": "json_schema", "json_schema": shape}
        elif request.shape is not None and way is Shaping.TOOL:
            function = {"name": request.shape_name, "parameters": request.shape}
            call["tools"] = [{"type": "function", "function": function}]
            call["tool_choice"] = {"type": "function", "function": {"name": request.shape_name}}
        return call


class _NoStream(ModelUnavailable):
    """The server answered a wish for a stream with none."""


class _Unshaped(Exception):
    """The server does not know this way to ask for JSON."""


@contextmanager
def _said(options: ModelOptions, *, can_fall_back: bool = False) -> Iterator[None]:
    """Turn what goes wrong in a call into our errors, each with what to do."""
    where = options.base_url
    try:
        yield
    except (openai.APITimeoutError, TimeoutError) as error:
        raise ModelUnavailable(
            f"{where} did not answer within {options.timeout_s:g} s",
            hint="raise HINDSIGHT_MODEL_TIMEOUT_S",
        ) from error
    except openai.APIResponseValidationError as error:
        raise BadReply(f"{where} did not send a chat completion") from error
    except openai.APIConnectionError as error:
        reason = str(error.__cause__ or error)
        raise ModelUnavailable(
            f"{where} cannot be reached ({reason[:200]})", hint="is the server running?"
        ) from error
    except openai.APIStatusError as error:
        said = _words(error)
        if can_fall_back and error.status_code in (400, 422) and _is_about_shape(said):
            raise _Unshaped from error
        raise _refused(error, said, options) from error
    except (ValueError, TypeError, AttributeError, openai.OpenAIError) as error:
        # What the library makes of a body that is no completion: broken JSON, bytes that are no text, another object.
        raise BadReply(
            f"{where} did not send a chat completion ({type(error).__name__})",
            hint="is that the address of an OpenAI-compatible server, up to /v1?",
        ) from error
    except httpx2.HTTPError as error:
        # A connection that breaks off in the middle of a stream comes as the transport's own error.
        raise ModelUnavailable(f"{where} broke off in the middle of its reply") from error


def _is_about_shape(said: str) -> bool:
    low = said.lower()
    return any(word in low for word in _NOT_SHAPED) and not _is_overflow(said)


def _is_overflow(said: str) -> bool:
    low = said.lower()
    return any(word in low for word in _OVERFLOW)


def _words(error: openai.APIStatusError) -> str:
    said = error.body if isinstance(error.body, str) else json.dumps(error.body, default=str)
    return said or error.message


def _refused(error: openai.APIStatusError, said: str, options: ModelOptions) -> ModelError:
    where, code = options.base_url, error.status_code
    if code in (400, 413, 422) and _is_overflow(said):
        return ContextOverflow(f"{options.name} cannot read so much", hint="lower --budget")
    if code in (401, 403):
        return ModelRefused(f"{where} refuses the key ({code})", hint="set HINDSIGHT_MODEL_API_KEY")
    if code == 404:
        return ModelRefused(
            f"{where} has no model {options.name!r}, or is no endpoint",
            hint="check --model and --model-url",
        )
    if code == 429 or code >= 500:
        times = f" after {options.retries + 1} tries" if options.retries else ""
        return ModelUnavailable(f"{where} answers {code}{times}", hint="try again later")
    if 300 <= code < 400:
        return ModelRefused(
            f"{where} sends us to another address, which is not followed", hint="name it yourself"
        )
    return ModelRefused(f"{where} answers {code}: {' '.join(said.split())[:200]}")


def _reply(answer: Any, options: ModelOptions) -> Reply:
    """Read a completion. The library builds its objects without checking, so nothing is taken on trust here."""
    choices = getattr(answer, "choices", None)
    if not choices:
        raise BadReply(
            f"{options.base_url} did not send a chat completion",
            hint="is that the address of an OpenAI-compatible server, up to /v1?",
        )
    message = getattr(choices[0], "message", None)
    text = getattr(message, "content", None)
    for call in getattr(message, "tool_calls", None) or ():
        text = getattr(getattr(call, "function", None), "arguments", None)
    if not isinstance(text, str) or not text.strip():
        raise BadReply(f"{options.name} said nothing")
    usage = getattr(answer, "usage", None)
    return Reply(
        text=text,
        prompt_tokens=_count(usage, "prompt_tokens"),
        completion_tokens=_count(usage, "completion_tokens"),
        stop=str(getattr(choices[0], "finish_reason", None) or "stop"),
    )


def _count(usage: object, name: str) -> int:
    value = getattr(usage, name, None)
    return value if isinstance(value, int) and value >= 0 else 0


async def _next(pieces: AsyncIterator[str]) -> str | None:
    return await anext(pieces, None)


class _Loop:
    """A loop in a thread of its own, that any thread can wait for: also one that has a loop already, as in a notebook."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="hindsight-model", daemon=True
        )
        self._thread.start()

    def run(self, call: Coroutine[Any, Any, Found]) -> Found:
        """Return what `call` does. Whatever ends the wait, such as Ctrl-C, ends the call."""
        waiting = asyncio.run_coroutine_threadsafe(call, self._loop)
        try:
            return waiting.result()
        except CancelledError as error:
            raise ModelUnavailable("the call was ended") from error
        finally:
            waiting.cancel()

    def close(self) -> None:
        """End the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _end(client: openai.AsyncOpenAI) -> None:
    under_way = asyncio.all_tasks() - {asyncio.current_task()}
    for task in under_way:
        task.cancel()
    await asyncio.gather(*under_way, return_exceptions=True)
    await client.close()
