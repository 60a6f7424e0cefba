"""From the chunks of a tree to the chunk store."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from hindsight_neo4j.ingest.walk import Walked
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.model.chunk import Chunk, Document
from hindsight_neo4j.model.graph import NodeKind
from hindsight_neo4j.stores.protocols import ChunkStore
from hindsight_neo4j.stores.tokens import document_tokens


class ChunkWriter:
    """Puts chunks into `store` under `snapshot`.

    A stub that lies beside its source has no symbols of its own in the graph, they are the source's (`link.stubs`); its
    chunks belong to its file.
    """

    def __init__(
        self, store: ChunkStore, snapshot: str, walked: Walked, languages: LanguageSet
    ) -> None:
        self._store = store
        self._snapshot = snapshot
        self._stubs = _stubs_beside_source({file.path for file in walked.files}, languages)

    def put(self, documents: Iterable[Document]) -> None:
        """Put the chunks of files read just now, which have their tokens already."""
        self._store.put(self._snapshot, map(self._placed, documents))

    def put_again(self, chunks: Iterable[Chunk]) -> None:
        """Put the chunks of files read in an earlier run."""
        self.put(Document(chunk, document_tokens(chunk)) for chunk in chunks)

    def _placed(self, document: Document) -> Document:
        chunk = document.chunk
        if chunk.path not in self._stubs:
            return document
        placed = msgspec.structs.replace(chunk, symbol=chunk.path, kind=NodeKind.FILE.value)
        return Document(placed, document.tokens)


def _stubs_beside_source(paths: set[str], languages: LanguageSet) -> frozenset[str]:
    stubs = set()
    for path in paths:
        language = languages.of_path(path)
        if language is None or not language.is_stub(path):
            continue
        stem = path.removesuffix(next(s for s in language.stub_suffixes if path.endswith(s)))
        sources = (stem + suffix for suffix in language.suffixes)
        if any(source in paths and not language.is_stub(source) for source in sources):
            stubs.add(path)
    return frozenset(stubs)
