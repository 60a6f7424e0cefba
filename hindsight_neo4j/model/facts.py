"""What one file says by itself: scopes, names, expressions, imports. Nothing here belongs to one language.

`extract/` makes these values, `link/` joins them into edges. They are `msgspec` structs and not dataclasses because a
mid-size repository (django, 474k lines) has over a million expressions, which cross process borders and live in a
cache: encoding, decoding and creation must run at C speed, and the cache format must not be able to run code.

Expressions lie in one flat list per file (`FileFacts.exprs`) and point at each other by index, so a value of any depth
can be stored, hashed and walked without recursion. `NONE` (-1) stands for "no expression" everywhere.

Take this file, `a.py`:

    from b import make            # Import(module="b", name="make"), Binding("make", IMPORT)
    class Box(Base):              # Scope(CLASS, bases=(expr of NAME Base,))
        def open(self, key):      # Scope(FUNCTION, parent=Box)
            lid = make(key)       # exprs: NAME make, NAME key, CALL(make, key); Binding("lid", VALUE, CALL)
            self.lid = lid        # Store(target=ATTRIBUTE lid of NAME self, value=NAME lid)
            return lid            # Scope.returns

Lines are 1-based and inclusive; columns are 0-based and count UTF-8 bytes.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import msgspec

NONE: Final = -1
"""The index that stands for "no expression"."""


class Op(IntEnum):
    """What an expression is. `text` and `args` of `Expr` mean what stands behind each."""

    NAME = 1  # text: the name read
    ATTRIBUTE = 2  # text: the attribute · args: (object,)
    CALL = 3  # args: (callee, *arguments); an argument may be KEYWORD or SPREAD
    KEYWORD = 4  # text: the argument's name · args: (value,)
    SPREAD = 5  # text: "*" or "**" · args: (value,)
    STRING = 6  # text: the literal's value, cut at 200 characters
    NUMBER = 7  # text: the literal as written
    CONSTANT = 8  # text: None, True, False, ...
    SUBSCRIPT = 9  # args: (object, *indices)
    LIST = 10  # a list or set display · args: elements, SPREAD among them
    TUPLE = 11  # args: elements, SPREAD among them
    MAPPING = 12  # args: key, value, key, value, ...; a "**other" entry has key NONE
    CHOICE = 13  # one of args: conditional expressions, "or"/"and"
    OPERATOR = 14  # text: the method that the language calls, such as "__add__" · args: (left, right) or (operand,)
    LAMBDA = 15  # text: index of its BLOCK scope in FileFacts.scopes, in decimal · args: (body,)
    COMPREHENSION = 16  # text: "list" or "mapping" · args: (element,) or (key, value)
    AWAIT = 17  # args: (value,)
    YIELD = 18  # args: (value,) or (); text: "from" for delegation
    FORMAT = 19  # an interpolated string · args: its parts in order, STRING among them
    # Made by the extractor for what a statement binds:
    ITERATE = 20  # an element of args[0]
    UNPACK = 21  # text: position in decimal, negative from the end, "*N" for a starred target · args: (value,)
    ENTER = 22  # what a context manager hands over · args: (manager,)
    CAUGHT = 23  # an instance of the class or tuple of classes args[0]: caught, or what args[1] is matched as
    RAISE = 24  # what is raised by name: a class is built first · args: (value,)


class Expr(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One expression. Every name read, attribute read and call of the file has one, whether bound to anything or not.

    `line` is where a reader would point: for CALL the line on which the callee's last name stands, for ATTRIBUTE the
    line of the attribute's name, else the first line. `column` belongs to the same token. `scope` is the scope that
    evaluates it (a BLOCK for lambda bodies and comprehensions).
    """

    op: int
    text: str
    args: tuple[int, ...]
    line: int
    column: int
    scope: int


class ScopeKind(IntEnum):
    """Kinds of scopes. A BLOCK (lambda, comprehension) binds names but is no symbol: its uses belong to its owner."""

    MODULE = 0
    CLASS = 1
    FUNCTION = 2
    BLOCK = 3


class BindingKind(IntEnum):
    """How a name got its meaning. `Binding.value` means what stands behind each."""

    DEFINITION = 0  # value: index in FileFacts.scopes
    IMPORT = 1  # value: index in FileFacts.imports
    VALUE = 2  # value: index in FileFacts.exprs, NONE when only annotated
    PARAMETER = 3  # value: index in the scope's parameters


class Binding(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A name given a meaning in one scope. Several bindings of one name are all kept, in source order."""

    name: str
    kind: int
    value: int
    type: int  # annotation expression, or NONE
    line: int


class ParameterKind(IntEnum):
    """How arguments reach a parameter."""

    POSITIONAL = 0
    EITHER = 1
    KEYWORD = 2
    REST = 3  # *args
    REST_KEYWORD = 4  # **kwargs


class Parameter(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One parameter of a function, in order."""

    name: str
    kind: int
    default: int  # expression, or NONE
    type: int  # annotation expression, or NONE
    line: int


class Store(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A value put into an attribute or an element: `target = value`, with target an ATTRIBUTE or SUBSCRIPT."""

    target: int
    value: int  # expression, or NONE when only annotated
    type: int  # annotation expression, or NONE


class Scope(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A region where names have a meaning. `FileFacts.scopes[0]` is the module.

    `qualname` is unique in its file ("" for the module): `Outer.inner`, with `~2` on the second definition of one
    name (`f~2`), and on the paths below it (`f~2.inner`). A BLOCK's qualname is its owner's.
    Decorators count into the line range.
    """

    kind: int
    name: str
    qualname: str
    parent: int  # index in FileFacts.scopes; NONE for the module
    start_line: int
    end_line: int
    name_line: int
    signature: str  # one line, "(self, key: str) -> None" or "(Base, metaclass=M)"; "" for modules
    doc: str  # documentation string, dedented, cut at 4,000 characters
    decorators: tuple[int, ...]  # expressions, outermost first
    bases: tuple[int, ...]  # expressions of a class header, KEYWORD among them
    parameters: tuple[Parameter, ...]
    returns_type: int  # annotation expression, or NONE
    returns: tuple[int, ...]  # expressions returned
    yields: tuple[int, ...]  # YIELD expressions
    bindings: tuple[Binding, ...]
    stores: tuple[Store, ...]
    is_async: bool
    branches: tuple[int, ...]
    """First and last line, in turns, of each statement right in its body whose parts may not run, or not once.

    () where no name gets a second value and nothing is stored, since nobody would ask.
    """


class Import(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One name that one statement brings in.

    `import a.b` → module "a.b", name "", alias "" (binds "a"). `import a.b as c` → alias "c".
    `from ..p import q as r` → level 2, module "p", name "q", alias "r". `from m import *` → name "*".
    """

    module: str
    level: int  # 0 absolute, 1 this package, 2 its parent, ...
    name: str
    alias: str
    scope: int
    line: int
    column: int


class Diagnostic(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Something wrong in the source read: kept as data, never raised."""

    line: int
    message: str


class FileFacts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """All that one file says, and nothing that another file would change."""

    path: str  # from the repository root, "/" between parts
    language: str
    digest: str  # of the file's bytes
    line_count: int
    scopes: tuple[Scope, ...]
    exprs: tuple[Expr, ...]
    imports: tuple[Import, ...]
    exports: (
        tuple[str, ...] | None
    )  # the names the file says it exports (`__all__`); None when it does not say
    statement_lines: tuple[
        int, ...
    ]  # first lines of statements at any depth, ascending, without repeats
    diagnostics: tuple[Diagnostic, ...]


def encode_facts(facts: FileFacts) -> bytes:
    """Return `facts` as MessagePack."""
    return _ENCODER.encode(facts)


def decode_facts(data: bytes) -> FileFacts:
    """Return the facts that `encode_facts` wrote.

    Raises:
        msgspec.DecodeError: The bytes are no facts of this version.
    """
    return _DECODER.decode(data)


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(FileFacts)
