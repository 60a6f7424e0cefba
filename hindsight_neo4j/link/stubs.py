"""Stub files beside the files they speak for: `box.pyi` and `box.py` are one module.

A symbol that both define is one symbol, that of the source; the stub lends it its types. A symbol that only the stub
defines stays the stub's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hindsight_neo4j.link.project import Project, SourceFile
from hindsight_neo4j.link.values import NOTHING, Values
from hindsight_neo4j.model.facts import NONE
from hindsight_neo4j.model.numbers import CLASS, FUNCTION

if TYPE_CHECKING:
    from hindsight_neo4j.link.infer import Inference


class Stubs:
    """Which symbols of stubs and sources are the same."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._symbol_of: dict[int, int] = {}
        self._stub_of: dict[int, int] = {}
        self.file_of: dict[int, SourceFile] = {}
        """Stub by the number of its source file."""
        for file in project.files:
            if file.language.is_stub(file.path):
                source = self._source(file)
                if source is not None:
                    self._pair(file, source)
        self._owners = [self.symbol(project.owner(scope)) for scope in range(len(project.scopes))]

    def owners(self, file: SourceFile) -> list[int]:
        """Return for each scope of `file` the symbol that its uses belong to."""
        return self._owners[file.first_scope : file.first_scope + len(file.scopes)]

    def symbol(self, scope: int) -> int:
        """Return the source's scope where `scope` is its stub, else `scope`."""
        return self._symbol_of.get(scope, scope)

    def stub(self, scope: int) -> int:
        """Return the stub of the symbol `scope`, or NONE."""
        return self._stub_of.get(scope, NONE)

    def is_merged(self, scope: int) -> bool:
        """Whether the stub's `scope` is a symbol of the source, so no symbol of its own."""
        return scope in self._symbol_of

    def parameter(self, inference: Inference, scope: int, name: str, depth: int) -> Values:
        """Return what the stub of the function `scope` says about its parameter `name`."""
        stub = self._stub_of.get(scope)
        if stub is None:
            return NOTHING
        file = self._project.file_of[stub]
        for parameter in self._project.scopes[stub].parameters:
            if parameter.name == name and parameter.type != NONE:
                return inference.types(file, parameter.type, depth)
        return NOTHING

    def returned(self, inference: Inference, scope: int, depth: int) -> Values:
        """Return what the stub of the function `scope` says it returns."""
        stub = self._stub_of.get(scope)
        if stub is None:
            return NOTHING
        return inference.types(
            self._project.file_of[stub], self._project.scopes[stub].returns_type, depth
        )

    def _source(self, stub: SourceFile) -> SourceFile | None:
        for suffix in stub.language.stub_suffixes:
            if not stub.path.endswith(suffix):
                continue
            stem = stub.path.removesuffix(suffix)
            for other in stub.language.suffixes:
                source = self._project.paths.get(stem + other)
                if source is not None and not stub.language.is_stub(source.path):
                    return source
        return None

    def _pair(self, stub: SourceFile, source: SourceFile) -> None:
        self.file_of[source.number] = stub
        self._symbol_of[stub.first_scope] = source.first_scope
        self._stub_of[source.first_scope] = stub.first_scope
        symbols = {
            (scope.qualname, scope.kind): source.first_scope + number
            for number, scope in enumerate(source.scopes)
            if scope.kind in _SYMBOLS
        }
        for number, scope in enumerate(stub.scopes):
            symbol = symbols.get((scope.qualname, scope.kind))
            if symbol is not None and scope.kind in _SYMBOLS:
                self._symbol_of[stub.first_scope + number] = symbol
                self._stub_of.setdefault(symbol, stub.first_scope + number)


_SYMBOLS = frozenset({CLASS, FUNCTION})
