"""Facts as short lines of text, so that a test can say what it expects in the way one would write it down."""

from __future__ import annotations

from hindsight_neo4j.extract import Limits, extract
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.model.facts import NONE, BindingKind, FileFacts, Op, Scope, ScopeKind

PYTHON = LanguageSet.load()["python"]


def facts_of(source: str | bytes, limits: Limits | None = None) -> FileFacts:
    """Return the facts of a file `a.py` with this source."""
    data = source.encode() if isinstance(source, str) else source
    return extract(data, "a.py", PYTHON, digest="d", limits=limits)


def expression(facts: FileFacts, index: int) -> str:
    """Write an expression in the way of Python; what is no Python stands between angle brackets."""
    if index == NONE:
        return "?"
    expr = facts.exprs[index]
    args = [expression(facts, arg) for arg in expr.args]
    match expr.op:
        case Op.NAME | Op.NUMBER | Op.CONSTANT if not args:
            return expr.text
        case Op.ATTRIBUTE:
            return f"{args[0]}.{expr.text}"
        case Op.CALL:
            return f"{args[0]}({', '.join(args[1:])})"
        case Op.KEYWORD:
            return f"{expr.text}={args[0]}"
        case Op.SPREAD:
            return f"{expr.text}{args[0]}"
        case Op.STRING:
            return repr(expr.text)
        case Op.SUBSCRIPT:
            return f"{args[0]}[{', '.join(args[1:])}]"
        case Op.LIST:
            return f"[{', '.join(args)}]"
        case Op.TUPLE:
            return f"({', '.join(args)})"
        case Op.MAPPING:
            pairs = zip(args[::2], args[1::2], strict=True)
            return "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
    inner = [expr.text] if expr.text else []
    return f"<{' '.join([Op(expr.op).name.lower(), *inner, *args])}>"


def expressions(facts: FileFacts, op: Op | None = None) -> list[str]:
    """Write every expression of the file, or those of one kind, in order."""
    return [
        expression(facts, index)
        for index, expr in enumerate(facts.exprs)
        if op is None or expr.op == op
    ]


def scope(facts: FileFacts, qualname: str) -> Scope:
    """Return the definition of this qualname ("" for the module)."""
    (found,) = [s for s in facts.scopes if s.qualname == qualname and s.kind != ScopeKind.BLOCK]
    return found


def bindings(facts: FileFacts, qualname: str = "") -> list[str]:
    """Write the bindings of a scope: `name = value`, `name: type = value`, `def name`, `import name`."""
    return [_binding(facts, b) for b in scope(facts, qualname).bindings]


def block_bindings(facts: FileFacts) -> list[list[str]]:
    """Write the bindings of every BLOCK."""
    return [
        [_binding(facts, b) for b in s.bindings] for s in facts.scopes if s.kind == ScopeKind.BLOCK
    ]


def stores(facts: FileFacts, qualname: str = "") -> list[str]:
    """Write the stores of a scope: `target: type = value`."""
    return [
        expression(facts, s.target) + _typed(facts, s.type) + f" = {expression(facts, s.value)}"
        for s in scope(facts, qualname).stores
    ]


def qualnames(facts: FileFacts) -> list[str]:
    """Return the qualnames of all definitions, in order."""
    return [s.qualname for s in facts.scopes[1:] if s.kind != ScopeKind.BLOCK]


def parameters(facts: FileFacts, qualname: str) -> list[str]:
    """Write the parameters of a function: `KIND name: type = default`."""
    kinds = ["/", "", "kw", "*", "**"]
    found = []
    for p in scope(facts, qualname).parameters:
        default = "" if p.default == NONE else f" = {expression(facts, p.default)}"
        found.append(f"{kinds[p.kind]} {p.name}{_typed(facts, p.type)}{default}".strip())
    return found


def _binding(facts: FileFacts, binding: object) -> str:
    name, kind, value, type_, _ = (
        binding.name,
        binding.kind,
        binding.value,
        binding.type,
        binding.line,
    )
    match kind:
        case BindingKind.DEFINITION:
            return f"def {facts.scopes[value].qualname}"
        case BindingKind.IMPORT:
            imported = facts.imports[value]
            return f"import {name}: {'.' * imported.level}{imported.module}/{imported.name}"
        case BindingKind.PARAMETER:
            return f"parameter {name}"
    return f"{name}{_typed(facts, type_)} = {expression(facts, value)}"


def _typed(facts: FileFacts, type_: int) -> str:
    return "" if type_ == NONE else f": {expression(facts, type_)}"
