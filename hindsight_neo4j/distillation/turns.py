"""Turns: an exported training set as a student sees it, by its own tokenizer and chat template. Needs datasets and transformers,
of what the extra `finetune` installs, and no torch.

    turns = read_turns(Path("training"), tokenizer_of("Qwen/Qwen3-8B"), most_tokens=8_192)

Each turn of the assistant is an example of its own: what the chat template makes of everything before it is the prompt, and
only what comes after is learned. So a student never learns to write what tools return, and sees in training just what it
will see at work, whatever its template leaves out of earlier turns.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import datasets
from transformers import AutoTokenizer

from hindsight_neo4j.distillation.lesson import Lesson
from hindsight_neo4j.errors import SettingsError

PARTS: Final = ("train", "validation")


@dataclass(frozen=True, slots=True)
class Turns:
    """Examples of a training set, each with a `prompt` and its `completion`.

    Attributes:
        parts: "train" and "validation".
        lessons: How many lessons they are from, by part.
        left_out: Lessons that are longer than is allowed, by this tokenizer.
        tokens: Read in one epoch.
        learned: Of these, those that are learned.
    """

    parts: dict[str, list[dict[str, str]]]
    lessons: dict[str, int]
    left_out: int
    tokens: int
    learned: int

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as plain data, ready for JSON."""
        return {
            "schema": 1,
            "lessons": self.lessons,
            "turns": {part: len(turns) for part, turns in self.parts.items()},
            "left_out": self.left_out,
            "tokens": self.tokens,
            "learned": self.learned,
        }


def tokenizer_of(base: str) -> Any:
    """Return the tokenizer of a model: a folder, or a name on the hub, from which it is fetched.

    Raises:
        SettingsError: There is none, or it has no chat template.
    """
    try:
        tokenizer = AutoTokenizer.from_pretrained(base)
    except (OSError, ValueError) as error:
        raise SettingsError(f"{base} has no tokenizer that can be read ({error})") from error
    if not tokenizer.chat_template:
        raise SettingsError(f"{base} has no chat template", hint="use an instruct model")
    return tokenizer


def read_turns(folder: Path, tokenizer: Any, *, most_tokens: int) -> Turns:
    """Read a training set as a student of this tokenizer sees it.

    Raises:
        SettingsError: The folder is no training set, or the chat template cannot show its lessons.
    """
    files = {part: str(folder / f"{part}.jsonl") for part in PARTS}
    parts: dict[str, list[dict[str, str]]] = {}
    lessons, left_out, tokens, learned = dict.fromkeys(PARTS, 0), 0, 0, 0
    for part, rows in _loaded(files).items():
        parts[part] = []
        for row in rows:
            turns = list(turns_of(row, tokenizer))
            counts = [[len(tokenizer(turn[side]).input_ids) for side in turn] for turn in turns]
            if max(map(sum, counts)) > most_tokens:
                left_out += 1
                continue
            lessons[part] += 1
            parts[part] += turns
            tokens += sum(map(sum, counts))
            learned += sum(completion for _, completion in counts)
    if not parts["train"]:
        raise SettingsError(f"{folder} has no lesson to train with", hint="raise --most-tokens")
    return Turns(parts, lessons, left_out, tokens, learned)


def turns_of(row: dict[str, Any], tokenizer: Any) -> Iterator[dict[str, str]]:
    """Yield what the assistant is shown and what it says, for each of its turns in a lesson.

    Raises:
        SettingsError: It is no lesson, or the chat template does not begin a turn as it continues it.
    """
    try:
        Lesson.from_dict(row)
    except ValueError as error:
        raise SettingsError(f"the training set holds a line that is {error}") from error
    messages = [_as_templates_want(message) for message in row["messages"]]
    tools = _without_none(row["tools"])

    def shown(upto: int, *, asking: bool) -> str:
        return str(
            tokenizer.apply_chat_template(
                messages[:upto], tools=tools, tokenize=False, add_generation_prompt=asking
            )
        )

    for at, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        prompt, whole = shown(at, asking=True), shown(at + 1, asking=False)
        if not whole.startswith(prompt):
            raise SettingsError("the chat template of this model does not continue its own prompt")
        # What follows the end of a turn is no part of what a model says: it has stopped.
        yield {"prompt": prompt, "completion": whole[len(prompt) :].rstrip()}


def _loaded(files: dict[str, str]) -> dict[str, Any]:
    """The rows of each part. A part without a row is empty, which the library takes for a broken file."""
    datasets.disable_progress_bars()
    try:
        filled = {part: file for part, file in files.items() if Path(file).stat().st_size}
        loaded = datasets.load_dataset("json", data_files=filled)
    except (OSError, ValueError, datasets.exceptions.DatasetGenerationError) as error:
        raise SettingsError(
            f"{files['train']} is no training set ({error})",
            hint="make one with hindsight distill export",
        ) from error
    return {part: loaded[part] if part in filled else [] for part in files}


def _as_templates_want(message: dict[str, Any]) -> dict[str, Any]:
    """The message with the arguments of its calls as objects.

    The form of chat completions has them as text, which the templates of Qwen2.5 and Llama 3.1 would write as a text of a text.
    """
    clean: dict[str, Any] = _without_none(message)
    for call in clean.get("tool_calls", ()):
        call["function"]["arguments"] = json.loads(call["function"]["arguments"])
    return clean


def _without_none(value: Any) -> Any:
    """The value without what the table form of a data set fills in: every key that another row has."""
    if isinstance(value, dict):
        return {key: _without_none(each) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_without_none(each) for each in value]
    return value
