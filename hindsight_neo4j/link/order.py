"""Which of the values given to a name a line can see: a later one that surely ran takes the place of those before.

    a = first
    a = second
    a()             calls `second` alone
    if more:
        a = third   may have run or not
    a()             calls `second` or `third`

Only lines of one scope are compared: what an inner function reads may be any of them. Yet what is defined or imported
stays: whoever reads the name from elsewhere sees the last one that surely is, and what may have come after it.

    from base import Error
    class Error(Error):     inherits the imported one
        pass
    def fail():
        raise Error         builds the one defined here
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from hindsight_neo4j.link.project import Project, SourceFile
from hindsight_neo4j.link.records import Put
from hindsight_neo4j.model.facts import Binding
from hindsight_neo4j.model.numbers import CLASS, DEFINITION, IMPORT, PARAMETER

Places = tuple[tuple[int, ...], tuple[bool, ...], tuple[int, ...]]
"""Where each of a name's bindings begins, whether it surely takes the place of those before, and which of them, by
position, other scopes can see (() for all)."""


class Order:
    """Compares places in the text of a project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._places: dict[tuple[int, str], Places | None] = {}

    def places(self, scope: int, text: str, bindings: Sequence[Binding]) -> Places | None:
        """Return the places of the `bindings` of a name; None when whoever reads it can see all of them."""
        key = (scope, text)
        if key not in self._places:
            self._places[key] = self._find(scope, bindings)
        return self._places[key]

    def seen(self, scope: int, found: Places, line: int) -> tuple[int, ...]:
        """Return which of the bindings at the places `found`, by position, `line` of the same scope can see."""
        places, sure, _ = found
        every = tuple(range(len(places)))
        here = self.statement(self._project.file_of[scope], line)
        before = [number for number in every if places[number] < here]
        last = max((number for number in before if sure[number]), default=-1)
        start, end = self._branch(scope, here)
        alive = [number for number in before if number >= last]
        alive += [number for number in every if here <= places[number] <= end and start]
        return tuple(alive) or every

    def comes_later(self, scope: int, bindings: Sequence[Binding], line: int) -> bool:
        """Whether `scope` is a class whose body has given none of the `bindings` when it comes to `line`: `run = run`."""
        if self._project.scopes[scope].kind != CLASS:
            return False
        file = self._project.file_of[scope]
        here = self.statement(file, line)
        return all(self.statement(file, binding.line) >= here for binding in bindings)

    def statement(self, file: SourceFile, line: int) -> int:
        """Return the first line of the statement that `line` of `file` lies in."""
        lines = file.facts.statement_lines
        place = bisect_right(lines, line)
        return lines[place - 1] if place else line

    def is_sure(self, scope: int, line: int) -> bool:
        """Whether what stands at `line` right in `scope` surely runs, once."""
        return not self._branch(scope, line)[0]

    def puts_before(self, scope: int, puts: Sequence[Put], line: int) -> list[Put]:
        """Return those of `puts` that the text of `scope` has before `line`, the last one first; () if others put."""
        if any(put.scope != scope for put in puts):
            return []
        file = self._project.file_of[scope]
        here = self.statement(file, line)
        before = [put for put in puts if self.statement(file, put.line) < here]
        before.sort(key=lambda put: -put.line)
        return before

    def _find(self, scope: int, bindings: Sequence[Binding]) -> Places | None:
        if self._project.scopes[scope].kind == CLASS:
            return None
        file = self._project.file_of[scope]
        stays = any(binding.kind in _STAYING for binding in bindings)
        sure = tuple(
            (not stays or self._replaces(file, scope, binding))
            and self.is_sure(scope, binding.line)
            for binding in bindings
        )
        if not any(sure[1:]):
            return None
        places = tuple(
            0 if binding.kind == PARAMETER else self.statement(file, binding.line)
            for binding in bindings
        )
        every = range(len(bindings))
        last = max(number for number in every if sure[number])
        return places, sure, tuple(every[last:]) if stays else ()

    def _replaces(self, file: SourceFile, scope: int, binding: Binding) -> bool:
        """Whether a definition or an import in `scope` takes the place of what had its name.

        What is assigned may be made of that. A decorator may gather all definitions of a name, `import a.b` adds to
        `a`, and what another scope binds for this one comes whenever that runs.
        """
        if binding.kind == DEFINITION:
            defined = file.first_scope + binding.value
            return (
                self._project.parent(defined) == scope
                and not self._project.scopes[defined].decorators
            )
        if binding.kind != IMPORT:
            return False
        statement = file.imports[binding.value]
        return file.first_scope + statement.scope == scope and bool(
            statement.name or statement.alias
        )

    def _branch(self, scope: int, line: int) -> tuple[int, int]:
        """Return the first and last line of the statement right in `scope` that may not run that holds `line`, or 0, 0."""
        branches = self._project.scopes[scope].branches
        place = bisect_right(branches, line)
        if place % 2:
            return branches[place - 1], branches[place]
        if place and branches[place - 1] == line:
            return branches[place - 2], branches[place - 1]
        return 0, 0


_STAYING = frozenset({DEFINITION, IMPORT})
