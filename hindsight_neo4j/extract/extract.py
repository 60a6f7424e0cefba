"""One file through its parser and its language's walk."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Protocol, cast

from hindsight_neo4j.collector import collector_at_rest
from hindsight_neo4j.errors import LanguageError
from hindsight_neo4j.extract.builder import FactsBuilder
from hindsight_neo4j.languages.grammar import Node, parse, parser
from hindsight_neo4j.languages.language import Language
from hindsight_neo4j.model.facts import Diagnostic, FileFacts

MAX_DIAGNOSTICS = 20
"""Diagnostics that are kept one by one; a file in another language would fill its report with them."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one file may ask for. 0 lifts a limit."""

    parse_seconds: float = 10.0
    nesting: int = 100
    """Blocks and brackets inside each other. What stands deeper is read by itself: its names and calls are kept, and
    only the value that it gives to the outside is lost. Lifted, the interpreter's own stack is the limit."""


class Extractor(Protocol):
    """What a module in `extract/` offers for its language."""

    def walk(self, root: Node, source: bytes, language: Language, *, nesting: int) -> FactsBuilder:
        """Return the facts of the tree under `root`, which was parsed from `source`."""


def extract(
    source: bytes, path: str, language: Language, *, digest: str, limits: Limits | None = None
) -> FileFacts:
    """Return what the file says by itself.

    Args:
        source: The file in UTF-8. A NUL is taken for a blank, and bytes that are no UTF-8 for unknown characters.
        path: From the repository root, "/" between parts.
        language: The file's language.
        digest: Of the file's bytes; kept in the facts.
        limits: What to do without; default: `Limits()`.

    Raises:
        LanguageError: The language's grammar does not load, or it has no extractor.
    """
    limits = limits or Limits()
    extractor = _extractor(language)
    source = source.replace(b"\0", b" ")
    with collector_at_rest():
        tree = parse(parser(language), source, seconds=limits.parse_seconds)
        if tree is None:
            facts = FactsBuilder(source)
            facts.diagnostics.append(
                Diagnostic(1, f"not read: parsing took more than {limits.parse_seconds:g} s")
            )
        else:
            facts = extractor.walk(tree.root_node, source, language, nesting=limits.nesting)
            facts.diagnostics = _bounded(_syntax_errors(tree.root_node) + facts.diagnostics)
        return facts.finish(path, language.name, digest)


def _extractor(language: Language) -> Extractor:
    module = f"{__package__}.{language.extractor}"
    try:
        return cast(Extractor, importlib.import_module(module))
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise LanguageError(
            f"{language.name}.toml: extractor {language.extractor!r} does not exist"
        ) from error


def _syntax_errors(root: Node) -> list[Diagnostic]:
    """Return what the parser could not read, and what it had to add."""
    found: list[Diagnostic] = []
    nodes = [root] if root.has_error else []
    while nodes:
        node = nodes.pop()
        line = node.start_point[0] + 1
        if node.is_missing:
            found.append(Diagnostic(line, f"syntax error: {node.type} missing"))
        elif node.is_error:
            found.append(Diagnostic(line, "syntax error"))
        if node.has_error:
            nodes.extend(node.children)
    return found


def _bounded(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Return the first diagnostics by line, and how many more there are."""
    ordered = sorted(diagnostics, key=lambda diagnostic: diagnostic.line)
    kept, rest = ordered[:MAX_DIAGNOSTICS], ordered[MAX_DIAGNOSTICS:]
    if rest:
        kept.append(Diagnostic(rest[0].line, f"{len(rest)} more from here on"))
    return kept
