"""Rerank: the learned ranking of what was found, files first, then modules and functions with their file's score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

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
from hindsight_neo4j.retrieval.place import around
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


def rerank(state: RetrievalState, pieces: int) -> Ranked:
    """Return the best of each grain, as many as the caller wants to see, and the best `pieces` nodes for packing."""
    limit = state.options.limit
    table = tabulate(state)
    if not table.places:
        return Ranked([], [], [], [], [])
    forests = load_forests()
    ids = [place.id for place in table.places]
    names, of_files = grouped(table.rows, [(place.path,) for place in table.places])
    scores = forests["file"].scores(of_files)
    rows = with_file_scores(table, dict(zip(names, scores.tolist(), strict=True)))
    modules = grouped(rows, [around(node)[1:2] for node in ids])
    classes = grouped(rows, [around(node)[1:] for node in ids])
    is_function = np.array([place.kind == NodeKind.FUNCTION for place in table.places])
    functions = [node for node, keeps in zip(ids, is_function, strict=True) if keeps]
    entity_parts = (*PARTS, FILE_PART)
    group_parts = (*PARTS, FILE_PART, *PARTS, FILE_PART, "shape")
    return Ranked(
        files=_best(forests["file"], names, of_files, GROUPED_PARTS, limit),
        modules=_best(forests["module"], *modules, group_parts, limit),
        classes=_best(forests["module"], *classes, group_parts, _CLASSES * limit),
        functions=_best(forests["function"], functions, rows[is_function], entity_parts, limit),
        pieces=_best(
            forests["function"], ids, rows, entity_parts, pieces, GRAPH_OF_PIECE * rows[:, _WALK]
        ),
    )


def with_file_scores(table: Table, score_of: dict[str, float]) -> Matrix:
    """Return the table's rows with one more column: the score of the candidate's file."""
    column = np.array([score_of[place.path] for place in table.places], np.float32)
    return np.hstack([table.rows, column[:, None]])


def _best(
    forest: Forest,
    ids: Sequence[str],
    rows: Matrix,
    part_of: Sequence[str],
    most: int,
    graph: Matrix | None = None,
) -> list[tuple[str, Parts]]:
    """The best `most` by the forest's score, and what `graph` adds to it."""
    if not ids:
        return []
    more = np.zeros(len(ids), np.float32) if graph is None else graph
    scores = forest.scores(rows) + more
    first = np.argsort(-scores, kind="stable")[:most]
    # What all share is chosen so that the least score is 0, which is also that of what only fills a ranking up.
    lift = -float(scores.min())
    parts = forest.parts(rows[first], part_of)
    for each, walked in zip(parts, more[first].tolist(), strict=True):
        each[BASE] += lift
        each[GRAPH_PART] += walked
    return [(ids[at], each) for at, each in zip(first.tolist(), parts, strict=True)]
