"""What one Cypher text may not use if Neo4j and the embedded engine shall both read it, and read it alike.

Each rule stands for a difference that was measured; docs/cypher.md tells them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hindsight_neo4j.errors import TemplateError
from hindsight_neo4j.templates.tokens import Token, TokenKind, words

LABEL: Final = "Node"
"""The one label that both engines have; the kind of a node is its property `kind`."""

_ONE_ENGINE_FUNCTIONS = words(
    "LABELS LABEL TYPE ID ELEMENTID KEYS PROPERTIES STARTNODE ENDNODE HEAD LAST SPLIT SUBSTRING"
    " REDUCE TOSTRING TOINTEGER TOFLOAT STDEV PERCENTILECONT DATETIME DATE TIMESTAMP RELS"
    " SHORTESTPATH ALLSHORTESTPATHS"
)
_ONE_ENGINE_WORDS = words("CALL FOREACH REMOVE LOAD COPY SHORTEST TRAIL YIELD USE")
_WRITES = words("CREATE MERGE SET DELETE DETACH DROP")


def check_portable(tokens: Sequence[Token], source: str) -> None:
    """Refuse what only one engine understands, and what the two understand differently.

    Raises:
        TemplateError: With the file and the line.
    """
    opened: list[str] = []  # the brackets that are open; "-[" for a relationship's
    for at, token in enumerate(tokens):
        before = tokens[at - 1] if at else None
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        inside = opened[-1] if opened else ""
        if reason := _reason(token, before, after, inside):
            raise TemplateError(
                f"{source}, line {token.line}: {reason}", hint="docs/cypher.md has the rules"
            )
        if token.is_symbol("(", "[", "{"):
            in_pattern = token.text == "[" and before is not None and before.is_symbol("-")
            opened.append("-[" if in_pattern else token.text)
        elif token.is_symbol(")", "]", "}") and opened:
            opened.pop()


def _reason(token: Token, before: Token | None, after: Token | None, inside: str) -> str:
    """Return why `token` is refused, or nothing."""
    is_key = inside == "{" and after is not None and after.is_symbol(":")
    is_name = is_key or (before is not None and before.is_symbol(".", ":", "|"))
    is_called = after is not None and after.is_symbol("(")
    if token.word and not is_name:
        return _word_reason(token.word, is_called)
    if token.word and before is not None and before.is_symbol(":") and inside not in ("-[", "{"):
        return "" if token.text == LABEL else f"the only label both engines have is :{LABEL}"
    if token.is_symbol("[") and before is not None and _ends_operand(before):
        return "a list index counts from 0 in one engine and from 1 in the other"
    if token.is_symbol("|") and inside != "-[":
        return "a list comprehension is not understood by every engine"
    if token.is_symbol("{") and after is not None and after.is_symbol("."):
        return "a map projection is not understood by every engine"
    if token.is_symbol("..") or (token.is_symbol("*") and inside == "-["):
        is_bounded = after is not None and after.kind is TokenKind.NUMBER
        return "" if is_bounded else "the hops of a path need written bounds, such as *1..2"
    return "one statement is all a template may hold" if token.is_symbol(";") else ""


def _word_reason(word: str, is_called: bool) -> str:
    if word in _WRITES:
        return f"{word} writes, and a template only reads"
    if word in _ONE_ENGINE_WORDS or (word in _ONE_ENGINE_FUNCTIONS and is_called):
        return f"{word} is not understood by every engine, or not alike"
    return ""


def _ends_operand(token: Token) -> bool:
    if token.kind is TokenKind.WORD:
        return token.word not in (
            "IN",
            "UNWIND",
            "RETURN",
            "WITH",
            "THEN",
            "ELSE",
            "AND",
            "OR",
            "NOT",
        )
    return token.kind is not TokenKind.SYMBOL or token.text in (")", "]", "}")
