"""From the chunks of a tree to the chunk store."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

import msgspec

from hindsight_neo4j.ingest.facts_store import FactsStore
from hindsight_neo4j.ingest.record import FileRecord, unpack_chunks, unpack_tokens
from hindsight_neo4j.ingest.walk import Walked
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.model.chunk import Chunk, Document
from hindsight_neo4j.model.graph import NodeKind
from hindsight_neo4j.stores.protocols import ChunkStore
from hindsight_neo4j.stores.tokens import document_tokens

if TYPE_CHECKING:
    from hindsight_neo4j.embedding.passages import Passages


class ChunkWriter:
    """Gathers the chunks of a tree and puts them into a store.

    Those of files read just now wait as they came from the workers, packed with their tokens: twice the source (33 MB
    for django). Those of other files come from their facts.

    A stub that lies beside its source has no symbols of its own in the graph, they are the source's (`link.stubs`); its
    chunks belong to its file.
    """

    def __init__(self, walked: Walked, languages: LanguageSet) -> None:
        paths = {file.path for file in walked.files}
        self._earlier = dict.fromkeys(file.path for file in walked.files)
        self._waiting: deque[tuple[bytes, bytes]] = deque()
        self._stubs = _stubs_beside_source(paths, languages)

    def add(self, record: FileRecord) -> None:
        """Keep the chunks of a file that was read just now."""
        self._earlier.pop(record.path, None)
        if record.skipped:
            return
        self._waiting.append((record.chunks, record.tokens))

    def chunks(self, facts: FactsStore) -> Iterator[Chunk]:
        """Yield all chunks, which stay where they are."""
        waiting = (unpack_chunks(chunks) for chunks, _ in self._waiting)
        return chain.from_iterable(chain(waiting, facts.chunks(self._earlier)))

    def write(
        self, store: ChunkStore, snapshot: str, facts: FactsStore, passages: Passages | None
    ) -> None:
        """Make all chunks those of `snapshot` in `store`, with the vectors of `passages`.

        Raises:
            WriteFailed: The store cannot be written.
        """
        for documents in self._documents(facts):
            placed = map(self._placed, documents)
            store.put(snapshot, map(passages.attached, placed) if passages else placed)
        store.commit()

    def _documents(self, facts: FactsStore) -> Iterator[Iterable[Document]]:
        while self._waiting:
            chunks, tokens = self._waiting.popleft()
            yield map(Document, unpack_chunks(chunks), unpack_tokens(tokens))
        for pieces in facts.chunks(self._earlier):
            yield (Document(one, document_tokens(one)) for one in pieces)

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
