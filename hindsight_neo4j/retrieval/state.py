"""The state that the stages of retrieval hand on, and what they read from. Frozen: a stage returns a new one."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import msgspec

from hindsight_neo4j.model.chunk import Chunk, Hit, Vector
from hindsight_neo4j.model.question import (
    Breadth,
    Budget,
    Candidate,
    Evidence,
    Intent,
    IntentGuess,
    Step,
    SubQuestion,
)
from hindsight_neo4j.model.template import Params, Row
from hindsight_neo4j.retrieval.anchors import Anchor, AnchorKind
from hindsight_neo4j.retrieval.frontier import Link, Reached
from hindsight_neo4j.retrieval.policies import Policy
from hindsight_neo4j.stores.protocols import ChunkStore, GraphStore
from hindsight_neo4j.templates.catalogue import Catalogue

FIELD_WEIGHTS: Final = {"name": 1.2, "path": 0.7, "doc": 0.3, "body": 1.0}
"""Boost by field. A body holds its signature and its documentation too, so they count twice as it is.

Chosen among fourteen settings on 255 commits of eight packages of the training set: function@5 .533, against .486 with
all five fields at 1 to 2.
"""


@dataclass(frozen=True, slots=True)
class AskOptions:
    """What a caller may choose.

    Args:
        policy: Family of policies: "default", "article" or "bm25".
        intent: Overrides the classifier; None lets it guess.
        scope: Overrides the scope of an exploratory question.
        limit: Most candidates of each grain (files, modules, classes, functions).
        budget: Most tokens of evidence.
        pieces: Most nodes that are ranked for packing; none where nothing is packed.
        dense: Search by vectors as well; `Sources.encoder` is there then.
    """

    policy: str = "default"
    intent: Intent | None = None
    scope: Breadth | None = None
    limit: int = 50
    budget: int = 8_000
    pieces: int = 0
    dense: bool = False


class QuestionEncoder(Protocol):
    """Turns a question into a vector of the model that the snapshot's vectors are of."""

    def question(self, text: str) -> Vector:
        """Return the vector of `text`."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where retrieval reads: one snapshot in a graph store and a chunk store, by the templates of a catalogue.

    `snapshot` is what its nodes call it. `name` is what people and the chunk store call it, if that differs. `encoder` is
    there where vectors are asked for.
    """

    graph: GraphStore
    chunks: ChunkStore
    catalogue: Catalogue
    snapshot: str
    name: str = ""
    encoder: QuestionEncoder | None = None

    @property
    def title(self) -> str:
        """What people and the chunk store call the snapshot."""
        return self.name or self.snapshot

    def run(self, stage: str, name: str, params: Params) -> tuple[list[Row], Step]:
        """Run the template `name` and return its rows with the step for `--explain`."""
        began = time.perf_counter()
        rows = self.graph.run(self.catalogue.get(name), params)
        return rows, Step(stage, name, dict(params), len(rows), _ms_since(began))

    def nodes(self, stage: str, ids: Sequence[str]) -> tuple[list[Row], Step]:
        """Read the rows of nodes by key, which takes an index where a search by id takes a scan (3 against 40 ms)."""
        return self.run(stage, "step/nodes", {"keys": [f"{self.snapshot}|{node}" for node in ids]})

    def chunks_of(self, ids: Iterable[str]) -> dict[str, list[Chunk]]:
        """Return the chunks of nodes, by id; what has none is missing."""
        return self.chunks.chunks_of(ids, snapshot=self.title)

    def search(self, stage: str, words: str, limit: int) -> tuple[list[Hit], Step]:
        """Search the chunks for `words` and return the hits with the step for `--explain`."""
        began = time.perf_counter()
        hits = self.chunks.search(words, snapshot=self.title, limit=limit, weights=FIELD_WEIGHTS)
        params = {"snapshot": self.title, "words": words, "limit": limit}
        return hits, Step(stage, "search", params, len(hits), _ms_since(began))

    def near(self, stage: str, question: str, limit: int) -> tuple[list[Hit], Step]:
        """Return the chunks whose vectors are nearest to the question's, with the step for `--explain`."""
        assert self.encoder is not None
        began = time.perf_counter()
        hits = self.chunks.near(self.encoder.question(question), snapshot=self.title, limit=limit)
        params = {"snapshot": self.title, "limit": limit}
        return hits, Step(stage, "near", params, len(hits), _ms_since(began))


class Place(msgspec.Struct, frozen=True, gc=False):
    """What is known of a node, whether from a row of the graph, a walk or its chunks."""

    id: str
    kind: str
    name: str
    path: str
    start_line: int
    end_line: int
    signature: str
    doc: str
    is_test: bool
    unresolved: int = 0
    unresolved_names: str = ""


@dataclass(frozen=True, slots=True)
class Named:
    """A node that the question names. `strength` is 1 for a full match that is alone and falls with ambiguity."""

    place: Place
    anchor: str
    kind: AnchorKind
    strength: float


@dataclass(frozen=True, slots=True)
class Seed:
    """A node that the walk starts from, with its share (0 to 1) of what the best one has."""

    id: str
    weight: float


@dataclass(frozen=True, slots=True)
class RetrievalState:
    """Everything known so far. Each stage fills the fields that bear its name and leaves the others alone."""

    question: str
    sources: Sources
    options: AskOptions
    # decompose
    subquestions: tuple[SubQuestion, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    # classify
    intent: IntentGuess | None = None
    policy: Policy | None = None
    # seed
    hits: tuple[Hit, ...] = ()  # of the whole question
    part_hits: tuple[
        tuple[Hit, ...], ...
    ] = ()  # of each sub-question; empty where there is only one
    named: tuple[Named, ...] = ()
    seeds: tuple[Seed, ...] = ()
    # expand
    reached: tuple[Reached, ...] = ()
    links: tuple[Link, ...] = ()  # every edge of the seeds, for the learned ranking
    # look inside
    inside: tuple[Chunk, ...] = ()  # of the best files, what no search found
    # fuse
    files: tuple[Candidate, ...] = ()
    modules: tuple[Candidate, ...] = ()
    classes: tuple[Candidate, ...] = ()
    functions: tuple[Candidate, ...] = ()
    pieces: tuple[Candidate, ...] = ()  # nodes of any kind, ranked for packing
    reason: str = ""
    # pack
    evidence: tuple[Evidence, ...] = ()
    budget: Budget | None = None
    # all
    steps: tuple[Step, ...] = ()


class Stage(Protocol):
    """One step of the pipeline."""

    def __call__(self, state: RetrievalState) -> RetrievalState:
        """Return `state` with this stage's fields filled."""


def _ms_since(began: float) -> float:
    return round((time.perf_counter() - began) * 1_000, 2)
