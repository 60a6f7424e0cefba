"""What tests speak of: how far the words of a test are the words of a function's name.

A run leaves the graph where a name is made up (`getattr(self, "visit_" + kind)`), looked up in a table or read from a
template; but who tests `visit_loop` writes "loop" somewhere: in the test's name, in a string, in a keyword. Words count
by how few functions are called so, so that "get" counts little. How many tests say one does not matter: what many speak of,
many run. A test's decorators count into its name, as a runner puts the values there that they hand to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from math import log
from typing import Final

from hindsight_neo4j.link.project import Project, SourceFile
from hindsight_neo4j.model.facts import NONE
from hindsight_neo4j.model.numbers import ATTRIBUTE, CLASS, FUNCTION, KEYWORD, NAME, STRING
from hindsight_neo4j.model.words import words_of

SAID: Final = 0.6
"""What a word in a test's body counts, against 1 in its name. With .8 the share of right tests among the first five is .015 less on
five packages and .005 on eight others."""

MAX_SAYING: Final = 128
"""A word that more tests say finds none by itself. With 64 a right test is found for .005 fewer of the functions of five packages and
.010 of eight others'; without a bound, for .001 more."""

_SPOKEN = frozenset({NAME, ATTRIBUTE, KEYWORD, STRING})
_NOTHING: frozenset[str] = frozenset()


class Topics:
    """The words of the tests and of the functions of one project."""

    def __init__(self, project: Project, tests: AbstractSet[int]) -> None:
        """Read the words of `tests`."""
        self._project = project
        self._parts: dict[str, tuple[str, ...]] = {}
        functions = [
            number
            for number, scope in enumerate(project.scopes)
            if scope.kind == FUNCTION and not project.file_of[number].is_test
        ]
        names = {number: self._name_words(number) for number in functions}
        named = Counter(word for words in names.values() for word in words)
        self._named: dict[int, AbstractSet[str]] = {}
        self._said: dict[int, AbstractSet[str]] = {}
        self._note(tests, named.keys())
        saying = self._tests_by_word(named)
        self._speakers = {word: said for word, said in saying.items() if len(said) <= MAX_SAYING}
        weights = {word: log((len(functions) + 1) / (n + 0.5)) for word, n in named.items()}
        self._words = {
            number: [(word, weights[word]) for word in sorted(words)]
            for number, words in names.items()
        }
        self._totals = {
            number: sum(weight for _, weight in words) for number, words in self._words.items()
        }

    def overlap(self, function: int, test: int) -> float:
        """Return the share of the words of `function` that `test` says, each by its weight: 0 to 1."""
        found, total = 0.0, self._totals[function]
        named, said = self._named[test], self._said[test]
        for word, weight in self._words[function]:
            if word in named:
                found += weight
            elif word in said:
                found += weight * SAID
        return found / total if total else 0.0

    def speaking_of(self, function: int) -> Iterator[tuple[float, int]]:
        """Yield the tests that say a rare word of `function`, each after its `overlap`."""
        candidates: set[int] = set()
        for word, _ in self._words[function]:
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

    # ------------------------------------------------------------------ words

    def _words_of(self, text: str) -> tuple[str, ...]:
        """Return the words of `text`; most texts are names that come again and again."""
        found = self._parts.get(text)
        if found is None:
            found = self._parts[text] = tuple(w for w in words_of(text) if len(w) > 1)
        return found

    def _name_words(self, function: int) -> frozenset[str]:
        """Return the words of the names of a function, of what it is defined in and of its file."""
        scope, around = self._project.scopes[function], self._project.parent(function)
        file = self._project.file_of[function].path.rpartition("/")[2].rpartition(".")[0]
        words = {*self._words_of(scope.name), *self._words_of(file)}
        if around != NONE and self._project.scopes[around].kind in (CLASS, FUNCTION):
            words.update(self._words_of(self._project.scopes[around].name))
        return frozenset(words)

    def _note(self, tests: AbstractSet[int], known: AbstractSet[str]) -> None:
        """Note which of the words `known` each of `tests` has in its name, and which in its body."""
        project, words_in = self._project, _KnownWords(known, self._words_of)
        bodies: dict[int, set[str]] = {}
        for place in sorted({project.file_of[test].number for test in tests}):
            bodies.update(self._texts(project.files[place], tests))
        for test in tests:
            file, scope = project.file_of[test], project.scopes[test]
            names = (file.path, scope.qualname, *_texts(file, scope.decorators))
            named = self._named[test] = _NOTHING.union(*map(words_in.__getitem__, names))
            said = _NOTHING.union(*map(words_in.__getitem__, bodies.get(test, ())))
            self._said[test] = said - named

    def _texts(self, file: SourceFile, tests: AbstractSet[int]) -> Mapping[int, set[str]]:
        """Return the names and strings in the body of each of `tests` that `file` has."""
        found: dict[int, set[str]] = {}
        speakers = [self._speaker(file.first_scope + at, tests) for at in range(len(file.scopes))]
        texts = [None if s == NONE else found.setdefault(s, set()) for s in speakers]
        for expr in file.exprs:
            spoken = texts[expr.scope]
            if spoken is not None and expr.op in _SPOKEN:
                spoken.add(expr.text)
        return found

    def _speaker(self, scope: int, wanted: AbstractSet[int]) -> int:
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
