"""The state of one walk, and what every visit does with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from typing import NamedTuple, TypeAlias

from hindsight_neo4j.extract.builder import FactsBuilder, OpenScope
from hindsight_neo4j.languages.grammar import Node
from hindsight_neo4j.languages.language import Language
from hindsight_neo4j.model.facts import NONE, Expr
from hindsight_neo4j.model.numbers import VALUE

MAX_TEXT = 200
"""Characters that are kept of a literal (`Op.STRING`)."""

_REPARSE_FACTOR = 8
"""A file may be parsed about this many times over, so that a hostile one costs no more than its size allows."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """The ids that the grammar gives to kinds of nodes, by what the walk does with them."""

    visits: list[Visit | None]
    """By the id of a kind: a list, since every node is looked up, though most of it is the way to the id of `ERROR`."""
    identifier: int
    attribute: int
    call: int
    assignment: int
    string: int
    type: int
    argument_list: int
    parameters: int
    type_parameters: int
    positional_separator: int
    keyword_separator: int
    expression_statement: int
    decorator: int
    comment: int
    class_word: int
    async_word: int
    chain: frozenset[int]
    boolean: frozenset[int]
    binary: frozenset[int]
    blocks: frozenset[int]
    branching: frozenset[int]
    definitions: frozenset[int]
    statements: frozenset[int]
    brackets: frozenset[int]
    wrappers: frozenset[int]
    sequences: frozenset[int]
    starred: frozenset[int]
    splats: frozenset[int]
    parameter_forms: frozenset[int]
    extras: frozenset[int]


class SetAside(NamedTuple):
    """Something that is done when the walk is back at the top, and the state to do it in."""

    row: int
    action: Callable[[], object]
    scope: OpenScope
    in_type: bool


class Walk:
    """One walk over the tree of one file.

    Attributes:
        facts: What has been found.
        source: The bytes of the file.
        latin: The same with one character for each byte: tree-sitter counts bytes, and a slice of this is a name.
        language: The file's language.
        kinds: The ids of its grammar.
        visits: What to do with a node, by its kind; None for tokens, which are passed over.
        exprs: The expressions of `facts`.
        at: Index of the scope that evaluates what is being walked.
        depth: Blocks and brackets around it.
        max_depth: Where things are set aside.
        in_type: Whether strings spell types.
        set_aside: What stands too deep and is walked afterwards.
        has_errors: Whether the file has syntax errors at all.
        reparsable: Bytes that may still be parsed again to save definitions from a broken place.
    """

    __slots__ = (
        "_line_end",
        "_line_row",
        "_line_start",
        "at",
        "depth",
        "exprs",
        "facts",
        "has_errors",
        "in_type",
        "kinds",
        "language",
        "latin",
        "max_depth",
        "reparsable",
        "set_aside",
        "source",
        "visits",
    )

    def __init__(self, source: bytes, language: Language, kinds: Kinds, max_depth: int) -> None:
        self.facts = FactsBuilder(source)
        self.source = source
        self.latin = source.decode("latin-1")
        self.language = language
        self.kinds = kinds
        self.visits = kinds.visits
        self.exprs = self.facts.exprs
        self.at = 0
        self.depth = 0
        self.max_depth = max_depth
        self.in_type = False
        self.set_aside: list[SetAside] = []
        self.has_errors = False
        self.reparsable = _REPARSE_FACTOR * len(source)
        # The line that was looked at last: most of what comes next begins there as well.
        self._line_row = 0
        self._line_start = 0
        self._line_end = 0

    def visit(self, node: Node) -> int:
        """Return the index of the expression that `node` became, or NONE."""
        visit = self.visits[node.kind_id]
        return NONE if visit is None else visit(self, node)

    def operands(self, node: Node) -> list[int]:
        """Return what the children of `node` became, leaving out punctuation and comments."""
        visits = self.visits
        found = []
        for child in node.children:
            visit = visits[child.kind_id]
            if visit is not None:
                found.append(visit(self, child))
        return found

    def operand(self, node: Node) -> int:
        """Return what the first child that is a value became; visit the others as well."""
        found = self.operands(node)
        return found[0] if found else NONE

    def later(self, node: Node) -> int:
        """Set `node` aside."""
        self.do_later(self.row(node.start_byte), partial(self.visit, node))
        return NONE

    def do_later(self, row: int, action: Callable[[], object]) -> None:
        """Set an action aside for what stands in this row."""
        self.set_aside.append(SetAside(row, action, self.facts.scope, self.in_type))

    def move(self, scope: OpenScope) -> None:
        """Make `scope` the one in which things happen."""
        self.facts.scope = scope
        self.at = scope.index

    def text(self, node: Node) -> str:
        """Return the source of `node`."""
        text = self.latin[node.start_byte : node.end_byte]
        return text if text.isascii() else decoded(text)

    def parts(self, node: Node) -> list[Node]:
        """Return the children of `node` that are neither punctuation nor comments."""
        extras = self.kinds.extras
        return [c for c in node.children if c.is_named and c.kind_id not in extras]

    def first(self, node: Node) -> Node | None:
        """Return the first of the parts of `node`, if it has any."""
        return next(iter(self.parts(node)), None)

    def row(self, byte: int) -> int:
        """Return the row in which the byte at this offset stands."""
        if not self._line_start <= byte < self._line_end:
            self._turn_to(byte)
        return self._line_row

    def place(self, byte: int) -> tuple[int, int]:
        """Return line, from 1, and column of a byte: a third of what `Node.start_point` costs."""
        if not self._line_start <= byte < self._line_end:
            self._turn_to(byte)
        return self._line_row + 1, byte - self._line_start

    def _turn_to(self, byte: int) -> None:
        latin, start = self.latin, self._line_start
        if byte < start:
            self._line_row -= latin.count("\n", byte, start)
        else:
            self._line_row += latin.count("\n", start, byte)
        self._line_start = latin.rfind("\n", 0, byte) + 1
        self._line_end = latin.find("\n", byte) + 1 or len(latin) + 1

    def add(self, op: int, text: str, args: tuple[int, ...], node: Node) -> int:
        """Add an expression that is to be found where `node` begins."""
        line, column = self.place(node.start_byte)
        exprs = self.exprs
        exprs.append(Expr(op, text, args, line, column, self.at))
        return len(exprs) - 1

    def bind(self, name: Node, value: int, annotation: int = NONE) -> None:
        """Give the name that the identifier `name` spells a value in the present scope."""
        text = self.text(name)
        if text:
            self.facts.bind(text, VALUE, value, self.row(name.start_byte), annotation)


Visit: TypeAlias = Callable[[Walk, Node], int]


def nested(visit: Visit) -> Visit:
    """Count what `visit` goes into as one level, and set aside what lies too deep."""

    @wraps(visit)
    def guarded(walk: Walk, node: Node) -> int:
        if walk.depth >= walk.max_depth:
            return walk.later(node)
        walk.depth += 1
        index = visit(walk, node)
        walk.depth -= 1
        return index

    return guarded


def decoded(latin: str) -> str:
    """Turn one character for each byte into the text that the bytes spell."""
    return latin.encode("latin-1").decode("utf-8", "replace")
