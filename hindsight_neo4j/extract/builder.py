"""Grows the facts of one file while its tree is walked. Knows scopes and names, but no grammar.

    facts = FactsBuilder(source)
    module = facts.scope
    facts.open(ScopeKind.FUNCTION, "open", first_row=3, last_row=5, name_row=3)
    facts.bind("key", BindingKind.PARAMETER, 0, row=3)
    facts.scope = module
    facts.finish(path="a.py", language="python", digest="…")

Rows count from 0, as tree-sitter's do; the lines of the finished facts count from 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hindsight_neo4j.model.facts import (
    NONE,
    Binding,
    Diagnostic,
    Expr,
    FileFacts,
    Import,
    Parameter,
    Scope,
    ScopeKind,
    Store,
)


class OpenScope:
    """A scope that is still being walked. Its fields are those of `Scope`, and may be changed until it is frozen."""

    is_comprehension = False
    is_async = False
    signature = ""
    doc = ""
    decorators: tuple[int, ...] = ()
    bases: tuple[int, ...] = ()
    parameters: Sequence[Parameter] = ()
    returns_type = NONE

    def __init__(
        self,
        index: int,
        kind: ScopeKind,
        name: str,
        qualname: str,
        parent: OpenScope | None,
        lines: tuple[int, int, int],
    ) -> None:
        self.index = index
        self.kind = kind
        self.name = name
        self.qualname = qualname
        self.parent = parent
        self.start_line, self.end_line, self.name_line = lines
        self.returns: list[int] = []
        self.yields: list[int] = []
        self.bindings: list[Binding] = []
        self.stores: list[Store] = []
        self.branches: list[int] = []
        self.has_body = False
        self.elsewhere: dict[str, OpenScope | None] = {}
        """Names that this scope binds in another one; None: in the nearest function around that has the name."""

    @property
    def outside_comprehensions(self) -> OpenScope:
        """The nearest scope that is no comprehension."""
        scope = self
        while scope.is_comprehension and scope.parent is not None:
            scope = scope.parent
        return scope

    def around(self) -> Iterator[OpenScope]:
        """Yield the scopes around this one, the nearest first."""
        scope = self.parent
        while scope is not None:
            yield scope
            scope = scope.parent

    def freeze(self) -> Scope:
        """Return what the scope has become."""
        return Scope(
            self.kind,
            self.name,
            self.qualname,
            NONE if self.parent is None else self.parent.index,
            self.start_line,
            self.end_line,
            self.name_line,
            self.signature,
            self.doc,
            self.decorators,
            self.bases,
            tuple(self.parameters),
            self.returns_type,
            tuple(self.returns),
            tuple(self.yields),
            tuple(self.bindings),
            tuple(self.stores),
            self.is_async,
            tuple(self.branches) if self._is_ordered() else (),
        )

    def _is_ordered(self) -> bool:
        """Whether the order of statements tells which value a name or an element has."""
        if not self.branches:
            return False
        return bool(self.stores) or len({b.name for b in self.bindings}) < len(self.bindings)


class FactsBuilder:
    """Holds the lists that become a `FileFacts`, and the scope that the walk is in."""

    def __init__(self, source: bytes) -> None:
        self.line_count = source.count(b"\n") + (not source.endswith(b"\n") and source != b"")
        self.exprs: list[Expr] = []
        self.imports: list[Import] = []
        self.statement_rows: list[int] = []
        self.exports: tuple[str, ...] | None = None
        self.diagnostics: list[Diagnostic] = []
        lines = (1, max(self.line_count, 1), 1)
        module = OpenScope(0, ScopeKind.MODULE, "", "", None, lines)
        self.scopes = [module]
        self.scope = module
        self._taken: dict[str, int] = {}
        self._nonlocals: list[tuple[OpenScope, Binding]] = []

    def open(
        self, kind: ScopeKind, name: str, first_row: int, last_row: int, name_row: int
    ) -> OpenScope:
        """Enter a new scope inside the present one. The caller goes back by setting `scope`."""
        parent = self.scope
        is_block = kind is ScopeKind.BLOCK
        qualname = parent.qualname if is_block else self._qualname(parent, name)
        lines = (first_row + 1, last_row + 1, name_row + 1)
        scope = OpenScope(len(self.scopes), kind, name, qualname, parent, lines)
        self.scopes.append(scope)
        self.scope = scope
        return scope

    def bind(self, name: str, kind: int, value: int, row: int, annotation: int = NONE) -> None:
        """Give `name` a meaning in the present scope, or where the scope says that the name lives."""
        scope = self.scope
        binding = Binding(name, kind, value, annotation, row + 1)
        if name in scope.elsewhere:
            home = scope.elsewhere[name]
            if home is None:
                self._nonlocals.append((scope, binding))
                return
            scope = home
        scope.bindings.append(binding)

    def finish(self, path: str, language: str, digest: str) -> FileFacts:
        """Return what was gathered."""
        self._place_nonlocals()
        return FileFacts(
            path,
            language,
            digest,
            self.line_count,
            tuple([scope.freeze() for scope in self.scopes]),
            tuple(self.exprs),
            tuple(self.imports),
            self.exports,
            tuple([row + 1 for row in sorted(set(self.statement_rows))]),
            tuple(self.diagnostics),
        )

    def _qualname(self, parent: OpenScope, name: str) -> str:
        qualname = f"{parent.qualname}.{name}" if parent.qualname else name
        count = self._taken.get(qualname, 0) + 1
        self._taken[qualname] = count
        return qualname if count == 1 else f"{qualname}~{count}"

    def _place_nonlocals(self) -> None:
        """Put `nonlocal` bindings where they belong, which is known only when all scopes are read."""
        if not self._nonlocals:
            return
        names = [{known.name for known in scope.bindings} for scope in self.scopes]
        homes = set()
        for scope, binding in self._nonlocals:
            functions = [around for around in scope.around() if around.kind is ScopeKind.FUNCTION]
            owners = [around for around in functions if binding.name in names[around.index]]
            home = next(iter(owners or functions), scope)
            home.bindings.append(binding)
            homes.add(home)
        for home in homes:
            home.bindings.sort(key=lambda known: known.line)
