"""Python's trees to facts: one walk, every node met once.

The walk is a table from node kind to function (`table`). A function returns the index of the expression that its node
became, or NONE when the node is no value. Three rules keep it on a shallow stack and in linear time whatever the source:

* chains that lean to the left (`a.b().c`, `a + b + c`, `a or b or c`) are loops;
* everything else that nests counts its depth, and what stands too deep is set aside and walked afterwards from the
  top: its names, calls and definitions are all kept, only the value that it gives to the outside is lost;
* a broken place is parsed again in parts (`broken`), up to a fixed multiple of the file's size.

A BLOCK is opened for lambdas and comprehensions. The first iterable of a comprehension is evaluated outside of it.
Where the grammar has no place for something in `model/facts.py`, this is how it is written:

* `a[1:2]`: the index is a CONSTANT ":" with the bounds as args;
* `async for`, `async with`: ITERATE and ENTER with the text "async";
* `is`, `is not`: an OPERATOR "is"; `not a`: an OPERATOR "__bool__";
* `case Class() as a`: a CAUGHT of the class, which says "an instance of it" here as well, and of what is matched;
* the type parameters of a definition are names of its scope, without a value and with the bound as type.
"""

from __future__ import annotations

import sys

from hindsight_neo4j.extract.builder import FactsBuilder
from hindsight_neo4j.extract.python.definitions import documentation
from hindsight_neo4j.extract.python.exports import exports
from hindsight_neo4j.extract.python.statements import block
from hindsight_neo4j.extract.python.table import kinds_of
from hindsight_neo4j.extract.python.walk import Walk
from hindsight_neo4j.languages.grammar import Node
from hindsight_neo4j.languages.language import Language
from hindsight_neo4j.model.facts import Diagnostic

__all__ = ["walk"]


def walk(root: Node, source: bytes, language: Language, *, nesting: int) -> FactsBuilder:
    """Return the facts of the tree under `root`, which was parsed from `source`.

    Args:
        root: The tree's root.
        source: The bytes that it was parsed from.
        language: Its grammar also reads the types that are written as strings.
        nesting: The depth from which on things are set aside; 0: as deep as the interpreter's stack allows.
    """
    levels = _free_levels()
    state = Walk(source, language, kinds_of(language), min(nesting, levels) if nesting else levels)
    state.has_errors = root.has_error
    facts = state.facts
    module = facts.scope
    module.doc = documentation(state, root)
    block(state, root)
    for deep in state.set_aside:  # grows while it is walked
        state.move(deep.scope)
        state.in_type = deep.in_type
        state.depth = 0
        deep.action()
    state.move(module)
    if state.set_aside:
        line = state.set_aside[0].row + 1
        message = f"nested deeper than {state.max_depth}: values inside are not followed"
        facts.diagnostics.append(Diagnostic(line, message))
    if "__all__" in state.latin:
        facts.exports = exports(facts)
    return facts


def _free_levels() -> int:
    """Return how many levels the interpreter's stack still has room for."""
    frame = sys._getframe()
    used = 0
    while frame.f_back is not None:
        frame = frame.f_back
        used += 1
    free = sys.getrecursionlimit() - used - _FRAMES_TO_SPARE
    return max(free // _FRAMES_PER_LEVEL, _FEWEST_LEVELS)


_FRAMES_PER_LEVEL = 5
"""Most Python frames between two counted levels: a guard, a visit, a chain, its arguments, its operands."""
_FRAMES_TO_SPARE = 50
_FEWEST_LEVELS = 4
