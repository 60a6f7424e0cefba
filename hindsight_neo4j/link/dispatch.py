"""Functions that hand on to another one, chosen by the type of what they are given: `@functools.singledispatch`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hindsight_neo4j.link.values import BoundMethod, Function
from hindsight_neo4j.model.numbers import ATTRIBUTE, CALL, FUNCTION

if TYPE_CHECKING:
    from hindsight_neo4j.link.infer import Inference


class Dispatch:
    """What each function of a project hands on to that chooses by type."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        self._project = inference.project
        self._choices: dict[int, list[int]] | None = None

    def choices(self, scope: int) -> Sequence[int]:
        """Return the functions that the function `scope` can hand on to, in source order."""
        rules = self._project.file_of[scope].rules
        if self._project.decorators(scope).isdisjoint(rules.dispatch_decorators):
            return ()
        if self._choices is None:
            self._choices = self._find()
        return self._choices.get(scope, ())

    def _find(self) -> dict[int, list[int]]:
        """Return the functions that decorators say are to be chosen: `@show.register`, `@show.register(Box)`."""
        found: dict[int, list[int]] = {}
        for number, scope in enumerate(self._project.scopes):
            file = self._project.file_of[number]
            for decorator in scope.decorators if scope.kind == FUNCTION else ():
                expr = file.exprs[decorator]
                if expr.op == CALL:
                    expr = file.exprs[expr.args[0]]
                if expr.op == ATTRIBUTE and expr.text in file.rules.dispatch_registers:
                    for value in self._inference.of(file, expr.args[0]):
                        if isinstance(value, (Function, BoundMethod)) and value.scope != number:
                            found.setdefault(value.scope, []).append(number)
        return found
