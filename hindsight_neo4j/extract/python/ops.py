"""The model's enums as plain integers: reading a member costs as much as making the expression it goes into."""

from hindsight_neo4j.model.facts import BindingKind, Op, ParameterKind

NAME = int(Op.NAME)
ATTRIBUTE = int(Op.ATTRIBUTE)
CALL = int(Op.CALL)
KEYWORD = int(Op.KEYWORD)
SPREAD = int(Op.SPREAD)
STRING = int(Op.STRING)
NUMBER = int(Op.NUMBER)
CONSTANT = int(Op.CONSTANT)
SUBSCRIPT = int(Op.SUBSCRIPT)
LIST = int(Op.LIST)
TUPLE = int(Op.TUPLE)
MAPPING = int(Op.MAPPING)
CHOICE = int(Op.CHOICE)
OPERATOR = int(Op.OPERATOR)
LAMBDA = int(Op.LAMBDA)
COMPREHENSION = int(Op.COMPREHENSION)
AWAIT = int(Op.AWAIT)
YIELD = int(Op.YIELD)
FORMAT = int(Op.FORMAT)
ITERATE = int(Op.ITERATE)
UNPACK = int(Op.UNPACK)
ENTER = int(Op.ENTER)
CAUGHT = int(Op.CAUGHT)
RAISE = int(Op.RAISE)

DEFINITION = int(BindingKind.DEFINITION)
IMPORT = int(BindingKind.IMPORT)
VALUE = int(BindingKind.VALUE)
PARAMETER = int(BindingKind.PARAMETER)

POSITIONAL = int(ParameterKind.POSITIONAL)
EITHER = int(ParameterKind.EITHER)
KEYWORD_ONLY = int(ParameterKind.KEYWORD)
REST = int(ParameterKind.REST)
REST_KEYWORD = int(ParameterKind.REST_KEYWORD)

_SIGNS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "@": "matmul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "<<": "lshift",
    ">>": "rshift",
    "&": "and",
    "|": "or",
    "^": "xor",
}
BINARY = {sign: f"__{word}__" for sign, word in _SIGNS.items()}
IN_PLACE = {f"{sign}=": f"__i{word}__" for sign, word in _SIGNS.items()}
"""The methods behind the signs of operators and of `+=` and its kin."""
