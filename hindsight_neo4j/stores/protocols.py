"""What a store must do. One contract suite (tests/contract) runs on every class that claims to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from hindsight_neo4j.model.chunk import Chunk, Document, Hit, Vector
from hindsight_neo4j.model.graph import Graph
from hindsight_neo4j.model.template import READ_TIMEOUT_S, ROW_CAP, Params, Row, Template

GRAPH_SCHEMA_VERSION = 1
"""Raised whenever the tables, properties or ids of a stored graph change meaning."""


class GraphStore(Protocol):
    """Holds the nodes and edges of snapshots and answers templates."""

    def write(self, snapshot: str, graph: Graph) -> None:
        """Store a whole snapshot, replacing what it held before. Repeating it changes nothing.

        Raises:
            WriteFailed: The engine refused; what was there before is untouched.
        """

    def publish(self) -> None:
        """Show readers what was written. Of an index folder they see nothing before the generation is live anyway.

        Raises:
            WriteFailed: The engine refused; what was there before is untouched.
        """

    def run(
        self,
        template: Template,
        params: Params,
        *,
        timeout_s: float = READ_TIMEOUT_S,
        row_cap: int = ROW_CAP,
    ) -> list[Row]:
        """Run a template read-only and return its rows in its order, at most `row_cap`.

        Raises:
            TemplateError: A parameter is missing, unknown or of the wrong type, or the engine refuses the text.
            StoreUnavailable: The engine does not answer, or not within `timeout_s` seconds.
        """

    def counts(self, snapshot: str) -> tuple[dict[str, int], dict[str, int]]:
        """Return nodes by kind and edges by kind, counted by the engine."""

    def close(self) -> None:
        """Release what the store holds. May be called twice."""


class ChunkStore(Protocol):
    """Holds chunks and searches them by BM25 (k1 1.2, b 0.75) over tokens made by `stores.tokens`.

    Documents may have vectors, all of one model; then it searches by them too, exactly: every vector is compared.
    """

    def put(self, snapshot: str, documents: Iterable[Document]) -> int:
        """Add documents and return how many. They are found only after `commit` and `publish`.

        Raises:
            WriteFailed: The engine refused; what was there before is untouched.
        """

    def commit(self) -> None:
        """Make what was put since the last commit whole and durable, in place of what its snapshot held before.

        Raises:
            WriteFailed: The engine refused; what was there before is untouched.
        """

    def publish(self) -> None:
        """Show readers what was committed. Of an index folder they see nothing before the generation is live anyway.

        Raises:
            WriteFailed: The engine refused; what was there before is untouched.
        """

    def search(
        self, question: str, *, snapshot: str, limit: int, weights: dict[str, float] | None = None
    ) -> list[Hit]:
        """Return the best chunks for the words of `question`, best first, ties by chunk id.

        Args:
            question: Any text; its tokens count, its syntax does not.
            snapshot: Where to look.
            limit: Most hits.
            weights: Boost by field name (`model.chunk.FIELDS`); a field not named is not searched. None: the default.
        """

    def near(self, vector: Vector, *, snapshot: str, limit: int) -> list[Hit]:
        """Return the chunks whose vectors point most nearly where `vector` does, best first, ties by chunk id.

        The score is the cosine. Nothing is near a vector of another model than `vector_model`.
        """

    def vector_model(self, snapshot: str) -> str | None:
        """Return the model that the chunks' vectors are of; None where they have none."""

    def token_counts(self, tokens: Sequence[str], *, snapshot: str) -> list[int]:
        """Return for each token (as `stores.tokens` makes them) how many chunks have it in their body."""

    def chunks_of(self, symbols: Iterable[str], *, snapshot: str) -> dict[str, list[Chunk]]:
        """Return the chunks of each symbol, in line order. A symbol without chunks is left out."""

    def count(self, snapshot: str) -> int:
        """Return the number of chunks."""

    def close(self) -> None:
        """Release what the store holds. May be called twice."""
