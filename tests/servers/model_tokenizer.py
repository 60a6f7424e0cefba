"""The tokenizer and the chat template of the real small model, taken out of its file into a folder as transformers reads it.

Needs `gguf` and `transformers`; no torch.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from servers.model_server import model_file

CONTROL = 3
"""What GGUF calls a token that is no text, such as the end of a turn."""


def write_tokenizer(folder: Path) -> Path:
    """Write the tokenizer of the small model into `folder`, and return that."""
    from gguf import GGUFReader  # noqa: PLC0415  the tests that need it say so
    from transformers import Qwen2Tokenizer  # noqa: PLC0415

    reader = GGUFReader(model_file())

    def field(name: str) -> Any:
        return reader.fields[f"tokenizer.{name}"].contents()

    tokens = field("ggml.tokens")
    tokenizer = Qwen2Tokenizer(
        vocab={token: number for number, token in enumerate(tokens)},
        merges=[tuple(merge.split(" ")) for merge in field("ggml.merges")],
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
    )
    control = [
        token
        for token, kind in zip(tokens, field("ggml.token_type"), strict=True)
        if kind == CONTROL
    ]
    tokenizer.add_special_tokens({"additional_special_tokens": control})
    tokenizer.chat_template = field("chat_template")
    tokenizer.save_pretrained(folder)
    return folder
