"""What a Python module says it exports: `__all__` as the module's own text makes it."""

from __future__ import annotations

from collections.abc import Sequence

from hindsight_neo4j.extract.builder import FactsBuilder
from hindsight_neo4j.model.facts import NONE, BindingKind, Expr, Op

_EXPORTS = "__all__"


def exports(facts: FactsBuilder) -> tuple[str, ...] | None:
    """Return the names in `__all__`, in order and without repeats.

    Followed are assignments of lists and tuples of strings, their sums, `+=`, `.append` and `.extend`. None when the
    module has no `__all__`, or when anything else takes part in it: then nothing is certain.
    """
    exprs = facts.exprs
    bindings = [known for known in facts.scopes[0].bindings if known.name == _EXPORTS]
    if any(known.kind != BindingKind.VALUE for known in bindings):
        return None
    changes = [_assigned(exprs, known.value) for known in bindings if known.value != NONE]
    if not changes:
        return None
    changes += _called(exprs)
    names: list[str] = []
    for _, adds, values in sorted(changes):
        strings = _strings(exprs, values)
        if strings is None:
            return None
        names = names + strings if adds else strings
    return tuple(dict.fromkeys(names))


def _assigned(exprs: Sequence[Expr], index: int) -> tuple[int, bool, tuple[int, ...]]:
    """Return when an assignment happens, whether it adds to the list, and what."""
    value = exprs[index]
    adds = value.op == Op.OPERATOR and value.text == "__iadd__"
    return index, adds, (value.args[1] if adds else index,)


def _called(exprs: Sequence[Expr]) -> list[tuple[int, bool, tuple[int, ...]]]:
    """Return the same for the calls of `__all__.append` and `__all__.extend`."""
    found: list[tuple[int, bool, tuple[int, ...]]] = []
    for index, expr in enumerate(exprs):
        if expr.op != Op.CALL or len(expr.args) != 2 or NONE in expr.args:
            continue
        method = exprs[expr.args[0]]
        if method.op != Op.ATTRIBUTE or method.args[0] == NONE:
            continue
        owner = exprs[method.args[0]]
        if owner.op == Op.NAME and owner.text == _EXPORTS and expr.scope == 0:
            argument = expr.args[1]
            is_list = exprs[argument].op != Op.STRING
            if method.text == ("extend" if is_list else "append"):
                found.append((index, True, (argument,)))
    return found


def _strings(exprs: Sequence[Expr], values: tuple[int, ...]) -> list[str] | None:
    """Return the strings in `values` and in the lists among them; None when anything else is there."""
    found: list[str] = []
    pending = list(reversed(values))
    while pending:
        index = pending.pop()
        if index == NONE:
            return None
        expr = exprs[index]
        if expr.op == Op.STRING:
            found.append(expr.text)
        elif expr.op in (Op.LIST, Op.TUPLE) or (expr.op == Op.OPERATOR and expr.text == "__add__"):
            pending.extend(reversed(expr.args))
        else:
            return None
    return found
