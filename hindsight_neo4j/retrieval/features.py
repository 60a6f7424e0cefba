"""Features: what is known of each candidate, as one row of numbers, for the learned ranking to weigh.

The rows are symbols (and what a file holds outside them). A file or a module is ranked by a row made of its members'
(`grouped`): the greatest value of each column, then the columns of the member that the text fits best, then how many
there are. Training and inference share this module; nothing else decides what a column means.

`COLUMNS` names each column and the part of the score it counts to in an explanation.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nsmallest
from itertools import chain, pairwise
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from hindsight_neo4j.model.chunk import Chunk
from hindsight_neo4j.model.graph import EdgeKind, NodeKind
from hindsight_neo4j.retrieval.anchors import AnchorKind
from hindsight_neo4j.retrieval.place import around, place_of_chunks, place_of_reached
from hindsight_neo4j.retrieval.score import fit_of_file, way_strengths
from hindsight_neo4j.retrieval.state import Place, RetrievalState
from hindsight_neo4j.retrieval.wording import asks_about_tests, content_words, search_words
from hindsight_neo4j.stores.tokens import token_set, tokenize

Matrix: TypeAlias = npt.NDArray[np.float32]

MOST_TERMS: Final = 400
"""Distinct tokens of a question that are compared, the first ones, as many as a search looks up."""

FEEDBACK_FROM: Final = 8
FEEDBACK_TERMS: Final = 30
"""What the best candidates have in common, and the others have not, as more words to look for."""

SPEAKERS: Final = 60
"""The best candidates, whose text and names are looked at for the names of others and in their text."""

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

_IN_FILE = ("share of best", "body rank", "title rank", "name rank")
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
    ("signature coverage", "name"),
    ("title in signature", "name"),
    ("path coverage", "path"),
    ("title in path", "path"),
    ("words of the best", "text"),
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
    ("spoken of", "graph"),
    ("speaks of", "graph"),
    *((f"file: {name}", "file") for name in (*_GROUP, "rank")),
    *((f"class: {name}", "file") for name in _GROUP),
    ("file: definitions", "shape"),
    ("from the top", "shape"),
    *((f"in file: {name}", "text") for name in _IN_FILE),
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

    @property
    def fit(self) -> float:
        """How well the question and its title fit it, for choosing the best before anything is learned."""
        return self.score + self.title


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
    body = _incidence([each.tokens for each in candidates], terms)
    names = _Names.of(candidates, terms)
    best, bearers = _best(candidates, SPEAKERS), _bearers(candidates)
    asked = frozenset(bearers).union(*(each.tokens for each in best[:FEEDBACK_FROM]))
    common = Counter(chain.from_iterable(asked & each.tokens for each in candidates))
    coverage = list(_coverage_columns(candidates, body, names, terms))
    columns = [
        *_search_columns(candidates),
        *coverage,
        _feedback_column(candidates, best[:FEEDBACK_FROM], common),
        *_best_columns(body, terms),
        *_name_columns(candidates, names, terms),
        *_named_columns(state, candidates),
        *_shape_columns(state, candidates),
        *_graph_columns(state, candidates),
        *_spoken_columns(candidates, best, bearers, common),
        *_group_columns(candidates, body, terms),
        *_place_columns(candidates),
        *_in_file_columns(candidates, coverage),
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


GROUPED_PARTS: Final = (*PARTS, *PARTS, "shape")
"""The part of every column of `grouped`: the members' greatest, the best member's, how many they are."""

_BM25 = NAMES.index("bm25")


# --- candidates -----------------------------------------------------------------------------------


def _candidates(state: RetrievalState) -> list[_Candidate]:
    found: dict[str, _Candidate] = {}
    parts = state.part_hits or (state.hits,)
    for hits, share in ((state.hits, 0.0), *((part, 1.0 / len(parts)) for part in parts)):
        top = hits[0].score if hits else 1.0
        for hit in hits:
            chunk = hit.chunk
            each = found.get(chunk.symbol)
            if each is None:
                each = found[chunk.symbol] = _Candidate(place_of_chunks([chunk]), [chunk])
            elif chunk not in each.texts:
                each.texts.append(chunk)
            if hits is state.hits:
                each.score = max(each.score, hit.score / top)
            if hits is parts[0]:
                each.title = max(each.title, hit.score / top)
            each.asked += share * hit.score / top
    for chunk in state.inside:
        if chunk.symbol not in found:
            found[chunk.symbol] = _Candidate(place_of_chunks([chunk]), [])
        found[chunk.symbol].texts.append(chunk)
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
        first, *others = map(_tokens_of_chunk, [chunk.text for chunk in candidate.texts])
        return first.union(*others) if others else first
    place = candidate.place
    return token_set(f"{place.name} {place.signature} {place.doc}")


_tokens_of_chunk = lru_cache(maxsize=2_048)(token_set)
_tokens = lru_cache(maxsize=16_384)(token_set)
"""The questions of a session often find the same chunks, names, signatures and docs; these are short, and so more are kept."""


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


def _incidence(documents: Sequence[frozenset[str]], terms: _Terms) -> npt.NDArray[np.bool_]:
    """Which of the terms (columns) each document (row) has."""
    index = terms.index
    known = frozenset(index)
    cells = [
        row * len(index) + index[token]
        for row, tokens in enumerate(documents)
        for token in known & tokens
    ]
    found = np.zeros(len(documents) * len(index), bool)
    found[cells] = True
    return found.reshape(len(documents), len(index))


def _incidence_once(
    names: Sequence[str], tokens_of: Callable[[str], frozenset[str]], terms: _Terms
) -> tuple[npt.NDArray[np.bool_], Matrix]:
    """The same, and the number of tokens (rows, 1), for documents many of which are one and the same."""
    number = {name: at for at, name in enumerate(dict.fromkeys(names))}
    documents = [tokens_of(name) for name in number]
    owner = [number[name] for name in names]
    sizes = np.array([max(len(each), 1) for each in documents], np.float32)
    return _incidence(documents, terms)[owner], sizes[owner][:, None]


@dataclass(frozen=True, slots=True)
class _Names:
    """Which terms are in the candidates' own names, their holders' and their files': (candidates, terms) and sizes."""

    own: tuple[npt.NDArray[np.bool_], Matrix]
    holder: tuple[npt.NDArray[np.bool_], Matrix]
    stem: tuple[npt.NDArray[np.bool_], Matrix]

    @classmethod
    def of(cls, candidates: Sequence[_Candidate], terms: _Terms) -> _Names:
        spelled = [_spelled(each.place.id) for each in candidates]
        paths = [each.place.path for each in candidates]
        return cls(
            own=_incidence_once([own for own, _ in spelled], _tokens, terms),
            holder=_incidence_once([holder for _, holder in spelled], _tokens, terms),
            stem=_incidence_once(paths, _stem_tokens, terms),
        )


def _coverage_columns(
    candidates: Sequence[_Candidate], body: npt.NDArray[np.bool_], names: _Names, terms: _Terms
) -> Iterator[Matrix]:
    paths, _ = _incidence_once([each.place.path for each in candidates], _path_tokens, terms)
    docs = _incidence([_tokens(each.place.doc) for each in candidates], terms)
    signatures = _incidence([_tokens(each.place.signature) for each in candidates], terms)
    yield from (body @ terms.weights).T
    yield from (names.own[0] @ terms.weights).T
    for having in (names.holder[0], docs, signatures, paths):
        yield from (having @ terms.weights[:, :2]).T


def _best_columns(body: npt.NDArray[np.bool_], terms: _Terms) -> Iterator[Matrix]:
    for chosen in (None, terms.in_title, terms.in_code):
        rarity = terms.rarity if chosen is None else terms.rarity * chosen
        yield (body * rarity).max(axis=1, initial=0.0)


def _feedback_column(
    candidates: Sequence[_Candidate], best: Sequence[_Candidate], common: Counter[str]
) -> Matrix:
    """The share of what the best candidates speak of and most others do not (pseudo-relevance feedback)."""
    strengths: dict[str, float] = defaultdict(float)
    for each in best:
        for token in each.tokens:
            strengths[token] += each.fit
    weighed = {
        token: strength * math.log(len(candidates) / common[token])
        for token, strength in strengths.items()
    }
    chosen = sorted(weighed, key=lambda token: (-weighed[token], token))[:FEEDBACK_TERMS]
    whole = sum(weighed[token] for token in chosen) or 1.0
    kept = frozenset(chosen)
    shares = [sum(map(weighed.__getitem__, kept & each.tokens)) / whole for each in candidates]
    return np.array(shares, np.float32)


@lru_cache(maxsize=16_384)
def _spelled(node: str) -> tuple[str, str]:
    """A node's own name and the dotted name of what holds it; a file has none."""
    _, _, qualname = node.partition(":")
    holder, _, own = qualname.partition("~")[0].rpartition(".")
    return own, holder


@lru_cache(maxsize=4_096)
def _path_tokens(path: str) -> frozenset[str]:
    return token_set(path.rpartition(".")[0] or path)


@lru_cache(maxsize=4_096)
def _stem_tokens(path: str) -> frozenset[str]:
    return token_set(path.rpartition("/")[2].partition(".")[0])


def _name_columns(
    candidates: Sequence[_Candidate], names: _Names, terms: _Terms
) -> Iterator[Matrix]:
    for (having, sizes), in_title in (
        (names.own, True),
        (names.holder, False),
        (names.stem, True),
    ):
        yield having.sum(axis=1) / sizes[:, 0]
        if in_title:
            yield having[:, terms.in_title].sum(axis=1) / sizes[:, 0]
    wholes = [_spelled(each.place.id)[0].lower() for each in candidates]
    found = [terms.index.get(whole) for whole in wholes]
    rarity = [0.0 if at is None else float(terms.rarity[at]) for at in found]
    in_code = [at is not None and bool(terms.in_code[at]) for at in found]
    yield np.array(rarity, np.float32)
    yield np.array(rarity, np.float32) * np.array(in_code)
    pairs = terms.pairs
    yield np.array([pairs.get(whole, 0.0) for whole in wholes], np.float32)
    joined = frozenset(pairs)
    yield np.array(
        [sum(map(pairs.__getitem__, joined & each.tokens)) for each in candidates], np.float32
    )


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
    if not state.named:
        yield from np.zeros((5, len(candidates)), np.float32)
        return
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
        folders, aside, package_file = _shape_of_path(place.path)
        lines = sum([chunk.end_line - chunk.start_line + 1 for chunk in each.texts])
        rows.append(
            (
                math.log1p(lines or place.end_line - place.start_line + 1),
                *_shape_of_name(place.id),
                place.kind == NodeKind.CLASS,
                place.kind == NodeKind.FILE,
                folders,
                len(around(place.id)),
                aside,
                package_file,
                place.is_test and not about_tests,
            )
        )
    yield from np.array(rows, np.float32).T


@lru_cache(maxsize=16_384)
def _shape_of_name(node: str) -> tuple[bool, bool, bool]:
    name = _spelled(node)[0]
    special = name.startswith("__")
    return name == "__init__", special, name.startswith("_") and not special


@lru_cache(maxsize=4_096)
def _shape_of_path(path: str) -> tuple[int, bool, bool]:
    file = path.rpartition("/")[2]
    return path.count("/"), bool(_ASIDE.search(path)), file.startswith("__init__.")


def _graph_columns(state: RetrievalState, candidates: Sequence[_Candidate]) -> Iterator[Matrix]:
    number = {each.place.id: at for at, each in enumerate(candidates)}
    weights = {seed.id: seed.weight for seed in state.seeds}
    column = {
        (kind.value, forward): at
        for at, (forward, kind) in enumerate(
            (forward, kind) for forward in (True, False) for kind in _LINKED
        )
    }
    linked = [[0.0] * len(candidates) for _ in column]
    for link in state.links:
        row, at = column.get((link.kind, link.forward)), number.get(link.id)
        if row is not None and at is not None:
            strength = weights.get(link.seed, 0.0) * link.confidence
            linked[row][at] = max(linked[row][at], strength)
    yield from np.array(linked, np.float32)
    yield np.array([weights.get(each.place.id, 0.0) for each in candidates], np.float32)
    walked = way_strengths(state)
    yield np.array([walked.get(each.place.id, 0.0) for each in candidates], np.float32)


def _bearers(candidates: Sequence[_Candidate]) -> dict[str, list[int]]:
    """The candidates that bear each name, special names aside."""
    named: dict[str, list[int]] = defaultdict(list)
    for at, each in enumerate(candidates):
        own = _spelled(each.place.id)[0].lower()
        if own and not own.startswith("__"):
            named[own].append(at)
    return dict(named)


def _spoken_columns(
    candidates: Sequence[_Candidate],
    best: Sequence[_Candidate],
    named: dict[str, list[int]],
    common: Counter[str],
) -> Iterator[Matrix]:
    """How well those of the best fit that have this candidate's name in their text, and whose name this one's text has."""
    # A name that many have in their text, or that many bear, says little.
    clear = {name: (1 + common[name] * len(bearers)) ** -0.5 for name, bearers in named.items()}
    names = frozenset(clear)
    spoken_of = [0.0] * len(candidates)
    for speaker in best:
        for name in names & speaker.tokens:
            strength = clear[name] * speaker.fit
            for at in named[name]:
                if spoken_of[at] < strength and candidates[at] is not speaker:
                    spoken_of[at] = strength
    yield np.array(spoken_of, np.float32)
    strengths: dict[str, float] = {}
    for each in best:
        name = _spelled(each.place.id)[0].lower()
        if name in clear:
            strengths.setdefault(name, clear[name] * each.fit)
    spoken = frozenset(strengths)
    yield np.array(
        [
            max(
                (strengths[name] for name in spoken & each.tokens if named[name] != [at]),
                default=0.0,
            )
            for at, each in enumerate(candidates)
        ],
        np.float32,
    )


def _best(candidates: Sequence[_Candidate], most: int) -> list[_Candidate]:
    return nsmallest(most, candidates, key=lambda each: (-each.fit, each.place.id))


def _place_columns(candidates: Sequence[_Candidate]) -> Iterator[Matrix]:
    counts = Counter(each.place.path for each in candidates)
    yield np.log1p(np.array([counts[each.place.path] for each in candidates], np.float32))
    yield np.log1p(np.array([each.place.start_line for each in candidates], np.float32))


def _in_file_columns(
    candidates: Sequence[_Candidate], coverage: Sequence[Matrix]
) -> Iterator[Matrix]:
    """Where a candidate stands among those of its file, by its words, the title's, and those in its name and doc."""
    number = {path: at for at, path in enumerate(dict.fromkeys(e.place.path for e in candidates))}
    owner = np.array([number[each.place.path] for each in candidates])
    score = np.array([each.score for each in candidates], np.float32)
    title = np.array([each.title for each in candidates], np.float32)
    best = np.zeros(len(number), np.float32)
    np.maximum.at(best, owner, score)
    yield score / np.maximum(best[owner], 1e-6)
    yield _rank_within(owner, score + coverage[_BODY])
    yield _rank_within(owner, title + coverage[_TITLE_IN_BODY])
    yield _rank_within(owner, coverage[_TITLE_IN_NAME] + 0.5 * coverage[_TITLE_IN_DOC])


_BODY, _TITLE_IN_BODY, _TITLE_IN_NAME, _TITLE_IN_DOC = (
    NAMES.index(name) - NAMES.index("body coverage")  # the first of `_coverage_columns`
    for name in ("body coverage", "title in body", "title in name", "title in doc")
)


def _rank_within(owner: npt.NDArray[np.int_], fit: Matrix) -> Matrix:
    """-ln(1 + how many of the same owner fit better)."""
    order = np.lexsort((-fit, owner))
    place = np.arange(len(order))
    new_owner = np.diff(owner[order], prepend=-1) != 0
    first = np.maximum.accumulate(np.where(new_owner, place, 0))
    new_fit = new_owner | (np.diff(fit[order], prepend=np.inf) != 0)
    ranks = np.empty(len(order), np.float32)
    ranks[order] = np.maximum.accumulate(np.where(new_fit, place, 0)) - first
    ranked: Matrix = -np.log1p(ranks)
    return ranked


def _group_columns(
    candidates: Sequence[_Candidate], body: npt.NDArray[np.bool_], terms: _Terms
) -> Iterator[Matrix]:
    files = _groups(candidates, [each.place.path for each in candidates], body, terms)
    yield from files
    best, root_of_squares, title = files[:3]
    standing, first = np.unique(fit_of_file(best, root_of_squares, title), return_inverse=True)
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
