"""Card: what a folder in the layout of sentence-transformers says about its model.

    tokenizer.json · onnx/model.onnx (or model.onnx) · modules.json · 1_Pooling/config.json
    sentence_bert_config.json · config_sentence_transformers.json

What is missing has the default of sentence-transformers: the mean of all tokens, no prefix.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hindsight_neo4j.errors import SettingsError

MOST_TOKENS: Final = 512
"""Tokens of a text that are read, however many a model could: time grows with them, and memory with their square."""

POOLINGS: Final = ("mean", "cls", "lasttoken")

QUESTION_PREFIXES: Final = {"CodeRankEmbed": "Represent this query for searching relevant code: "}
"""What models want before a question and say only on their card, by a part of their name.

CodeRankEmbed: huggingface.co/nomic-ai/CodeRankEmbed, "queries must include the following task instruction prefix".
"""

_ONNX: Final = ("onnx/model.onnx", "model.onnx", "onnx/model_quantized.onnx")
_EXPORT: Final = "optimum-cli export onnx --model NAME FOLDER makes one"


@dataclass(frozen=True, slots=True)
class Card:
    """How a model is run.

    Attributes:
        name: What it is called; no path, since it goes into every index.
        network: The ONNX file.
        tokenizer: The file of `tokenizers`.
        pooling: One of `POOLINGS`: which tokens' vectors make the text's.
        most_tokens: Longer texts are cut.
        question_prefix: Stands before every question.
        passage_prefix: Stands before everything else.
    """

    name: str
    network: Path
    tokenizer: Path
    pooling: str = "mean"
    most_tokens: int = 256
    question_prefix: str = ""
    passage_prefix: str = ""


def read_card(folder: Path, name: str) -> Card:
    """Return the card of the model in `folder`.

    Raises:
        SettingsError: It holds no model that can be run here; the message says what is missing.
    """
    network = next((folder / file for file in _ONNX if (folder / file).is_file()), None)
    if network is None:
        raise SettingsError(f"the model in {folder} has no model.onnx", hint=_EXPORT)
    if not (folder / "tokenizer.json").is_file():
        raise SettingsError(f"the model in {folder} has no tokenizer.json", hint=_EXPORT)
    prompts = _read(folder / "config_sentence_transformers.json").get("prompts") or {}
    length = _read(folder / "sentence_bert_config.json").get("max_seq_length")
    return Card(
        name=name,
        network=network,
        tokenizer=folder / "tokenizer.json",
        pooling=_pooling(folder),
        most_tokens=min(int(length or MOST_TOKENS), MOST_TOKENS),
        question_prefix=str(prompts.get("query") or _prefix_of(name)),
        passage_prefix=str(prompts.get("document") or prompts.get("passage") or ""),
    )


def _pooling(folder: Path) -> str:
    modules = _read(folder / "modules.json", [])
    kinds = {str(each["type"]).rpartition(".")[2]: str(each.get("path", "")) for each in modules}
    strange = sorted(set(kinds) - {"Transformer", "Pooling", "Normalize"})
    if strange:
        raise SettingsError(f"the model in {folder} has a module {strange[0]}, which is not known")
    config = _read(folder / kinds.get("Pooling", "1_Pooling") / "config.json")
    said = [str(config["pooling_mode"])] if "pooling_mode" in config else _flags(config)
    if len(said) > 1 or not set(said) <= set(POOLINGS):
        raise SettingsError(
            f"the model in {folder} pools by {' and '.join(said)}",
            hint=f"known: {', '.join(POOLINGS)}",
        )
    return said[0] if said else "mean"


def _flags(config: Mapping[str, Any]) -> list[str]:
    flags = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}
    return [
        flags.get(name, name.removeprefix("pooling_mode_"))
        for name, value in config.items()
        if name.startswith("pooling_mode_") and value
    ]


def _prefix_of(name: str) -> str:
    return next((prefix for part, prefix in QUESTION_PREFIXES.items() if part in name), "")


def _read(file: Path, missing: Any = None) -> Any:
    try:
        return json.loads(file.read_bytes())
    except FileNotFoundError:
        return {} if missing is None else missing
    except (OSError, ValueError) as error:
        raise SettingsError(f"{file} cannot be read ({error})") from error
