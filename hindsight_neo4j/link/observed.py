"""Joins what runs and compilers know to the facts: INVOKES, REFERENCES, OVERRIDES and TESTS edges that need no guess.

A place in evidence is believed only where the facts have something there: a call must lie inside its caller, a line that
ran must hold a statement, a definition must start where a symbol's name stands. A file for which this mostly fails has
changed since, and nothing about it is believed. What compilers call a use is a call only where the facts have a call site.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from hindsight_neo4j.link.edges import EdgeTable
from hindsight_neo4j.link.infer import Inference
from hindsight_neo4j.link.project import SourceFile
from hindsight_neo4j.link.test_names import TestNames
from hindsight_neo4j.model.evidence import Evidence, Mention, RanFile, SeenCall
from hindsight_neo4j.model.facts import NONE
from hindsight_neo4j.model.graph import EdgeKind, How, Tier
from hindsight_neo4j.model.numbers import CALL, CLASS, FUNCTION

MOST_RUN: Final = 100
"""Tests kept of those that ran one function: those that ran fewest functions, for they say most about it."""

BELIEVED: Final = 0.5
"""A file of whose places fewer than this share fit has changed since.

Of unchanged files nearly all fit: what does not are the inner lines of statements that span several.
"""

_NO_SCOPES: Final = (NONE,)
_SECOND: Final = re.compile(r"~\d+")
_NO_ONE: Mapping[str, Sequence[int]] = {}


class Observed:
    """Adds the edges of all evidence on one project, and says what came of each."""

    def __init__(self, inference: Inference, edges: EdgeTable) -> None:
        self._inference = inference
        self._project = inference.project
        self._edges = edges
        self._names: TestNames | None = None
        """Made when evidence first names a test: most links have none."""
        self._ids: Mapping[str, Sequence[int]] = _NO_ONE
        self._stale: Counter[str] = Counter()
        self._added: Counter[EdgeKind] = Counter()
        self.ran: dict[int, set[int]] = {}
        """Function -> the tests that ran it."""
        self.tests: set[int] = set()
        """All tests of which it is known what they ran."""

    def add(self, evidence: Evidence) -> str:
        """Add the edges that `evidence` gives, but for those of tests, and return a sentence on it."""
        self._stale.clear()
        self._added.clear()
        self._ids = self._ids or self._all_ids()
        self._add_calls(evidence.calls)
        self._add_compiled(evidence)
        pairs = sum(map(len, self.ran.values()))
        for test, functions in evidence.ran_functions.items():
            self._note_run(test, (self._named(name) for name in functions))
        for file in evidence.ran:
            self._note_lines(file)
        self._added[EdgeKind.TESTS] = sum(map(len, self.ran.values())) - pairs
        return self._sentence(evidence.source)

    def add_tests(self) -> None:
        """Add the TESTS edges of all runs."""
        tests = self._edges.of_kind(EdgeKind.TESTS)
        breadth = Counter(test for ran in self.ran.values() for test in ran)
        for function, ran in self.ran.items():
            for test in sorted(ran, key=lambda test: (breadth[test], test))[:MOST_RUN]:
                tests.add(test, function, 0, How.RUN, Tier.TRACE)

    def _sentence(self, source: str) -> str:
        found = ", ".join(f"{self._added[kind]:,} {kind}" for kind in EdgeKind if self._added[kind])
        changed = f"; changed since and left out: {len(self._stale)} files" if self._stale else ""
        first = f" ({min(self._stale)})" if self._stale else ""
        return f"{source}: {found or 'nothing that the graph holds'}{changed}{first}"

    def _all_ids(self) -> Mapping[str, Sequence[int]]:
        """Return the scopes by id. A run cannot tell two definitions of one name apart, so both have the first's id."""
        found: dict[str, list[int]] = {}
        for number, scope in enumerate(self._project.scopes):
            path = self._project.file_of[number].path
            if scope.parent == NONE:
                found[path] = [number]
            elif scope.kind in (CLASS, FUNCTION):
                found.setdefault(f"{path}:{_SECOND.sub('', scope.qualname)}", []).append(number)
        return found

    def _named(self, name: str) -> int:
        """Return what `name` means in the end: the last definition, NONE without one."""
        return self._ids.get(name, _NO_SCOPES)[-1]

    # ------------------------------------------------------------------ runs

    def _add_calls(self, calls: Iterable[SeenCall]) -> None:
        invokes = self._edges.of_kind(EdgeKind.INVOKES)
        for call in calls:
            callers, callee = self._ids.get(call.caller, ()), self._named(call.callee)
            if not callers or callee == NONE:
                continue
            around = [caller for caller in callers if self._is_inside(caller, call.line)]
            if around:
                invokes.add(around[-1], callee, call.line, call.how, Tier.TRACE)
                self._added[EdgeKind.INVOKES] += 1
            else:
                self._stale[self._project.file_of[callers[0]].path] += 1

    def _is_inside(self, caller: int, line: int) -> bool:
        scope = self._project.scopes[caller]
        if scope.parent == NONE:
            return 0 < line <= self._project.file_of[caller].facts.line_count
        return scope.start_line <= line <= scope.end_line

    def _note_run(self, name: str, functions: Iterable[int]) -> None:
        self._names = self._names or TestNames(self._inference)
        test = self._names.find(name)
        if test == NONE:
            return
        self.tests.add(test)
        for function in functions:
            if function != NONE and not self._project.file_of[function].is_test:
                self.ran.setdefault(function, set()).add(test)

    def _note_lines(self, ran: RanFile) -> None:
        file = self._project.paths.get(ran.path)
        if file is None or not ran.tests_by_line:
            return
        statements = set(file.facts.statement_lines)
        fitting = sum(line in statements for line in ran.tests_by_line)
        if max(ran.tests_by_line) > file.facts.line_count or fitting < BELIEVED * len(
            ran.tests_by_line
        ):
            self._stale[ran.path] += 1
            return
        for function, names in self._by_function(file, ran).items():
            for name in names:
                self._note_run(name, (function,))

    def _by_function(self, file: SourceFile, ran: RanFile) -> Mapping[int, set[str]]:
        """Return which tests ran a line in the body of each function; a line belongs to the innermost."""
        owner: dict[int, int] = {}
        for at, scope in enumerate(file.scopes):
            if scope.kind == FUNCTION:
                body = range(scope.name_line + 1, scope.end_line + 1)
                owner.update(dict.fromkeys(body, file.first_scope + at))
                header = range(scope.start_line, scope.name_line + 1)
                around = self._project.owner(file.first_scope + scope.parent)
                owner.update(dict.fromkeys(header, around))
        found: dict[int, set[str]] = {}
        for line, names in ran.tests_by_line.items():
            if line in owner:
                found.setdefault(owner[line], set()).update(names)
        return {f: names for f, names in found.items() if self._project.scopes[f].kind == FUNCTION}

    # ------------------------------------------------------------------ compilers

    def _add_compiled(self, evidence: Evidence) -> None:
        defined = self._definitions(evidence.mentions)
        for path, mentions in evidence.mentions.items():
            file = self._project.paths.get(path)
            if file is not None and path not in self._stale:
                uses = [m for m in mentions if not m.is_definition and m.symbol in defined]
                self._add_uses(file, uses, defined)
        for form, of in evidence.implements:
            self._add_form(defined.get(form, NONE), defined.get(of, NONE))

    def _definitions(self, mentions: Mapping[str, Sequence[Mention]]) -> Mapping[str, int]:
        """Return the scope that each symbol is, and note the files whose definitions have moved."""
        defined: dict[str, int] = {}
        for path, found in mentions.items():
            file = self._project.paths.get(path)
            if file is None:
                continue
            named = {
                scope.name_line: file.first_scope + at
                for at, scope in enumerate(file.scopes)
                if scope.kind in (CLASS, FUNCTION)
            }
            places = {m.symbol: named.get(m.line, NONE) for m in found if m.is_definition}
            fitting = {
                symbol: scope
                for symbol, scope in places.items()
                if scope != NONE and self._project.scopes[scope].name in symbol
            }
            symbols = sum(symbol.endswith((").", "#")) for symbol in places)
            if len(fitting) < BELIEVED * symbols:
                self._stale[path] += 1
            else:
                defined.update(fitting)
        return defined

    def _add_uses(
        self, file: SourceFile, uses: Sequence[Mention], defined: Mapping[str, int]
    ) -> None:
        owners = self._inference.stubs.owners(file)
        sites = {}
        for expr in file.exprs:
            if expr.op == CALL:
                callee = file.exprs[expr.args[0]]
                sites[callee.line, callee.column] = (owners[expr.scope], expr.line)
        others = {(e.line, e.column): owners[e.scope] for e in file.exprs if e.op != CALL}
        for use in uses:
            place, target = (use.line, use.column), defined[use.symbol]
            if place in sites:
                self._add_call(*sites[place], target)
            elif place in others:
                self._put(EdgeKind.REFERENCES, others[place], target, use.line, How.NAME)

    def _add_call(self, caller: int, line: int, target: int) -> None:
        if self._project.scopes[target].kind == CLASS:
            self._put(EdgeKind.INVOKES, caller, target, line, How.NEW)
            for method in self._inference.hierarchy.constructors(target):
                self._put(EdgeKind.INVOKES, caller, method, line, How.NEW)
        elif not self._project.is_abstract(target):
            self._put(EdgeKind.INVOKES, caller, target, line, How.CALL)

    def _add_form(self, form: int, of: int) -> None:
        if NONE in (form, of) or form == of:
            return
        kinds = {self._project.scopes[form].kind, self._project.scopes[of].kind}
        if kinds == {FUNCTION}:
            self._put(EdgeKind.OVERRIDES, form, of, 0, How.OVERRIDE)
        elif kinds == {CLASS}:
            line = self._project.scopes[form].name_line
            self._put(EdgeKind.INHERITS, form, of, line, How.BASE)

    def _put(self, kind: EdgeKind, src: int, dst: int, line: int, how: How) -> None:
        if src != dst or kind is EdgeKind.INVOKES:
            self._edges.of_kind(kind).add(src, dst, line, how, Tier.SCIP)
            self._added[kind] += 1
