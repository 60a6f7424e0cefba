"""Cypher as tokens: enough of its grammar to tell a word from what a string, a comment or a quoted name says.

Only `templates/` uses it. The header check and the guard both read tokens, never raw text:

    >>> [token.text for token in tokenize("RETURN n.set // DELETE")]
    ['RETURN', 'n', '.', 'set']
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

from hindsight_neo4j.errors import TemplateError

MAX_CHARACTERS = 100_000
"""Longest Cypher text that is read: no question a person writes is longer."""


class TokenKind(Enum):
    """What a token is."""

    WORD = auto()  # a keyword, or an unquoted name
    NAME = auto()  # a name in backticks, without them
    STRING = auto()  # a string literal, with its quotes
    NUMBER = auto()
    PARAM = auto()  # $name, without the dollar
    SYMBOL = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of Cypher. `line` is 1-based."""

    kind: TokenKind
    text: str
    line: int

    @property
    def word(self) -> str:
        """The word in capitals; empty for every other kind."""
        return self.text.upper() if self.kind is TokenKind.WORD else ""

    def is_symbol(self, *texts: str) -> bool:
        """Return whether this is one of these symbols, not a name or a string that says the same."""
        return self.kind is TokenKind.SYMBOL and self.text in texts


_TOKEN = re.compile(
    r"""
    (?P<space> [ \t\n]+ | //[^\n]* | /\*.*?\*/ )
  | (?P<string> '(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" )
  | (?P<name> `(?:[^`]|``)+` )
  | \$ (?P<param> [A-Za-z_][A-Za-z0-9_]* )
  | (?P<number> [0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)? )
  | (?P<word> [A-Za-z_][A-Za-z0-9_]* )
  | (?P<symbol> <> | <= | >= | =~ | \.\. | [-+*/%^=<>()\[\]{},.:|;] )
    """,
    re.VERBOSE | re.DOTALL,
)

_AMBIGUOUS = re.compile(r"\\[uU]|[\x00-\x08\x0b-\x1f\x7f]")
"""What engines read differently, wherever it stands.

Neo4j 5 turns `\u0027` into a quote before it looks for strings and comments. A lone carriage return ends a comment for
one engine and not for another.
"""

_UNFINISHED = {
    "'": "a string that does not end",
    '"': "a string that does not end",
    "`": "a quoted name that does not end",
    "/": "a comment that does not end",
}


def tokenize(text: str, *, source: str = "cypher", first_line: int = 1) -> list[Token]:
    """Return the tokens of a Cypher text without its comments.

    Unquoted names may hold ASCII letters, digits and `_` only.

    Raises:
        TemplateError: A string, name or comment does not end, or a character has no place outside of them.
    """
    if len(text) > MAX_CHARACTERS:
        raise TemplateError(
            f"{source} is longer than {MAX_CHARACTERS:,} characters", hint="ask for less at once"
        )
    text = text.replace("\r\n", "\n")
    if ambiguous := _AMBIGUOUS.search(text):
        raise TemplateError(
            f"{source}, line {first_line + text.count(chr(10), 0, ambiguous.start())}: {ambiguous[0]!a} is"
            " read in more than one way",
            hint="write the character itself, or pass it as a parameter",
        )
    tokens = []
    at, line = 0, first_line
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or (match.lastgroup == "symbol" and text.startswith("/*", at)):
            raise _stray(text, at, line, source)
        if match.lastgroup != "space":
            tokens.append(_token(match, line))
        line += match[0].count("\n")
        at = match.end()
    return tokens


def _token(match: re.Match[str], line: int) -> Token:
    group = match.lastgroup or ""
    value = match[group]
    if group == "name":
        return Token(TokenKind.NAME, value[1:-1].replace("``", "`"), line)
    return Token(TokenKind[group.upper()], value, line)


def _stray(text: str, at: int, line: int, source: str) -> TemplateError:
    found = text[at]
    what = _UNFINISHED.get(found, f"the character {found!a}, which has no place outside a string")
    return TemplateError(
        f"{source}, line {line}: {what}", hint="quote names in backticks and text in quotes"
    )


def words(text: str) -> frozenset[str]:
    """Return the words of a list written with spaces, to be compared with `Token.word`."""
    return frozenset(text.split())
