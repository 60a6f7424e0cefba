"""Nodes of a snapshot, and the tree in which they contain each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.link.calls import Unresolved
from hindsight_neo4j.link.edges import CERTAIN, Edges, EdgeTable, Place
from hindsight_neo4j.link.infer import Inference
from hindsight_neo4j.link.project import Project, SourceFile
from hindsight_neo4j.link.stubs import Stubs
from hindsight_neo4j.model.facts import NONE, Scope
from hindsight_neo4j.model.graph import EdgeKind, How, Node, NodeKind, Tier
from hindsight_neo4j.model.numbers import BLOCK, CLASS

ROOT = "."
EXTERNAL = "ext:"

MAX_SENTENCE = 300
MAX_SIGNATURE = 300
MAX_UNRESOLVED_NAMES = 20


class Nodes:
    """Names the symbols of a project and makes their nodes."""

    def __init__(
        self, inference: Inference, languages: LanguageSet, unresolved: Unresolved
    ) -> None:
        self._project: Project = inference.project
        self._stubs: Stubs = inference.stubs
        self._languages = languages
        self._unresolved = unresolved
        self.ids = [
            file.path if scope.parent == NONE else f"{file.path}:{scope.qualname}"
            for file, scope in zip(self._project.file_of, self._project.scopes, strict=True)
        ]
        """The id of each scope."""

    def all(self, edges: EdgeTable) -> tuple[Node, ...]:
        """Return every node, sorted by id; external ones are those that `edges` lead to."""
        nodes = [*self._directories(), *self._symbols(), *_externals(edges)]
        nodes.sort(key=lambda node: node.id)
        return tuple(nodes)

    def add_tree(self, edges: EdgeTable) -> None:
        """Add the CONTAINS edges."""
        contains = edges.of_kind(EdgeKind.CONTAINS)
        for directory in _directories(self._project.files):
            if directory != ROOT:
                _contain(contains, _above(directory), directory, 0)
        for number in self._own_symbols():
            file, scope = self._project.file_of[number], self._project.scopes[number]
            if scope.parent == NONE:
                _contain(contains, file.directory or ROOT, number, 0)
            else:
                around = self._project.owner(self._project.parent(number))
                if around != file.first_scope:
                    around = self._stubs.symbol(around)
                _contain(contains, around, number, scope.start_line)

    def _own_symbols(self) -> Iterator[int]:
        """Yield files, classes and functions that have a node."""
        for number, scope in enumerate(self._project.scopes):
            if scope.parent == NONE or (scope.kind != BLOCK and not self._stubs.is_merged(number)):
                yield number

    def _directories(self) -> Iterator[Node]:
        for path in _directories(self._project.files):
            is_test = any(language.is_test_directory(path) for language in self._languages)
            name = path.rpartition("/")[2]
            yield Node(path, NodeKind.DIRECTORY, name, path, path, is_test=is_test)

    def _symbols(self) -> Iterator[Node]:
        for number in self._own_symbols():
            file, scope = self._project.file_of[number], self._project.scopes[number]
            if scope.parent == NONE:
                yield self._file(file, scope, number)
            else:
                yield self._symbol(file, scope, number)

    def _file(self, file: SourceFile, scope: Scope, number: int) -> Node:
        count, names = self._open_sites(number)
        lines = file.facts.line_count
        return Node(
            id=file.path,
            kind=NodeKind.FILE,
            name=file.path.rpartition("/")[2],
            qualname=file.path,
            path=file.path,
            start_line=min(1, lines),
            end_line=lines,
            language=file.language.name,
            is_test=file.is_test,
            doc=first_sentence(scope.doc),
            unresolved=count,
            unresolved_names=names,
        )

    def _symbol(self, file: SourceFile, scope: Scope, number: int) -> Node:
        count, names = self._open_sites(number)
        return Node(
            id=self.ids[number],
            kind=NodeKind.CLASS if scope.kind == CLASS else NodeKind.FUNCTION,
            name=scope.name,
            qualname=scope.qualname,
            path=file.path,
            start_line=scope.start_line,
            end_line=scope.end_line,
            language=file.language.name,
            is_test=file.is_test,
            signature=_clean(scope.signature)[:MAX_SIGNATURE],
            doc=first_sentence(scope.doc),
            unresolved=count,
            unresolved_names=names,
        )

    def _open_sites(self, number: int) -> tuple[int, str]:
        names = self._unresolved.names.get(number)
        if not names:
            return 0, ""
        spoken = sorted(_clean(name) for name in names if name)
        return sum(names.values()), " ".join(spoken[:MAX_UNRESOLVED_NAMES])


def first_sentence(doc: str) -> str:
    r"""Return the first sentence of a documentation string, in one line of at most `MAX_SENTENCE` characters.

    >>> first_sentence("Open a box. Then\\nclose it.")
    'Open a box.'
    """
    if not doc:
        return ""
    paragraph = " ".join(_clean(doc).strip().partition("\n\n")[0].split())
    end = paragraph.find(". ")
    sentence = paragraph if end < 0 else paragraph[: end + 1]
    return sentence[:MAX_SENTENCE]


def _clean(text: str) -> str:
    return text.replace("\0", "")


def _directories(files: Iterable[SourceFile]) -> list[str]:
    found = {ROOT}
    for file in files:
        directory = file.directory or ROOT
        while directory not in found:
            found.add(directory)
            directory = _above(directory)
    return sorted(found)


def _above(directory: str) -> str:
    return directory.rpartition("/")[0] or ROOT


def _contain(contains: Edges, around: Place, inside: Place, line: int) -> None:
    contains.add(around, inside, line, How.TREE, Tier.DIRECT, CERTAIN)


def _externals(edges: EdgeTable) -> Iterator[Node]:
    names = {
        dst: None
        for kind in (EdgeKind.IMPORTS, EdgeKind.INHERITS, EdgeKind.INVOKES)
        for targets in edges.of_kind(kind).found.values()
        for dst in targets
        if isinstance(dst, str)
    }
    for name in names:
        dotted = name.removeprefix(EXTERNAL)
        yield Node(name, NodeKind.EXTERNAL, dotted.rpartition(".")[2], dotted, "")
