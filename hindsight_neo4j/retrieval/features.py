"""Features: what is known of each candidate, as one row of numbers, for the learned ranking to weigh.

The rows are symbols (and what a file holds outside them). A file or a module is ranked by a row made of its members'
(`grouped`): the greatest value of each column, then the columns of the member that the text fits best, then how many
there are. Training and inference share this module; nothing else decides what a column means.

`COLUMNS` names each column and the part of the score it counts to in an explanation.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from hindsight_neo4j.model.chunk import Chunk
from hindsight_neo4j.model.graph import EdgeKind, NodeKind
from hindsight_neo4j.retrieval.anchors import AnchorKind
from hindsight_neo4j.retrieval.place import around, place_of_chunks, place_of_reached
from hindsight_neo4j.retrieval.score import way_strengths
from hindsight_neo4j.retrieval.state import Place, RetrievalState
from hindsight_neo4j.retrieval.wording import asks_about_tests, content_words, search_words
from hindsight_neo4j.stores.tokens import token_set, tokenize

Matrix: TypeAlias = npt.NDArray[np.float32]

MOST_TERMS: Final = 400
"""Distinct tokens of a question that are compared, the first ones, as many as a search looks up."""

MOST_PAIRS: Final = 200
"""Neighbouring words of a question that are tried as one identifier ("default settings", `default_settings`)."""

_LINKED: Final = (
    EdgeKind.INVOKES,
    EdgeKind.IMPORTS,
    EdgeKind.INHERITS,
    EdgeKind.OVERRIDES,
    EdgeKind.REFERENCES,
    EdgeKind.TESTS,
)

_GROUP = ("best", "sum", "title best", "title sum", "coverage", "title coverage", "hits")

COLUMNS: Final[tuple[tuple[str, str], ...]] = (
    ("bm25", "text"),
    ("rank", "text"),
    ("title bm25", "asked"),
    ("title rank", "asked"),
    ("sub-questions", "asked"),
    ("body coverage", "text"),
    ("title in body", "asked"),
    ("code in body", "text"),
    ("name coverage", "name"),
    ("title in name", "name"),
    ("code in name", "name"),
    ("holder coverage", "name"),
    ("title in holder", "name"),
    ("doc coverage", "text"),
    ("title in doc", "asked"),
    ("path coverage", "path"),
    ("title in path", "path"),
    ("rarest in body", "text"),
    ("rarest of title", "asked"),
    ("rarest of code", "text"),
    ("name in question", "name"),
    ("name in title", "name"),
    ("holder in question", "name"),
    ("stem in question", "path"),
    ("stem in title", "path"),
    ("whole name", "name"),
    ("whole name as code", "name"),
    ("whole name of pair", "name"),
    ("pairs", "text"),
    ("named", "name"),
    ("holder named", "name"),
    ("place named", "path"),
    ("in frame", "path"),
    ("file in frame", "path"),
    ("lines", "shape"),
    ("constructor", "shape"),
    ("special", "shape"),
    ("private", "shape"),
    ("class", "shape"),
    ("file", "shape"),
    ("folders", "shape"),
    ("nesting", "shape"),
    ("aside", "shape"),
    ("package file", "shape"),
    ("test", "tests"),
    *((f"{kind} {end}", "graph") for end in ("to", "from") for kind in _LINKED),
    ("seed", "graph"),
    ("walk", "graph"),
    *((f"file: {name}", "file") for name in (*_GROUP, "rank")),
    *((f"class: {name}", "file") for name in _GROUP),
)
"""Name and part of every column, in order."""

NAMES: Final = tuple(name for name, _ in COLUMNS)
PARTS: Final = tuple(part for _, part in COLUMNS)

_NO_RANK = -8.0  # below every rank a search returns: -ln(1 + 2,980)
_ASIDE = re.compile(
    r"(?:^|/)(?:docs?|examples?|benchmarks?|tools?|scripts?|vendor\w*|_vendor|third_party|contrib)(?:/|$)"
    r"|(?:^|/)(?:setup|conftest|_version)\.\w+$",
    re.IGNORECASE,
)
"""Places beside the product's own code, which a change to the product seldom touches."""


@dataclass(frozen=True, slots=True)
class Table:
    """Candidates and their features. `rows` is (candidates, columns); the places are those of the candidates."""

    places: tuple[Place, ...]
    rows: Matrix


@dataclass(slots=True)
class _Candidate:
    place: Place
    texts: list[Chunk]
    score: float = 0.0
    title: float = 0.0
    asked: float = 0.0
    tokens: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Terms:
    """The question's tokens that the corpus has: index by token, and per token its rarity and the weights (terms, 3).

    The three columns of `weights` are the shares of the whole question's, the title's and the code names' rarity.
    """

    index: dict[str, int]
    rarity: Matrix
    in_title: npt.NDArray[np.bool_]
    in_code: npt.NDArray[np.bool_]
    weights: Matrix
    pairs: dict[str, float]


def tabulate(state: RetrievalState) -> Table:
    """Return the features of every symbol that was hit, named or linked to a seed, in the order of their ids."""
    candidates = _candidates(state)
    if not candidates:
        return Table((), np.zeros((0, len(COLUMNS)), np.float32))
    terms = _terms(state)
    body = _incidence((each.tokens for each in candidates), terms, len(candidates))
    columns = [
        *_search_columns(candidates),
        *_coverage_columns(candidates, body, terms),
        *_name_columns(candidates, terms),
        *_named_columns(state, candidates),
        *_shape_columns(state, candidates),
        *_graph_columns(state, candidates),
        *_group_columns(candidates, body, terms),
    ]
    rows = np.stack(columns, axis=1).astype(np.float32)
    return Table(tuple(each.place for each in candidates), rows)


def grouped(rows: Matrix, groups: Sequence[Sequence[str]]) -> tuple[list[str], Matrix]:
    """Return the names of the groups, sorted, and a row for each (module docstring).

    Args:
        rows: (members, columns).
        groups: The groups of each member.
    """
    names = sorted({group for each in groups for group in each})
    if not names:
        return [], np.zeros((0, 2 * rows.shape[1] + 1), np.float32)
    number = {name: at for at, name in enumerate(names)}
    members = np.array([at for at, each in enumerate(groups) for _ in each])
    owner = np.array([number[group] for each in groups for group in each])
    # Within a group the member that the text fits best comes first.
    order = np.lexsort((-rows[members, _BM25], owner))
    members, owner = members[order], owner[order]
    starts = np.searchsorted(owner, np.arange(len(names)))
    sizes = np.diff(starts, append=len(owner)).astype(np.float32)
    greatest = np.maximum.reduceat(rows[members], starts, axis=0)
    return names, np.hstack([greatest, rows[members[starts]], sizes[:, None]])


GROUPED_NAMES: Final = (*NAMES, *(f"best member's {name}" for name in NAMES), "members")
GROUPED_PARTS: Final = (*PARTS, *PARTS, "shape")
"""Name and part of every column of `grouped`."""

_BM25 = NAMES.index("bm25")


# --- candidates -----------------------------------------------------------------------------------


def _candidates(state: RetrievalState) -> list[_Candidate]:
    found: dict[str, _Candidate] = {}
    parts = state.part_hits or (state.hits,)
    for hits, share in ((state.hits, 0.0), *((part, 1.0 / len(parts)) for part in parts)):
        top = hits[0].score if hits else 1.0
        for hit in hits:
            each = found.get(hit.chunk.symbol)
            if each is None:
                each = found[hit.chunk.symbol] = _Candidate(place_of_chunks([hit.chunk]), [])
            if hit.chunk not in each.texts:
                each.texts.append(hit.chunk)
            if hits is state.hits:
                each.score = max(each.score, hit.score / top)
            if hits is parts[0]:
                each.title = max(each.title, hit.score / top)
            each.asked += share * hit.score / top
    for place in _neighbours(state):
        found.setdefault(place.id, _Candidate(place, []))
    for each in found.values():
        if len(each.texts) > 1:
            each.place = place_of_chunks(each.texts)
        each.tokens = _body_tokens(each)
    return [found[node] for node in sorted(found)]


def _neighbours(state: RetrievalState) -> Iterator[Place]:
    outside = (NodeKind.EXTERNAL, NodeKind.DIRECTORY)
    for named in state.named:
        if named.place.kind not in outside:
            yield named.place
    for reached in state.reached:
        if reached.kind not in outside:
            yield place_of_reached(reached)


def _body_tokens(candidate: _Candidate) -> frozenset[str]:
    if candidate.texts:
        return token_set("\n".join(chunk.text for chunk in candidate.texts))
    place = candidate.place
    return token_set(f"{place.name} {place.signature} {place.doc}")


# --- the question ---------------------------------------------------------------------------------


def _terms(state: RetrievalState) -> _Terms:
    tokens = list(dict.fromkeys(tokenize(search_words(state.question)).split()))[:MOST_TERMS]
    pairs = [pair for pair in _pairs(state.question) if pair not in set(tokens)]
    sources = state.sources
    counts = sources.chunks.token_counts([*tokens, *pairs], snapshot=sources.snapshot)
    total = sources.chunks.count(sources.snapshot)
    known = {
        token: math.log(1.0 + (total - count + 0.5) / (count + 0.5))  # BM25's
        for token, count in zip([*tokens, *pairs], counts, strict=True)
        if count
    }
    kept = [token for token in tokens if token in known]
    title = token_set(search_words(state.subquestions[0].text))
    code = token_set(" ".join(each.name or each.path for each in state.anchors))
    rarity = np.array([known[token] for token in kept], np.float32)
    in_title = np.array([token in title for token in kept], bool)
    in_code = np.array([token in code for token in kept], bool)
    weights = np.stack([rarity, rarity * in_title, rarity * in_code], axis=1)
    return _Terms(
        index={token: at for at, token in enumerate(kept)},
        rarity=rarity,
        in_title=in_title,
        in_code=in_code,
        weights=(weights / np.maximum(weights.sum(axis=0), 1e-6)).astype(np.float32),
        pairs={pair: known[pair] for pair in pairs if pair in known},
    )


def _pairs(question: str) -> list[str]:
    words = [word.lower() for word in content_words(question)][: MOST_PAIRS + 1]
    joined = (
        pair
        for one, other in pairwise(words)
        if one.isalpha() and other.isalpha() and one != other
        for pair in (f"{one}_{other}", one + other)
    )
    return list(dict.fromkeys(joined))


# --- columns --------------------------------------------------------------------------------------


def _search_columns(candidates: Sequence[_Candidate]) -> Iterator[Matrix]:
    score = np.array([each.score for each in candidates], np.float32)
    title = np.array([each.title for each in candidates], np.float32)
    yield score
    yield _rank(score)
    yield title
    yield _rank(title)
    yield np.array([each.asked for each in candidates], np.float32)


def _rank(score: Matrix) -> Matrix:
    """-ln(1 + place), from 0 for the first."""
    places = np.empty(len(score), np.float32)
    places[np.argsort(-score, kind="stable")] = np.arange(len(score))
    return np.where(score > 0.0, -np.log1p(places), _NO_RANK).astype(np.float32)


def _incidence(
    documents: Iterable[frozenset[str]], terms: _Terms, count: int
) -> npt.NDArray[np.bool_]:
    """Which of the terms (columns) each document (row) has."""
    index = terms.index
    known = frozenset(index)
    cells = [
        row * len(index) + index[token]
        for row, tokens in enumerate(documents)
        for token in known & tokens
    ]
    found = np.zeros(count * len(index), bool)
    found[cells] = True
    return found.reshape(count, len(index))


def _coverage_columns(
    candidates: Sequence[_Candidate], body: npt.NDArray[np.bool_], terms: _Terms
) -> Iterator[Matrix]:
    count = len(candidates)
    yield from (body @ terms.weights).T
    names = (_name_tokens(each.place.id)[0] for each in candidates)
    yield from (_incidence(names, terms, count) @ terms.weights).T
    holders = (_name_tokens(each.place.id)[1] for each in candidates)
    yield from (_incidence(holders, terms, count) @ terms.weights[:, :2]).T
    docs = (token_set(each.place.doc) for each in candidates)
    yield from (_incidence(docs, terms, count) @ terms.weights[:, :2]).T
    paths = (_path_tokens(each.place.path) for each in candidates)
    yield from (_incidence(paths, terms, count) @ terms.weights[:, :2]).T
    for chosen in (None, terms.in_title, terms.in_code):
        rarity = terms.rarity if chosen is None else terms.rarity * chosen
        yield (body * rarity).max(axis=1, initial=0.0)


@lru_cache(maxsize=16_384)
def _name_tokens(node: str) -> tuple[frozenset[str], frozenset[str], str]:
    """The tokens of a node's own name, those of what holds it, and its own name in lower case; a file has none."""
    _, _, qualname = node.partition(":")
    holder, _, own = qualname.partition("~")[0].rpartition(".")
    return token_set(own), token_set(holder), own.lower()


@lru_cache(maxsize=4_096)
def _path_tokens(path: str) -> frozenset[str]:
    return token_set(path.rpartition(".")[0] or path)


@lru_cache(maxsize=4_096)
def _stem_tokens(path: str) -> frozenset[str]:
    return token_set(path.rpartition("/")[2].partition(".")[0])


def _name_columns(candidates: Sequence[_Candidate], terms: _Terms) -> Iterator[Matrix]:
    asked = terms.index.keys()
    title = {token for token, at in terms.index.items() if terms.in_title[at]}
    code = {token for token, at in terms.index.items() if terms.in_code[at]}
    rows = []
    for each in candidates:
        own, holder, whole = _name_tokens(each.place.id)
        stem = _stem_tokens(each.place.path)
        at = terms.index.get(whole)
        rarity = 0.0 if at is None else float(terms.rarity[at])
        rows.append(
            (
                _share(own, asked),
                _share(own, title),
                _share(holder, asked),
                _share(stem, asked),
                _share(stem, title),
                rarity,
                rarity if whole in code else 0.0,
                terms.pairs.get(whole, 0.0),
                sum(terms.pairs[token] for token in terms.pairs.keys() & each.tokens),
            )
        )
    yield from np.array(rows, np.float32).T


def _share(tokens: frozenset[str], known: Iterable[str]) -> float:
    return len(tokens.intersection(known)) / len(tokens) if tokens else 0.0


def _named_columns(state: RetrievalState, candidates: Sequence[_Candidate]) -> Iterator[Matrix]:
    names: dict[str, float] = defaultdict(float)
    places: dict[str, float] = defaultdict(float)
    frames: dict[str, float] = defaultdict(float)
    files: dict[str, float] = defaultdict(float)
    by_kind = {
        AnchorKind.IDENTIFIER: names,
        AnchorKind.PATH: places,
        AnchorKind.FRAME: frames,
    }
    for each in state.named:
        strengths = by_kind[each.kind]
        strengths[each.place.id] = max(strengths[each.place.id], each.strength)
        if each.kind is AnchorKind.FRAME:
            files[each.place.path] = max(files[each.place.path], each.strength)
    rows = [
        (
            names.get(node, 0.0),
            max((names.get(one, 0.0) for one in around(node)[:-1]), default=0.0),
            max(places.get(one, 0.0) for one in around(node)),
            frames.get(node, 0.0),
            files.get(each.place.path, 0.0),
        )
        for each in candidates
        for node in (each.place.id,)
    ]
    yield from np.array(rows, np.float32).T


def _shape_columns(state: RetrievalState, candidates: Sequence[_Candidate]) -> Iterator[Matrix]:
    about_tests = asks_about_tests(state.question)
    rows = []
    for each in candidates:
        place = each.place
        name = _name_tokens(place.id)[2]
        special = name.startswith("__")
        lines = sum(chunk.end_line - chunk.start_line + 1 for chunk in each.texts)
        rows.append(
            (
                math.log1p(lines or place.end_line - place.start_line + 1),
                name == "__init__",
                special,
                name.startswith("_") and not special,
                place.kind == NodeKind.CLASS,
                place.kind == NodeKind.FILE,
                place.path.count("/"),
                len(around(place.id)),
                _is_aside(place.path),
                place.path.rpartition("/")[2].startswith("__init__."),
                place.is_test and not about_tests,
            )
        )
    yield from np.array(rows, np.float32).T


@lru_cache(maxsize=4_096)
def _is_aside(path: str) -> bool:
    return bool(_ASIDE.search(path))


def _graph_columns(state: RetrievalState, candidates: Sequence[_Candidate]) -> Iterator[Matrix]:
    number = {each.place.id: at for at, each in enumerate(candidates)}
    weights = {seed.id: seed.weight for seed in state.seeds}
    column = {
        (kind.value, forward): at
        for at, (forward, kind) in enumerate(
            (forward, kind) for forward in (True, False) for kind in _LINKED
        )
    }
    linked = np.zeros((len(column), len(candidates)), np.float32)
    for link in state.links:
        row, at = column.get((link.kind, link.forward)), number.get(link.id)
        if row is not None and at is not None:
            strength = weights.get(link.seed, 0.0) * link.confidence
            linked[row, at] = max(linked[row, at], strength)
    yield from linked
    yield np.array([weights.get(each.place.id, 0.0) for each in candidates], np.float32)
    walked = way_strengths(state)
    yield np.array([walked.get(each.place.id, 0.0) for each in candidates], np.float32)


def _group_columns(
    candidates: Sequence[_Candidate], body: npt.NDArray[np.bool_], terms: _Terms
) -> Iterator[Matrix]:
    files = _groups(candidates, [each.place.path for each in candidates], body, terms)
    yield from files
    best, more, title = files[0], files[1], files[2]
    standing, first = np.unique(best + 0.25 * (more - best) + 0.5 * title, return_inverse=True)
    yield -np.log1p((len(standing) - 1 - first).astype(np.float32))
    classes = [around(each.place.id)[1:2] for each in candidates]
    yield from _groups(candidates, [each[0] if each else "" for each in classes], body, terms)


def _groups(
    candidates: Sequence[_Candidate],
    groups: Sequence[str],
    body: npt.NDArray[np.bool_],
    terms: _Terms,
) -> Matrix:
    """The columns `_GROUP` (rows here) of the group that each candidate is in; 0 for the group ""."""
    number = {name: at for at, name in enumerate(dict.fromkeys(groups))}
    owner = np.array([number[name] for name in groups])
    order = np.argsort(owner, kind="stable")
    starts = np.searchsorted(owner[order], np.arange(len(number)))
    score = np.array([each.score for each in candidates], np.float32)[order]
    title = np.array([each.title for each in candidates], np.float32)[order]
    covered = np.logical_or.reduceat(body[order], starts, axis=0) @ terms.weights[:, :2]
    of_groups = np.stack(
        [
            np.maximum.reduceat(score, starts),
            np.sqrt(np.add.reduceat(score**2, starts)),
            np.maximum.reduceat(title, starts),
            np.sqrt(np.add.reduceat(title**2, starts)),
            covered[:, 0],
            covered[:, 1],
            np.log1p(np.add.reduceat((score > 0.0).astype(np.float32), starts)),
        ]
    ).astype(np.float32)
    if "" in number:
        of_groups[:, number[""]] = 0.0
    return of_groups[:, owner]
