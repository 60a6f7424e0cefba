"""Embeddings: chunks and questions as vectors of one model, so that what means the same is near. Off unless asked for.

    card.py      what the folder of a model says: files, pooling, prefixes, longest text
    encoder.py   the only importer of onnxruntime and tokenizers: text → vector
    cache.py     vectors by content, in one SQLite file of the index folder
    passages.py  what is embedded of a chunk; the vectors of a whole snapshot

Nothing here is imported, and no library of the extra `dense` is needed, unless vectors are asked for. Nothing is ever
fetched: a model is a package, a folder, or in the cache of Hugging Face already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hindsight_neo4j.errors import SettingsError

if TYPE_CHECKING:
    from hindsight_neo4j.embedding.encoder import Encoder

DEFAULT_MODEL: Final = "minilm"
"""all-MiniLM-L6-v2 with weights of 8 bits: 23 MB, from a package of the extra `dense`."""


def load_encoder(name: str) -> Encoder:
    """Return the encoder of a model.

    Args:
        name: `DEFAULT_MODEL`, the folder of a model, or its name in the cache of Hugging Face.

    Raises:
        SettingsError: The libraries are not installed, or there is no such model, or none that can be run here.
    """
    try:
        from hindsight_neo4j.embedding import encoder  # noqa: PLC0415  half a second of imports
    except ImportError as error:
        raise SettingsError(
            f"vectors need libraries that are not installed ({error.name})",
            hint="pip install 'hindsight-neo4j[dense]'",
        ) from error
    return encoder.Encoder.load(name)
