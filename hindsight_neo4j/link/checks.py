"""Checks of what a thing is: `isinstance(x, A)`, `type(x) is A` and `case A():` say that `x` can be an A, whatever gave it its
value, and `issubclass(x, A)` that it can be a class below A; so for `self.x`.

Where the check holds is not told apart: a name is what any check of its scope asks for, since edges belong to functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from hindsight_neo4j.link.project import ByOp, Project, SourceFile
from hindsight_neo4j.model.facts import NONE, Expr
from hindsight_neo4j.model.numbers import ATTRIBUTE, CALL, CAUGHT, MODULE, NAME, OPERATOR

MOST = 8
"""Checks of one thing that are taken in. What is asked about more often is whatever is passed."""

Check = tuple[SourceFile, int, bool]
"""A file, the expression of the class, or of the tuple of classes, that is asked for, and whether for the class itself."""


class Checks:
    """What names, and attributes of names, are checked to be; what files share as a module's name is not."""

    def __init__(self, project: Project, by_op: Sequence[ByOp]) -> None:
        self._project = project
        self.found: dict[tuple[int, str], list[Check]] = {}
        """By scope and name, or the way from a name to an attribute: `self.x`."""
        self.attributes: set[str] = set()
        """The last names of the attributes that some check is about."""
        for file, ops in zip(project.files, by_op, strict=True):
            for subject, cls, is_class in _checks(file, ops):
                key = self._key(file, file.exprs[subject])
                if key is not None:
                    self.found.setdefault(key, []).append((file, cls, is_class))
                    if file.exprs[subject].op == ATTRIBUTE:
                        self.attributes.add(file.exprs[subject].text)

        self.found = {key: given for key, given in self.found.items() if len(given) <= MOST}

    def of_attribute(self, file: SourceFile, expr: Expr) -> Sequence[Check]:
        """Return what the attribute `expr` of a name is checked to be where it is read."""
        key = self._key(file, expr)
        return () if key is None else self.found.get(key, ())

    def _key(self, file: SourceFile, subject: Expr) -> tuple[int, str] | None:
        """Return the scope whose name `subject` is or is read from, and the way to it."""
        names: list[str] = []
        while subject.op == ATTRIBUTE:
            names.append(subject.text)
            subject = file.exprs[subject.args[0]]
        if subject.op != NAME:
            return None
        home, bindings = self._project.look_up(file.first_scope + subject.scope, subject.text)
        if not bindings or self._project.scopes[home].kind == MODULE:
            return None
        return home, ".".join((subject.text, *reversed(names)))


def _checks(file: SourceFile, ops: ByOp) -> Iterator[tuple[int, int, bool]]:
    """Yield the checks of `file`: what is asked about, the class or the tuple of classes, and whether it is that itself."""
    exprs, rules = file.exprs, file.rules
    for index in ops[CALL]:
        args = exprs[index].args
        if len(args) != 3:
            continue
        if _is_call_of(file, index, rules.class_checks):
            yield args[1], args[2], False
        elif _is_call_of(file, index, rules.subclass_checks):
            yield args[1], args[2], True
    for index in ops[OPERATOR]:
        operands = exprs[index].args
        for asked, cls in (operands, operands[::-1]) if len(operands) == 2 else ():
            if _is_call_of(file, asked, rules.class_functions):
                called = exprs[asked].args
                if len(called) == 2:
                    yield called[1], cls, False
    for index in ops[CAUGHT]:
        args = exprs[index].args
        if len(args) == 2:
            yield args[1], args[0], False


def _is_call_of(file: SourceFile, index: int, functions: AbstractSet[str]) -> bool:
    """Whether the expression `index` calls one of `functions` by its bare name."""
    if index == NONE or file.exprs[index].op != CALL:
        return False
    callee = file.exprs[file.exprs[index].args[0]]
    return callee.op == NAME and callee.text in functions
