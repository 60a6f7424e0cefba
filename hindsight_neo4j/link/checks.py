"""Checks of what a name is: `isinstance(x, A)` says that `x` can be an A, whatever gave it its value.

Where the check holds is not told apart: a name is what any check of its scope asks for, since edges belong to functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hindsight_neo4j.link.project import ByOp, Project, SourceFile
from hindsight_neo4j.model.numbers import CALL, MODULE, NAME

MOST = 8
"""Checks of one name that are taken in. A name that is asked about more often is whatever is passed."""

Check = tuple[SourceFile, int]
"""A file and the expression of the class, or of the tuple of classes, that is asked for."""


def checks(project: Project, by_op: Sequence[ByOp]) -> Mapping[tuple[int, str], Sequence[Check]]:
    """Return by scope and name what the name is checked to be; what files share as a module's name is not."""
    found: dict[tuple[int, str], list[Check]] = {}
    for file, ops in zip(project.files, by_op, strict=True):
        functions, exprs = file.rules.class_checks, file.exprs
        for call in ops[CALL]:
            args = exprs[call].args
            if len(args) != 3:
                continue
            callee, subject = exprs[args[0]], exprs[args[1]]
            if callee.op != NAME or callee.text not in functions or subject.op != NAME:
                continue
            home, bindings = project.look_up(file.first_scope + subject.scope, subject.text)
            if bindings and project.scopes[home].kind != MODULE:
                found.setdefault((home, subject.text), []).append((file, args[2]))
    return {key: given for key, given in found.items() if len(given) <= MOST}
