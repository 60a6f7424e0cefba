"""Tree-sitter, and nothing of it anywhere else: grammars, parsers, and the types of what they return.

A grammar is imported when the first file of its language is parsed, so a broken grammar stops only those who need it.
"""

from __future__ import annotations

import importlib
from functools import cache
from time import monotonic

import tree_sitter
from tree_sitter import Node, Parser, Point, Range, Tree

from hindsight_neo4j.errors import LanguageError
from hindsight_neo4j.languages.language import Language

__all__ = ["Node", "Parser", "Point", "Range", "Tree", "kinds", "parse", "parser", "token"]

_CHUNK = 1 << 16
"""Bytes handed to the parser at once; the size does not show in its speed."""


def parser(language: Language) -> Parser:
    """Return a new parser of `language`. Parsers are cheap, hold state, and belong to one thread.

    Raises:
        LanguageError: The grammar is not installed, or does not fit the installed tree-sitter.
    """
    return Parser(_grammar(language.grammar))


def kinds(language: Language) -> dict[int, str]:
    """Return the names of the grammar's node kinds by their id: "" for tokens without a name, and `ERROR`.

    Several ids can share a name, so tables that dispatch on ids are built from this.

    Raises:
        LanguageError: As `parser`.
    """
    grammar = _grammar(language.grammar)
    found = {_ERROR_KIND: "ERROR"}
    for kind in range(grammar.node_kind_count):
        name = grammar.node_kind_for_id(kind) if grammar.node_kind_is_named(kind) else ""
        found[kind] = name or ""
    return found


def token(language: Language, text: str) -> int:
    """Return the id of the token that is always written as `text`.

    Raises:
        LanguageError: As `parser`.
    """
    return _grammar(language.grammar).id_for_node_kind(text, False) or 0


def parse(parser: Parser, source: bytes, *, seconds: float) -> Tree | None:
    """Parse `source`; None when that takes more than `seconds` (0: however long it takes)."""
    if not seconds:
        return parser.parse(source)
    end = monotonic() + seconds
    late = False

    def read(offset: int, _: Point) -> bytes:
        return source[offset : offset + _CHUNK]

    def give_up(_offset: int, _has_error: bool) -> bool:
        nonlocal late
        late = monotonic() > end
        return late

    try:
        return parser.parse(read, progress_callback=give_up)
    except ValueError:
        if not late:
            raise
        parser.reset()
        return None


_ERROR_KIND = 0xFFFF
"""The id tree-sitter gives to ERROR nodes (`ts_builtin_sym_error`), which no grammar counts among its kinds."""


@cache
def _grammar(module: str) -> tree_sitter.Language:
    try:
        return tree_sitter.Language(importlib.import_module(module).language())
    except (ImportError, AttributeError, OSError, ValueError) as error:
        package = module.replace("_", "-")
        reason = " ".join(str(error).split())
        raise LanguageError(
            f"the grammar {module} does not load ({reason})",
            hint=f"run: pip install --force-reinstall {package}",
        ) from error
