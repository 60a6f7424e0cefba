"""A lesson: one question, the steps taken with what each returned, and the answer; written as a chat with tool calls.

The form is that of OpenAI's chat completions, which the chat templates of Qwen3 and Llama 3.1 read: `messages` with
`tool_calls`, and `tools` beside them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from hindsight_neo4j.answering.prompt import load

_NAMES: Final = {"type": "array", "items": {"type": "string"}, "description": "ids or words"}


def _tool(name: str, does: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": name,
            "description": does,
            "parameters": {
                "type": "object",
                "properties": {"names": _NAMES, **more},
                "required": ["names", *more],
            },
        },
    }


TOOLS: Final = [
    _tool("search_entity", "Find files, classes and functions by identifiers or words."),
    _tool(
        "traverse_graph",
        "Follow the edges of ids one hop: out to what they use, in from what uses them.",
        direction={"type": "string", "enum": ["out", "in"]},
    ),
    _tool("retrieve_entity", "Read the source of ids."),
]
"""The tools as a model is told of them; `answering.tools` runs the same."""


@dataclass(frozen=True, slots=True)
class Call:
    """One step and what it returned."""

    tool: str
    arguments: dict[str, Any]
    result: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """A run worth learning from. `teacher` is who made it: "offline", or a model's name."""

    id: str
    repository: str
    question: str
    calls: tuple[Call, ...]
    answer: str
    teacher: str

    def to_dict(self) -> dict[str, Any]:
        """Return the lesson as it is exported."""
        prompt = load("student")
        asked = prompt.request(plain={"question": self.question})
        messages: list[dict[str, Any]] = [message.to_dict() for message in asked.messages]
        for number, call in enumerate(self.calls, start=1):
            function = {"name": call.tool, "arguments": json.dumps(call.arguments)}
            name = f"call_{number}"
            messages += [
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [{"id": name, "type": "function", "function": function}],
                },
                {"role": "tool", "tool_call_id": name, "name": call.tool, "content": call.result},
            ]
        messages.append({"role": "assistant", "content": self.answer})
        return {
            "id": self.id,
            "repository": self.repository,
            "teacher": self.teacher,
            "prompt": prompt.title,
            "messages": messages,
            "tools": TOOLS,
        }

    @classmethod
    def from_dict(cls, row: dict[str, Any]) -> Lesson:
        """Read a lesson back.

        Raises:
            ValueError: It is none.
        """
        try:
            messages = row["messages"]
            calls = tuple(
                Call(
                    asked["tool_calls"][0]["function"]["name"],
                    json.loads(asked["tool_calls"][0]["function"]["arguments"]),
                    told["content"],
                )
                for asked, told in zip(messages[2:-1:2], messages[3:-1:2], strict=True)
            )
            return cls(
                id=row["id"],
                repository=row["repository"],
                question=messages[1]["content"],
                calls=calls,
                answer=messages[-1]["content"],
                teacher=row["teacher"],
            )
        except (KeyError, IndexError, TypeError) as error:
            raise ValueError(f"no lesson ({type(error).__name__}: {error})") from error
