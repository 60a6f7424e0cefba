"""What the signs of Python's operators call."""

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
