"""One file through its parser and its language's walk."""

from __future__ import annotations

import gc
import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, cast

from hindsight_neo4j.errors import LanguageError
from hindsight_neo4j.extract.builder import FactsBuilder
from hindsight_neo4j.languages.grammar import Node, parse, parser
from hindsight_neo4j.languages.language import Language
from hindsight_neo4j.model.facts import Diagnostic, FileFacts

MAX_SYNTAX_DIAGNOSTICS = 20
"""Syntax errors listed one by one; a file in another language would fill its report with them."""


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
        source: The file in UTF-8. Bytes that are no UTF-8 and NULs are taken as unknown characters.
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
    with _collector_at_rest():
        tree = parse(parser(language), source, seconds=limits.parse_seconds)
        if tree is None:
            facts = FactsBuilder(source)
            facts.diagnostics.append(
                Diagnostic(1, f"not read: parsing took more than {limits.parse_seconds:g} s")
            )
        else:
            facts = extractor.walk(tree.root_node, source, language, nesting=limits.nesting)
            facts.diagnostics[:0] = _syntax_diagnostics(tree.root_node)
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


def _syntax_diagnostics(root: Node) -> list[Diagnostic]:
    """Return the syntax errors of a tree, first one first, at most `MAX_SYNTAX_DIAGNOSTICS` and their total."""
    if not root.has_error:
        return []
    found: list[Diagnostic] = []
    nodes = [root]
    while nodes:
        node = nodes.pop()
        if node.is_missing:
            found.append(Diagnostic(node.start_point.row + 1, f"syntax error: {node.type} missing"))
        elif node.is_error:
            found.append(Diagnostic(node.start_point.row + 1, "syntax error"))
        if node.has_error:
            nodes.extend(reversed(node.children))
    rest = len(found) - MAX_SYNTAX_DIAGNOSTICS
    if rest > 0:
        del found[MAX_SYNTAX_DIAGNOSTICS:]
        found.append(Diagnostic(found[-1].line, f"{rest} more syntax errors"))
    return found


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Keep the cycle collector from scanning a tree's thousands of nodes again and again while it grows."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
