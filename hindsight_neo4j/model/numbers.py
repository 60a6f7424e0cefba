"""The enumerations of the facts as plain numbers.

Facts hold numbers, made and compared millions of times: reading a member of an enumeration takes 80 ns, reading a name of
a module 12 ns (CPython 3.11).
"""

from __future__ import annotations

from typing import Final

from hindsight_neo4j.model.facts import BindingKind, Op, ParameterKind, ScopeKind

NAME: Final = int(Op.NAME)
ATTRIBUTE: Final = int(Op.ATTRIBUTE)
CALL: Final = int(Op.CALL)
KEYWORD: Final = int(Op.KEYWORD)
SPREAD: Final = int(Op.SPREAD)
STRING: Final = int(Op.STRING)
NUMBER: Final = int(Op.NUMBER)
CONSTANT: Final = int(Op.CONSTANT)
SUBSCRIPT: Final = int(Op.SUBSCRIPT)
LIST: Final = int(Op.LIST)
TUPLE: Final = int(Op.TUPLE)
MAPPING: Final = int(Op.MAPPING)
CHOICE: Final = int(Op.CHOICE)
OPERATOR: Final = int(Op.OPERATOR)
LAMBDA: Final = int(Op.LAMBDA)
COMPREHENSION: Final = int(Op.COMPREHENSION)
AWAIT: Final = int(Op.AWAIT)
YIELD: Final = int(Op.YIELD)
FORMAT: Final = int(Op.FORMAT)
ITERATE: Final = int(Op.ITERATE)
UNPACK: Final = int(Op.UNPACK)
ENTER: Final = int(Op.ENTER)
CAUGHT: Final = int(Op.CAUGHT)
RAISE: Final = int(Op.RAISE)

MODULE: Final = int(ScopeKind.MODULE)
CLASS: Final = int(ScopeKind.CLASS)
FUNCTION: Final = int(ScopeKind.FUNCTION)
BLOCK: Final = int(ScopeKind.BLOCK)

DEFINITION: Final = int(BindingKind.DEFINITION)
IMPORT: Final = int(BindingKind.IMPORT)
VALUE: Final = int(BindingKind.VALUE)
PARAMETER: Final = int(BindingKind.PARAMETER)

POSITIONAL: Final = int(ParameterKind.POSITIONAL)
EITHER: Final = int(ParameterKind.EITHER)
KEYWORD_ONLY: Final = int(ParameterKind.KEYWORD)
REST: Final = int(ParameterKind.REST)
REST_KEYWORD: Final = int(ParameterKind.REST_KEYWORD)
