"""The guard: whether a user's Cypher only reads the graph.

An allow-list over tokens. Each word must be a keyword of a reading clause, a plain function before its `(`, a property
after a `.`, a label or type after `:` or `|`, or a variable; and a variable may not stand right behind a value, where
only a keyword can. So a keyword that nobody thought of is refused as well:

    >>> check("MATCH (n) WHERE n.name = 'delete' RETURN n.set")
    >>> check("MATCH (n) DETACH DELETE n")
    Traceback (most recent call last):
    hindsight_neo4j.errors.TemplateError: cypher, line 1: DETACH is refused: only reading is allowed

A store opened read-only is not enough: an embedded engine still writes files by COPY … TO and reads them by LOAD FROM.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hindsight_neo4j.errors import TemplateError
from hindsight_neo4j.model.template import Param, Params, ParamType, Template, Value
from hindsight_neo4j.templates.tokens import Token, TokenKind, tokenize, words

STARTS: Final = words("MATCH OPTIONAL UNWIND WITH RETURN")
"""The words a statement may begin with."""

KEYWORDS: Final = STARTS | words(
    "WHERE ORDER BY ASC DESC ASCENDING DESCENDING SKIP OFFSET LIMIT UNION ALL DISTINCT AS"
    " AND OR XOR NOT IN IS NULL TRUE FALSE CONTAINS STARTS ENDS CASE WHEN THEN ELSE END"
    " EXISTS COUNT COLLECT SHORTEST TRAIL ACYCLIC WALK"
)
"""The keywords of clauses that only read."""

FUNCTIONS: Final = words(
    "COUNT COLLECT SUM MIN MAX AVG STDEV STDEVP PERCENTILECONT PERCENTILEDISC"
    " ANY ALL NONE SINGLE EXISTS COALESCE NULLIF SIZE LENGTH RANGE REDUCE HEAD LAST TAIL"
    " ABS CEIL FLOOR ROUND SIGN SQRT LOG LOG10 EXP"
    " LOWER UPPER TOLOWER TOUPPER TRIM LTRIM RTRIM REPLACE LEFT RIGHT SUBSTRING SPLIT REVERSE"
    " TOSTRING TOINTEGER TOFLOAT TOBOOLEAN ISEMPTY"
    " NODES RELATIONSHIPS RELS LABELS LABEL TYPE ID ELEMENTID KEYS PROPERTIES STARTNODE ENDNODE"
    " SHORTESTPATH ALLSHORTESTPATHS LIST_CONTAINS LIST_SORT LIST_DISTINCT LIST_CONCAT"
)
"""The functions that only compute. A function with a dot in its name belongs to a plug-in and is never plain."""

REFUSED: Final = words(
    "CREATE MERGE SET DELETE DETACH NODETACH REMOVE FOREACH INSERT CALL YIELD LOAD CSV COPY FROM"
    " EXPORT IMPORT DATABASE ATTACH INSTALL UNINSTALL USE PROFILE EXPLAIN CYPHER USING DROP ALTER"
    " BEGIN COMMIT ROLLBACK CHECKPOINT TRANSACTION TRANSACTIONS COMMENT MACRO SHOW TERMINATE GRANT"
    " DENY REVOKE START STOP FINISH PROJECT EXTENSION"
)
"""Words that are refused even where they could be a variable, so that the message names them."""

_VALUE_WORDS = words("NULL TRUE FALSE END ASC DESC ASCENDING DESCENDING")


def check(text: str, *, source: str = "cypher") -> None:
    """Refuse a Cypher text that could do more than read the graph.

    Raises:
        TemplateError: Names what is refused, and its line.
    """
    _check(tokenize(text, source=source), source)


def user_template(text: str, params: Params, *, name: str = "cypher") -> Template:
    """Return a user's own Cypher, checked, as a template that takes exactly `params`.

    Raises:
        TemplateError: The text is refused, or the parameters are not those it uses.
    """
    tokens = tokenize(text, source=name)
    _check(tokens, name)
    used = {token.text: token.line for token in tokens if token.kind is TokenKind.PARAM}
    for param, line in used.items():
        if param not in params:
            raise TemplateError(
                f"{name}, line {line}: ${param} has no value", hint=f"give it: --param {param}=..."
            )
    if unknown := sorted(set(params) - set(used)):
        raise TemplateError(f"{name} has no parameter ${unknown[0][:80]}")
    declared = tuple(Param(param, _type_of(param, params[param]), "") for param in used)
    return Template(name, "A user's own Cypher.", declared, (), "", "", text.strip().rstrip(";"))


def _check(tokens: Sequence[Token], source: str) -> None:
    while tokens and tokens[-1].is_symbol(";"):
        tokens = tokens[:-1]
    if not tokens:
        raise TemplateError(f"{source}: there is nothing to run", hint="write MATCH … RETURN …")
    if tokens[0].word not in STARTS:
        raise _refusal(tokens[0], source)
    for at, token in enumerate(tokens):
        before = tokens[at - 1] if at else None
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        if not _is_allowed(token, before, after):
            raise _refusal(token, source)


def _is_allowed(token: Token, before: Token | None, after: Token | None) -> bool:
    if token.kind is TokenKind.SYMBOL:
        return token.text != ";"
    is_called = after is not None and after.is_symbol("(")
    if token.kind in (TokenKind.WORD, TokenKind.NAME) and before is not None:
        is_key = before.is_symbol("{", ",") and after is not None and after.is_symbol(":")
        if is_key or before.is_symbol(".", ":", "|"):
            return not is_called
    if token.word in KEYWORDS:
        return True
    if token.word in REFUSED:
        return False
    if is_called:
        return token.word in FUNCTIONS
    return before is None or not _ends_value(before)


def _ends_value(token: Token) -> bool:
    """Return whether a value can end with `token`, so that only a keyword or a symbol can follow it."""
    match token.kind:
        case TokenKind.WORD:
            return token.word not in KEYWORDS or token.word in _VALUE_WORDS
        case TokenKind.SYMBOL:
            return token.is_symbol(")", "]", "}")
        case _:
            return True


def _refusal(token: Token, source: str) -> TemplateError:
    shown = token.text if token.kind is not TokenKind.WORD else token.text.upper()
    if token.is_symbol(";"):
        return TemplateError(
            f"{source}, line {token.line}: a second statement is refused", hint="run one at a time"
        )
    return TemplateError(
        f"{source}, line {token.line}: {shown[:80]} is refused: only reading is allowed",
        hint="if it is a name, put it in backticks",
    )


def _type_of(name: str, value: Value) -> ParamType:
    match value:
        case bool():
            pass
        case str():
            return ParamType.STRING
        case int():
            return ParamType.INT
        case float():
            return ParamType.FLOAT
        case list() if all(isinstance(item, str) for item in value):
            return ParamType.STRINGS
    raise TemplateError(
        f"parameter ${name} cannot be used", hint="give a string, a number or a list of strings"
    )
