"""The head of a template file: what it says about itself, held against what its Cypher does.

    // Who would notice if these symbols changed: dependents, nearest first.
    // params:  snapshot string whose nodes · ids list<string> symbols · limit int most rows
    // returns: id, hops, path, start_line (1-based)
    // bound:   2 hops, $limit rows
    // try:     :param snapshot => "demo"
    //          :param ids => ["db.py:Store.put"]
    //          :param limit => 20
    MATCH ...

A section may go on over several comment lines. `try:` has a line for each parameter, as Neo4j Browser and cypher-shell
take them; in braces Browser makes every number a float, which LIMIT refuses. `parse` refuses a file whose head and body
differ, and a body that only one of the engines would understand (docs/cypher.md lists the rules).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hindsight_neo4j.errors import TemplateError
from hindsight_neo4j.model.template import Param, ParamType, Template
from hindsight_neo4j.templates.portable import check_portable
from hindsight_neo4j.templates.tokens import Token, TokenKind, tokenize

SECTIONS: Final = ("params", "returns", "bound", "try")
"""The sections of a head after its summary, in order; a template without parameters may leave `params:` out."""

_SECTION_LINE = re.compile(rf"({'|'.join(SECTIONS)}):\s*(.*)")
_PARAM_LINE = re.compile(r":param (\w+) => \S.*")
_AGGREGATES = frozenset({"COUNT", "SUM", "MIN", "MAX", "AVG", "COLLECT"})
_AFTER_RETURN = frozenset({"ORDER", "SKIP", "LIMIT", "UNION"})


@dataclass(frozen=True, slots=True)
class _Section:
    """The text of a section, and the line on which it begins."""

    line: int
    text: str


def parse(text: str, *, name: str, source: str) -> Template:
    """Return the template that a file's text holds.

    Args:
        text: The whole file.
        name: The template's name, such as "lookup/callers".
        source: The file, for messages.

    Raises:
        TemplateError: The head is incomplete, or does not fit the Cypher below it; says the file and the line.
    """
    head, body, body_line = _split(text)
    sections = _sections(head, source)
    template = Template(
        name=name,
        summary=sections["summary"].text,
        params=_params(sections["params"], source),
        columns=_columns(sections["returns"].text),
        bound=sections["bound"].text,
        example=sections["try"].text,
        text=body,
    )
    tokens = tokenize(body, source=source, first_line=body_line)
    if not tokens:
        raise TemplateError(f"{source}, line {body_line}: there is no Cypher below the head")
    check_portable(tokens, source)
    _check_params(template, tokens, f"{source}, line {sections['params'].line}", source)
    _check_returns(template, tokens, source)
    _check_example(template, f"{source}, line {sections['try'].line}")
    return template


def _split(text: str) -> tuple[list[str], str, int]:
    """Return the comment lines on top without their slashes, the Cypher, and the line on which it begins."""
    lines = text.splitlines()
    count = next((at for at, line in enumerate(lines) if not line.startswith("//")), len(lines))
    head = [line[2:].strip() for line in lines[:count]]
    return head, "\n".join(lines[count:]).rstrip().removesuffix(";"), count + 1


def _sections(head: Sequence[str], source: str) -> dict[str, _Section]:
    sections = {"summary": _Section(1, "")}
    current = "summary"
    for number, line in enumerate(head, start=1):
        if match := _SECTION_LINE.fullmatch(line):
            current, line = match[1], match[2]
            if current in sections:
                raise TemplateError(f"{source}, line {number}: a second {current}: section")
            sections[current] = _Section(number, "")
        begun = sections[current]
        between = "\n" if current == "try" else " "
        sections[current] = _Section(begun.line, f"{begun.text}{between}{line}".strip())
    sections.setdefault("params", _Section(1, ""))
    for wanted in ("summary", *SECTIONS):
        if wanted != "params" and not (wanted in sections and sections[wanted].text):
            raise TemplateError(
                f"{source}, line {len(head) + 1}: the head has no {wanted}",
                hint="write a sentence, then params:, returns:, bound: and try: in comment lines",
            )
    return sections


def _params(section: _Section, source: str) -> tuple[Param, ...]:
    items = (item.strip() for item in section.text.split("·"))
    return tuple(_param(item, f"{source}, line {section.line}") for item in items if item)


def _param(item: str, place: str) -> Param:
    name, _, rest = item.partition(" ")
    kind, _, meaning = rest.strip().partition(" ")
    try:
        return Param(name, ParamType(kind), meaning.strip())
    except ValueError:
        raise TemplateError(
            f"{place}, params: {item!r} has no type",
            hint=f"write: name type meaning, with a type of {', '.join(ParamType)}",
        ) from None


def _columns(text: str) -> tuple[str, ...]:
    names = (item.strip() for item in re.sub(r"\([^)]*\)", "", text).split(","))
    return tuple(name for name in names if name)


def _check_params(template: Template, tokens: Sequence[Token], place: str, source: str) -> None:
    declared = {param.name for param in template.params}
    used = {token.text: token.line for token in tokens if token.kind is TokenKind.PARAM}
    for name, line in used.items():
        if name not in declared:
            raise TemplateError(f"{source}, line {line}: ${name} is not in params:")
    for name in sorted(declared - set(used)):
        raise TemplateError(f"{place}, params: the Cypher does not use ${name}")


def _check_returns(template: Template, tokens: Sequence[Token], source: str) -> None:
    for start in (at for at, token in enumerate(tokens) if token.word == "RETURN"):
        items, end = _items(tokens, start + 1)
        line = tokens[start].line
        columns = tuple(_column(item, source) for item in items)
        if columns != template.columns:
            raise TemplateError(
                f"{source}, line {line}: returns {', '.join(columns)}",
                hint=f"the head says {', '.join(template.columns)}",
            )
        ordered = end < len(tokens) and tokens[end].word == "ORDER"
        if not ordered and not all(item[0].word in _AGGREGATES for item in items):
            raise TemplateError(
                f"{source}, line {line}: RETURN without ORDER BY",
                hint="engines order rows as they please: order down to an id",
            )


def _items(tokens: Sequence[Token], start: int) -> tuple[list[list[Token]], int]:
    """Return the items of a RETURN that begin at `start`, and the index of the token after them."""
    items: list[list[Token]] = [[]]
    depth = 0
    for at in range(start, len(tokens)):
        token = tokens[at]
        if depth == 0 and token.word in _AFTER_RETURN:
            return items, at
        depth += token.is_symbol("(", "[", "{") - token.is_symbol(")", "]", "}")
        if depth == 0 and token.is_symbol(","):
            items.append([])
        elif token.word != "DISTINCT" or items != [[]]:
            items[-1].append(token)
    return items, len(tokens)


def _column(item: Sequence[Token], source: str) -> str:
    if len(item) == 1 or (len(item) > 2 and item[-2].word == "AS"):
        return item[-1].text
    line = f", line {item[0].line}" if item else ""
    raise TemplateError(f"{source}{line}: a column without a name", hint="write: … AS name")


def _check_example(template: Template, place: str) -> None:
    given = [_PARAM_LINE.fullmatch(line) for line in template.example.splitlines()]
    wanted = [param.name for param in template.params]
    if wanted and [match and match[1] for match in given] != wanted:
        raise TemplateError(
            f"{place}, try: it must give {', '.join(wanted)}, a line each",
            hint='write: :param name => "value"',
        )
