"""Chunks in a folder, searched by BM25: the embedded engine, `tantivy`. The only module that knows it.

Each snapshot has an index of its own below the folder, so that the statistics behind a score are those of its chunks
alone. The engine gets tokens, never text: `stores.tokens` makes them, and a whitespace tokenizer splits them again.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Final, Self

import msgspec
import tantivy

from hindsight_neo4j.errors import MAKE_ROOM, StoreUnavailable, WriteFailed
from hindsight_neo4j.model.chunk import FIELDS, Chunk, Document, Hit, Vector
from hindsight_neo4j.stores.embedded_vectors import FILE_NAME, Vectors, VectorWriter
from hindsight_neo4j.stores.ranking import best, by_symbol, weighted_terms
from hindsight_neo4j.stores.values import first_line, short_name

WRITER_BYTES: Final = 64 << 20
"""Memory of the writer before it starts another segment. Scores do not depend on segments."""

CHUNKS_KEPT: Final = 2_048
"""Chunks kept of those read last: the parts of a question find what the whole of it found, and reading 300 takes four times
as long as finding them."""

_ENCODE = msgspec.msgpack.Encoder().encode
_DECODE = msgspec.msgpack.Decoder(Chunk).decode


class EmbeddedText:
    """A chunk store in a folder (`stores.protocols.ChunkStore`).

    What is put between two commits becomes the snapshot, so that doing it again changes nothing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._schema = _schema()
        self._open: dict[str, _Reader] = {}
        self._writers: dict[str, tantivy.IndexWriter] = {}
        self._vector_writers: dict[str, VectorWriter] = {}
        self._vectors: dict[str, Vectors] = {}

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the chunks of a folder, for reading.

        Raises:
            StoreUnavailable: There is no such folder.
        """
        if not path.is_dir():
            raise StoreUnavailable(f"there are no chunks in {path}", hint=_REBUILD)
        return cls(path)

    @classmethod
    def create(cls, path: Path) -> Self:
        """Open a folder for writing; it is made if it is missing.

        Raises:
            StoreUnavailable: The folder cannot be made.
        """
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnavailable(f"cannot make {path}: {error.strerror}") from error
        return cls(path)

    def put(self, snapshot: str, documents: Iterable[Document]) -> int:
        """Add documents and return how many. They are found only after `commit`.

        Raises:
            WriteFailed: The folder cannot be written.
        """
        count = 0
        try:
            writer = self._writer(snapshot)
            vectors = self._vector_writers[snapshot]
            for document in documents:
                writer.add_document(_stored(document))
                vectors.add(document)
                count += 1
        except (ValueError, OSError) as error:
            raise self._failed(error) from error
        return count

    def commit(self) -> None:
        """Make everything put so far findable, and durable, in place of what its snapshot held before.

        Raises:
            WriteFailed: The folder cannot be written; what was there before is untouched.
        """
        try:
            for snapshot, writer in self._writers.items():
                writer.commit()
                writer.wait_merging_threads()
                self._vector_writers[snapshot].close()
                self._open.pop(snapshot, None)
                self._vectors.pop(snapshot, None)
                _replace(self._folder(snapshot), self._draft(snapshot))
        except (ValueError, OSError) as error:
            raise self._failed(error) from error
        finally:
            self._close_writers()

    def publish(self) -> None:
        """Do nothing: what is written is there, and its generation becomes live as a whole."""

    def search(
        self, question: str, *, snapshot: str, limit: int, weights: dict[str, float] | None = None
    ) -> list[Hit]:
        """Return the best chunks for the words of `question`, best first, ties by chunk id.

        Only the first `MAX_QUESTION_TERMS` distinct terms count, each once.
        """
        reader = self._reader(snapshot)
        terms = weighted_terms(question, weights)
        if reader is None or not terms or limit < 1:
            return []
        query = self._query(terms)
        with self._reading(snapshot):
            return best(
                lambda size: reader.searcher.search(query, size, count=False).hits,
                reader.chunk,
                limit,
            )

    def near(self, vector: Vector, *, snapshot: str, limit: int) -> list[Hit]:
        """Return the chunks whose vectors point most nearly where `vector` does, best first, ties by chunk id."""
        vectors = self._vectors_of(snapshot)
        if vectors is None or vectors.model != vector.model or limit < 1:
            return []

        def search(size: int) -> list[tuple[float, Chunk]]:
            found = vectors.nearest(vector, size)
            chunks = self._by_id(snapshot, {each.symbol for each in found})
            return [(each.cosine, chunks[each.chunk]) for each in found]

        with self._reading(snapshot):
            return best(search, lambda chunk: chunk, limit, scale=1.0)

    def vector_model(self, snapshot: str) -> str | None:
        """Return the model that the chunks' vectors are of; None where they have none."""
        vectors = self._vectors_of(snapshot)
        return vectors.model if vectors else None

    def token_counts(self, tokens: Sequence[str], *, snapshot: str) -> list[int]:
        """Return for each token (as `stores.tokens` makes them) how many chunks have it in their body."""
        reader = self._reader(snapshot)
        if reader is None:
            return [0] * len(tokens)
        with self._reading(snapshot):
            return [reader.searcher.doc_freq("body", token) for token in tokens]

    def chunks_of(self, symbols: Iterable[str], *, snapshot: str) -> dict[str, list[Chunk]]:
        """Return the chunks of each symbol, in line order. A symbol without chunks is left out."""
        return by_symbol(self._chunks(snapshot, {short_name(symbol) for symbol in symbols}))

    def count(self, snapshot: str) -> int:
        """Return the number of chunks."""
        reader = self._reader(snapshot)
        return 0 if reader is None else int(reader.searcher.num_docs)

    def close(self) -> None:
        """Forget what was put without a commit. May be called twice."""
        for snapshot in self._writers:
            shutil.rmtree(self._draft(snapshot), ignore_errors=True)
        self._close_writers()
        self._open.clear()
        self._vectors.clear()

    def _close_writers(self) -> None:
        for vectors in self._vector_writers.values():
            vectors.close()
        self._vector_writers.clear()
        self._writers.clear()

    def _chunks(self, snapshot: str, names: Collection[str]) -> list[Chunk]:
        """Return the chunks of the symbols of these short names."""
        reader = self._reader(snapshot)
        if reader is None or not names:
            return []
        # Half the time of a query for a set of terms.
        query = tantivy.Query.boolean_query(
            [
                (
                    tantivy.Occur.Should,
                    tantivy.Query.term_query(self._schema, "symbol", name, index_option="basic"),
                )
                for name in names
            ]
        )
        with self._reading(snapshot):
            size = max(1, reader.searcher.num_docs)
            result = reader.searcher.search(query, size, count=False)
            return [reader.chunk(address) for _, address in result.hits]

    def _by_id(self, snapshot: str, names: Collection[str]) -> dict[str, Chunk]:
        """Return the chunks of these symbols, by the short names of their ids."""
        return {short_name(chunk.id): chunk for chunk in self._chunks(snapshot, names)}

    def _vectors_of(self, snapshot: str) -> Vectors | None:
        file = self._folder(snapshot) / FILE_NAME
        if snapshot not in self._vectors and file.is_file():
            with self._reading(snapshot):
                self._vectors[snapshot] = Vectors(file)
        return self._vectors.get(snapshot)

    def _query(self, terms: list[tuple[str, str, float]]) -> tantivy.Query:
        return tantivy.Query.boolean_query(
            [(tantivy.Occur.Should, self._term(*term)) for term in terms]
        )

    def _term(self, field: str, term: str, weight: float) -> tantivy.Query:
        query = tantivy.Query.term_query(self._schema, field, term, index_option="freq")
        return query if weight == 1.0 else tantivy.Query.boost_query(query, weight)

    def _writer(self, snapshot: str) -> tantivy.IndexWriter:
        if snapshot not in self._writers:
            draft = self._draft(snapshot)
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir()
            index = tantivy.Index(self._schema, path=str(draft), reuse=False)
            # One thread: the order of documents, and so the bytes of the index, depend on the input alone.
            self._writers[snapshot] = index.writer(WRITER_BYTES, num_threads=1)
            self._vector_writers[snapshot] = VectorWriter(draft / FILE_NAME)
        return self._writers[snapshot]

    def _reader(self, snapshot: str) -> _Reader | None:
        folder = self._folder(snapshot)
        if snapshot not in self._open and folder.is_dir():
            with self._reading(snapshot):
                self._open[snapshot] = _Reader(folder)
        return self._open.get(snapshot)

    @contextmanager
    def _reading(self, snapshot: str) -> Iterator[None]:
        try:
            yield
        except (ValueError, KeyError, OSError, msgspec.DecodeError) as error:
            raise StoreUnavailable(
                f"the chunks in {self._folder(snapshot)} cannot be read: {first_line(error)}",
                hint=_REBUILD,
            ) from error

    def _folder(self, snapshot: str) -> Path:
        # A digest, since a snapshot's name may hold what a file name may not.
        return self._path / short_name(snapshot)

    def _draft(self, snapshot: str) -> Path:
        return self._folder(snapshot).with_suffix(".draft")

    def _failed(self, error: Exception) -> WriteFailed:
        return WriteFailed(
            f"the chunks in {self._path} were not written: {first_line(error)}", hint=MAKE_ROOM
        )


class _Reader:
    """A snapshot's index opened for reading, which nothing changes any more, with the chunks read last."""

    def __init__(self, folder: Path) -> None:
        self.searcher = searcher = tantivy.Index.open(str(folder)).searcher()

        @lru_cache(CHUNKS_KEPT)
        def read(segment: int, number: int) -> Chunk:
            (data,) = searcher.doc(tantivy.DocAddress(segment, number)).get_all("chunk")
            return _DECODE(data)

        self._read = read

    def chunk(self, address: tantivy.DocAddress) -> Chunk:
        """Return the chunk at an address."""
        return self._read(address.segment_ord, address.doc)


_REBUILD: Final = "ingest the repository again to rebuild them"


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for field in FIELDS:
        builder.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("symbol", tokenizer_name="raw", index_option="basic")
    builder.add_bytes_field("chunk", stored=True, indexed=False)
    return builder.build()


def _stored(document: Document) -> tantivy.Document:
    stored = tantivy.Document()
    for field, tokens in zip(FIELDS, document.tokens, strict=True):
        stored.add_text(field, tokens)
    stored.add_text("symbol", short_name(document.chunk.symbol))
    stored.add_bytes("chunk", _ENCODE(document.chunk))
    return stored


def _replace(folder: Path, draft: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    draft.rename(folder)
