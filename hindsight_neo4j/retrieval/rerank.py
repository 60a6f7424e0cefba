"""Rerank: the learned ranking of what was found, files first, then modules and functions with their file's score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from hindsight_neo4j.model.graph import NodeKind
from hindsight_neo4j.retrieval.features import (
    GROUPED_PARTS,
    NAMES,
    PARTS,
    Matrix,
    Table,
    grouped,
    tabulate,
)
from hindsight_neo4j.retrieval.place import around, is_module
from hindsight_neo4j.retrieval.ranker import BASE, Forest, load_forests
from hindsight_neo4j.retrieval.score import Parts, Ranked
from hindsight_neo4j.retrieval.state import RetrievalState

GRAPH_PART: Final = "graph"
FILE_PART: Final = "file"
"""The part that the file's own score counts to."""

_CLASSES: Final = 2
"""Times the limit: what holds other definitions may be a function too, and is dropped later."""

GRAPH_OF_PIECE: Final = 2.0
"""What a walk of full strength adds to the score of a piece for packing: evidence is to hang together.

The learned scores of a question's candidates lie within about 4 of each other."""

_WALK = NAMES.index("walk")


def rerank(state: RetrievalState) -> Ranked:
    """Return the best of each grain, as many as the caller wants to see, and the best nodes for packing."""
    limit = state.options.limit
    table = tabulate(state)
    if not table.places:
        return Ranked([], [], [], [], [])
    forests = load_forests()
    ids = [place.id for place in table.places]
    names, of_files = grouped(table.rows, [(place.path,) for place in table.places])
    files = _Scored.by(forests["file"], names, of_files, GROUPED_PARTS)
    rows = with_file_scores(table, dict(zip(names, files.scores.tolist(), strict=True)))
    group_parts = (*PARTS, FILE_PART, *PARTS, FILE_PART, "shape")
    classes = _Scored.by(
        forests["module"], *grouped(rows, [around(node)[1:] for node in ids]), group_parts
    )
    entities = _Scored.by(forests["function"], ids, rows, (*PARTS, FILE_PART))
    return Ranked(
        files=files.best(limit),
        modules=classes.only([is_module(node) for node in classes.ids]).best(limit),
        classes=classes.best(_CLASSES * limit),
        functions=entities.only([place.kind == NodeKind.FUNCTION for place in table.places]).best(
            limit
        ),
        pieces=entities.best(state.options.pieces, GRAPH_OF_PIECE * rows[:, _WALK]),
    )


def with_file_scores(table: Table, score_of: dict[str, float]) -> Matrix:
    """Return the table's rows with one more column: the score of the candidate's file."""
    column = np.array([score_of[place.path] for place in table.places], np.float32)
    return np.hstack([table.rows, column[:, None]])


@dataclass(frozen=True, slots=True)
class _Scored:
    """Ids, their rows (n, columns) and their scores by a forest, from which rankings are cut."""

    forest: Forest
    ids: Sequence[str]
    rows: Matrix
    scores: npt.NDArray[np.float64]
    part_of: Sequence[str]

    @classmethod
    def by(
        cls, forest: Forest, ids: Sequence[str], rows: Matrix, part_of: Sequence[str]
    ) -> _Scored:
        return cls(forest, ids, rows, forest.scores(rows), part_of)

    def only(self, keeps: Sequence[bool]) -> _Scored:
        kept = np.flatnonzero(keeps)
        ids = [self.ids[at] for at in kept.tolist()]
        return replace(self, ids=ids, rows=self.rows[kept], scores=self.scores[kept])

    def best(self, most: int, graph: Matrix | None = None) -> list[tuple[str, Parts]]:
        """The best `most` by the forest's score, and what `graph` adds to it."""
        if not self.ids or not most:
            return []
        more = np.zeros(len(self.ids), np.float32) if graph is None else graph
        scores = self.scores + more
        first = np.argsort(-scores, kind="stable")[:most]
        # What all share is chosen so that the least score is 0, which is also that of what only fills a ranking up.
        lift = -float(scores.min())
        parts = self.forest.parts(self.rows[first], self.part_of)
        for each, walked in zip(parts, more[first].tolist(), strict=True):
            each[BASE] += lift
            each[GRAPH_PART] += walked
        return [(self.ids[at], each) for at, each in zip(first.tolist(), parts, strict=True)]
