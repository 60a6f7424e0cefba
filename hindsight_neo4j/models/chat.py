"""Chat models of `langchain_core`: ours over an endpoint, and how any of them is called. Its only importer.

A caller may hand in any `BaseChatModel`; without one, `EndpointChat` is made of `ModelOptions`:

    chat = EndpointChat.of(ModelOptions(name="qwen", base_url="http://127.0.0.1:8080/v1"))
    chat.invoke("hello").content
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any, Self, TypeAlias

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
)
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from pydantic import ConfigDict, PrivateAttr

from hindsight_neo4j.errors import BadReply, ModelError, ModelUnavailable
from hindsight_neo4j.model.exchange import Hear, Message, ModelOptions, Reply, Request, Role
from hindsight_neo4j.models.endpoint import Endpoint

ChatModel: TypeAlias = BaseChatModel
"""What a caller may hand in."""

_ROLES = {"human": Role.USER, "system": Role.SYSTEM, "ai": Role.ASSISTANT}
_MESSAGES: dict[Role, type[BaseMessage]] = {
    Role.SYSTEM: SystemMessage,
    Role.USER: HumanMessage,
    Role.ASSISTANT: AIMessage,
}


class EndpointChat(BaseChatModel):
    """A chat model over any OpenAI-compatible server."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    model_name: str
    _endpoint: Endpoint = PrivateAttr()

    @classmethod
    def of(cls, options: ModelOptions) -> Self:
        """Return the model that `options` describe. Nothing is sent yet."""
        made = cls(model_name=options.name)
        made._endpoint = Endpoint(options)
        return made

    @property
    def _llm_type(self) -> str:
        return "hindsight-endpoint"

    def close(self) -> None:
        """Close the connections."""
        self._endpoint.close()

    def exchange(self, request: Request, hear: Hear | None = None) -> Reply:
        """Return the reply to `request`, whose shape the server is asked to keep. `hear` is given prose while it comes.

        Raises:
            ModelError: As the tree in `errors` says.
        """
        return self._endpoint.complete(request, hear)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return _result(self._endpoint.complete(_request(messages)), stop)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return _result(await self._endpoint.acomplete(_request(messages)), stop)

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for piece in self._endpoint.stream(_request(messages)):
            yield ChatGenerationChunk(message=AIMessageChunk(content=piece))

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        async for piece in self._endpoint.astream(_request(messages)):
            yield ChatGenerationChunk(message=AIMessageChunk(content=piece))


def exchange(chat: BaseChatModel, request: Request, hear: Hear | None = None) -> Reply:
    """Return what `chat` replies to `request`. A model that is not ours is asked for JSON in words.

    `hear` is given a reply in prose while it comes, as far as the model streams.

    Raises:
        ModelError: The model failed, whatever its own library calls it.
    """
    if isinstance(chat, EndpointChat):
        return chat.exchange(request, hear)
    try:
        said = _said(chat, request, hear)
    except ModelError:
        raise
    except Exception as error:
        raise ModelUnavailable(
            f"{name_of(chat)} failed: {type(error).__name__}: {error}"
        ) from error
    text = _text(said)
    if not text.strip():
        raise BadReply(f"{name_of(chat)} said nothing")
    usage = getattr(said, "usage_metadata", None) or {}
    return Reply(text, int(usage.get("input_tokens", 0)), int(usage.get("output_tokens", 0)))


def _said(chat: BaseChatModel, request: Request, hear: Hear | None) -> BaseMessage:
    messages = [_MESSAGES[each.role](content=each.text) for each in request.messages]
    if hear is None or request.shape is not None:
        return chat.invoke(messages)
    whole = AIMessageChunk(content="")
    for piece in chat.stream(messages):
        whole += piece
        hear(_text(whole))
    return whole


def name_of(chat: BaseChatModel) -> str:
    """Return what a model is called, for people and for the cache."""
    for attribute in ("model_name", "model"):
        if isinstance(name := getattr(chat, attribute, None), str) and name:
            return name
    return chat._llm_type


def identity_of(chat: BaseChatModel) -> dict[str, Any]:
    """Return what the replies of `chat` depend on besides the messages, to key a cache by."""
    if isinstance(chat, EndpointChat):
        return chat._endpoint.options.cache_key()
    params = chat._identifying_params
    return {"model": name_of(chat), "params": json.dumps(params, default=repr, sort_keys=True)}


def _request(messages: list[BaseMessage]) -> Request:
    return Request(
        tuple(Message(_ROLES.get(each.type, Role.USER), _text(each)) for each in messages)
    )


def _text(message: BaseMessage) -> str:
    if isinstance(message.content, str):
        return message.content
    parts = (part if isinstance(part, str) else part.get("text", "") for part in message.content)
    return "".join(str(part) for part in parts)


def _result(reply: Reply, stop: list[str] | None) -> ChatResult:
    text = reply.text
    for word in stop or ():
        text = text.partition(word)[0]
    usage = {
        "input_tokens": reply.prompt_tokens,
        "output_tokens": reply.completion_tokens,
        "total_tokens": reply.prompt_tokens + reply.completion_tokens,
    }
    message = AIMessage(content=text, usage_metadata=usage)
    return ChatResult(generations=[ChatGeneration(message=message)])
