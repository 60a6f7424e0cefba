"""The graph: nodes, edges and the closed lists of what they can be (docs/graph-schema.md has a card for each).

Nodes and edges are `msgspec` structs, as facts are: a mid-size repository has hundreds of thousands of them, and a frozen
dataclass takes twenty times as long to make (900 ns, CPython 3.11).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import msgspec


class NodeKind(StrEnum):
    """Kinds of nodes; the value is the label. Methods are functions."""

    DIRECTORY = "Directory"
    FILE = "File"
    CLASS = "Class"
    FUNCTION = "Function"
    EXTERNAL = "External"


class EdgeKind(StrEnum):
    """Kinds of edges; the value is the relationship type. Only forward edges are stored."""

    CONTAINS = "CONTAINS"
    IMPORTS = "IMPORTS"
    INVOKES = "INVOKES"
    INHERITS = "INHERITS"
    OVERRIDES = "OVERRIDES"
    REFERENCES = "REFERENCES"
    TESTS = "TESTS"


class Tier(StrEnum):
    """How sure a resolution is, surest first (`ingest/confidence.toml` has the figures)."""

    DIRECT = "direct"  # names alone lead there: scopes, imports, re-exports
    TYPED = "typed"  # the receiver's class is known
    FLOW = "flow"  # not named at the site: it flowed in, is one of several, or is a constructor that was inherited
    UNIQUE = "unique"  # the only definition of that name that fits
    OVERRIDE = "override"  # a subclass may be meant
    MANY = "many"  # one of many that are possible at one site
    DECLARED = "declared"  # an abstract body
    SCIP = "scip"  # a compiler said so
    TRACE = "trace"  # a run took it


class How(StrEnum):
    """By what an edge came about."""

    CALL = "call"
    NEW = "new"
    DECORATOR = "decorator"
    PROPERTY = "property"
    OPERATOR = "operator"
    WITH = "with"
    ITERATION = "iteration"
    CALLBACK = "callback"
    REGISTRY = "registry"
    IMPORT = "import"
    REEXPORT = "reexport"
    SUPER = "super"
    FIXTURE = "fixture"
    BASE = "base"
    OVERRIDE = "override"
    NAME = "name"
    REACH = "reach"
    RUN = "run"
    TOPIC = "topic"
    TREE = "tree"


class Node(msgspec.Struct, frozen=True, gc=False):
    """A directory, file, class, function or external symbol.

    `id` is readable and stable: a path, `path:Qual.name`, or `ext:package.name`; the root directory is `.`.
    Lines are 1-based and inclusive, 0 where there are none. `unresolved` counts the call sites of this node that no
    edge stands for; `unresolved_names` holds their distinct names, sorted, at most 20, joined by spaces.
    """

    id: str
    kind: NodeKind
    name: str
    qualname: str
    path: str
    start_line: int = 0
    end_line: int = 0
    language: str = ""
    is_test: bool = False
    signature: str = ""
    doc: str = ""
    unresolved: int = 0
    unresolved_names: str = ""


class Edge(msgspec.Struct, frozen=True, gc=False):
    """A forward edge; one per (kind, src, dst). `lines` are the call sites or statements in the file of `src`."""

    kind: EdgeKind
    src: str
    dst: str
    lines: tuple[int, ...]
    tier: Tier
    confidence: float
    how: How


@dataclass(frozen=True, slots=True)
class Graph:
    """A whole snapshot: nodes sorted by id, edges by (kind, src, dst)."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    notes: tuple[str, ...] = ()
    """What came of each piece of evidence."""
