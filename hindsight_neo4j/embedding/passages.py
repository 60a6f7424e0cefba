"""Passages: what is embedded of a chunk, and the vectors of all chunks of a snapshot.

with Passages(encoder, folder / "vectors.sqlite", threads=2) as passages:
passages.make(chunks, passages.missing(chunks), print)
document = passages.attached(document)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Final, Self

import msgspec

from hindsight_neo4j.embedding.cache import VectorCache
from hindsight_neo4j.embedding.encoder import Encoder
from hindsight_neo4j.model.chunk import Chunk, Document, Vector

BATCH: Final = 256
"""Texts between two writes: about ten seconds of work, which is the most that a killed run loses."""


def passage(chunk: Chunk) -> str:
    """Return what is embedded of a chunk: where it stands, its name, and its source, which a model cuts where it must."""
    return f"{chunk.path} {chunk.name}\n{chunk.text}"


class Passages:
    """The vectors of a snapshot's chunks, by an encoder and a cache.

    Args:
        encoder: Makes them.
        file: The cache.
        threads: Texts that are embedded at once.
    """

    def __init__(self, encoder: Encoder, file: Path, threads: int) -> None:
        self._encoder = encoder
        self._threads = threads
        self._cache = VectorCache(file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._cache.__exit__(*error)

    def missing(self, chunks: Iterable[Chunk]) -> set[bytes]:
        """Return the keys of vectors that are still to be made, and drop the vectors of other chunks."""
        known = self._cache.keys()
        wanted = {self._key(passage(chunk)) for chunk in chunks}
        self._cache.drop(known - wanted)
        return wanted - known

    def make(
        self, chunks: Iterable[Chunk], missing: set[bytes], advance: Callable[[int], None]
    ) -> None:
        """Make the vectors of those keys, and tell `advance` of how many more each time that some are on disk."""
        texts = self._of(chunks, missing)
        while batch := list(islice(texts, BATCH)):
            vectors = self._encoder.passages([text for _, text in batch], self._threads)
            self._cache.keep(
                (key, vector.values) for (key, _), vector in zip(batch, vectors, strict=True)
            )
            advance(len(batch))

    def attached(self, document: Document) -> Document:
        """Return the document with the vector of its chunk."""
        values = self._cache.find(self._key(passage(document.chunk)))
        return msgspec.structs.replace(document, vector=Vector(self._encoder.model, values))

    def _of(self, chunks: Iterable[Chunk], missing: set[bytes]) -> Iterator[tuple[bytes, str]]:
        left = set(missing)  # the same text may stand in a file twice
        for text in map(passage, chunks):
            key = self._key(text)
            if key in left:
                left.remove(key)
                yield key, text

    def _key(self, text: str) -> bytes:
        content = f"{self._encoder.model}\0{text}".encode("utf-8", "surrogatepass")
        return blake2b(content, digest_size=16).digest()
