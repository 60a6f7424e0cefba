"""What tests speak of: how far the words of a test are the words of a function's name.

A run leaves the graph where a name is made up (`getattr(self, "visit_" + kind)`), looked up in a table or read from a
template; but who tests `visit_loop` writes "loop" somewhere: in the test's name, in a string, in a keyword. Words count
by how few tests say them and how few functions are called so, so that "test" and "get" count next to nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from math import log
from typing import Final

from hindsight_neo4j.link.project import Project, SourceFile
from hindsight_neo4j.model.facts import NONE
from hindsight_neo4j.model.numbers import ATTRIBUTE, CLASS, FUNCTION, KEYWORD, NAME, STRING
from hindsight_neo4j.model.words import words_of

SAID: Final = 0.8
"""What a word in a test's body counts, against 1 in its name. From .6 to 1 the outcome moves by .02."""

OF_FILE: Final = 0.3
"""What a word of the file's name counts, against 1 for one of the function's and its class's name."""

MAX_SAYING: Final = 64
"""A word that more tests say finds none by itself; 200 find no more right ones on the five packages."""

_SPOKEN = frozenset({NAME, ATTRIBUTE, KEYWORD, STRING})
_NOTHING: frozenset[str] = frozenset()

_Weighed = tuple[float, tuple[tuple[str, float], ...]]
"""The words of a function by their weights, after the sum of these."""

_WORDLESS: _Weighed = (0.0, ())


class Topics:
    """The words of the tests and of the functions of one project."""

    def __init__(self, project: Project, tests: Mapping[int, Sequence[int]]) -> None:
        """Read the words of `tests`, each with the functions of test code that it runs: their words are its own."""
        self._project = project
        self._parts: dict[str, tuple[str, ...]] = {}
        functions = [
            number
            for number, scope in enumerate(project.scopes)
            if scope.kind == FUNCTION and not project.file_of[number].is_test
        ]
        names = {number: self._own_words(number) for number in functions}
        called = Counter(word for own in names.values() for word in own)
        known = {*called, *(w for file in project.files for w in self._file_words(file))}
        self._named: dict[int, set[str]] = {}
        self._said: dict[int, AbstractSet[str]] = {}
        self._note(tests, known)
        saying = self._tests_by_word(known)
        self._speakers = {word: said for word, said in saying.items() if len(said) <= MAX_SAYING}
        self._weights = {
            word: log((len(tests) + 1) / (len(said) + 0.5))
            * log((len(functions) + 1) / (called[word] + 0.5))
            for word, said in saying.items()
        }
        self._words = {number: self._weighed(number, own) for number, own in names.items()}

    def overlap(self, function: int, test: int) -> float:
        """Return the share of the words of `function` that `test` says, each by its weight: 0 to 1."""
        found = 0.0
        named, said = self._named[test], self._said[test]
        total, words = self._words.get(function, _WORDLESS)
        for word, weight in words:
            if word in named:
                found += weight
            elif word in said:
                found += weight * SAID
        return found / total if total else 0.0

    def speaking_of(self, function: int) -> Iterator[tuple[float, int]]:
        """Yield the tests that say a rare word of `function`, each after its `overlap`."""
        candidates: set[int] = set()
        for word, _ in self._words.get(function, _WORDLESS)[1]:
            candidates.update(self._speakers.get(word, ()))
        for test in candidates:
            yield self.overlap(function, test), test

    def _tests_by_word(self, known: Iterable[str]) -> dict[str, list[int]]:
        """Return the tests that say each of the words `known`; they say no others."""
        found: dict[str, list[int]] = {word: [] for word in known}
        for test, named in self._named.items():
            for word in named:
                found[word].append(test)
            for word in self._said[test]:
                found[word].append(test)
        return found

    def _weighed(self, function: int, own: frozenset[str]) -> _Weighed:
        of_file = self._file_words(self._project.file_of[function]) - own
        words = [(word, self._weights[word]) for word in sorted(own)]
        words += [(word, self._weights[word] * OF_FILE) for word in sorted(of_file)]
        kept = tuple((word, weight) for word, weight in words if weight > 0)
        return sum(weight for _, weight in kept), kept

    # ------------------------------------------------------------------ words

    def _words_of(self, text: str) -> tuple[str, ...]:
        """Return the words of `text`; most texts are names that come again and again."""
        found = self._parts.get(text)
        if found is None:
            found = self._parts[text] = tuple(w for w in words_of(text) if len(w) > 1)
        return found

    def _own_words(self, function: int) -> frozenset[str]:
        """Return the words of a function's name and of its class's."""
        scope = self._project.scopes[function]
        words = set(self._words_of(scope.name))
        around = self._project.parent(function)
        if around != NONE and self._project.scopes[around].kind in (CLASS, FUNCTION):
            words.update(self._words_of(self._project.scopes[around].name))
        return frozenset(words)

    def _file_words(self, file: SourceFile) -> frozenset[str]:
        return frozenset(self._words_of(file.path.rpartition("/")[2].rpartition(".")[0]))

    def _note(self, tests: Mapping[int, Sequence[int]], known: set[str]) -> None:
        """Note which tests say which of the words `known`."""
        project = self._project
        spoken = self._spoken_words({*tests, *chain.from_iterable(tests.values())}, known)
        for test, helpers in tests.items():
            file = project.file_of[test]
            named = {*self._words_of(file.path), *self._words_of(project.scopes[test].qualname)}
            named &= known
            said = [spoken[number] for number in (test, *helpers) if number in spoken]
            self._named[test], self._said[test] = named, _NOTHING.union(*said) - named

    def _spoken_words(self, wanted: set[int], known: set[str]) -> Mapping[int, AbstractSet[str]]:
        """Return the words `known` that each of the functions `wanted` says."""
        words_in = _KnownWords(known, self._words_of)
        found: dict[int, AbstractSet[str]] = {}
        for place in sorted({self._project.file_of[number].number for number in wanted}):
            for number, texts in self._texts(self._project.files[place], wanted).items():
                found[number] = _NOTHING.union(*map(words_in.__getitem__, texts))
        return found

    def _texts(self, file: SourceFile, wanted: set[int]) -> Mapping[int, set[str]]:
        """Return the names and strings in each of the functions `wanted` of `file`, decorators included."""
        found: dict[int, set[str]] = {}
        speakers = [self._speaker(file.first_scope + at, wanted) for at in range(len(file.scopes))]
        texts = [None if s == NONE else found.setdefault(s, set()) for s in speakers]
        for expr in file.exprs:
            spoken = texts[expr.scope]
            if spoken is not None and expr.op in _SPOKEN:
                spoken.add(expr.text)
        for at, scope in enumerate(file.scopes):
            spoken = texts[at]
            if scope.decorators and spoken is not None:
                spoken.update(_texts(file, scope.decorators))
        return found

    def _speaker(self, scope: int, wanted: set[int]) -> int:
        """Return the function of `wanted` that `scope` is or lies in, NONE without one."""
        while scope != NONE and scope not in wanted:
            scope = self._project.parent(scope)
        return scope


class _KnownWords(dict[str, tuple[str, ...]]):
    """Text → those of its words that are known; most texts are names that come again and again."""

    def __init__(self, known: AbstractSet[str], words_of: Callable[[str], tuple[str, ...]]) -> None:
        super().__init__()
        self._known = known
        self._words_of = words_of

    def __missing__(self, text: str) -> tuple[str, ...]:
        found = self[text] = tuple([word for word in self._words_of(text) if word in self._known])
        return found


def _texts(file: SourceFile, exprs: Iterable[int]) -> Iterator[str]:
    """Yield the names and strings in `exprs` and below."""
    waiting = list(exprs)
    while waiting:
        index = waiting.pop()
        if index != NONE:
            expr = file.exprs[index]
            waiting += expr.args
            if expr.op in _SPOKEN:
                yield expr.text
