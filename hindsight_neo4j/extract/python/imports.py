"""Import statements."""

from __future__ import annotations

from hindsight_neo4j.extract.python.ops import IMPORT
from hindsight_neo4j.extract.python.walk import Walk
from hindsight_neo4j.languages.grammar import Node
from hindsight_neo4j.model.facts import NONE, Import


def import_statement(walk: Walk, node: Node) -> int:
    """Visit `import a.b, c as d`."""
    for child in node.children:
        module, alias = _imported(walk, child)
        if module:
            _add(walk, child, alias or module.partition(".")[0], module, 0, "", alias)
    return NONE


def import_from(walk: Walk, node: Node) -> int:
    """Visit `from ..a import b as c`, `from a import *` and imports from the future."""
    module, level = "", 0
    names_follow = False
    for child in node.children:
        kind = child.type
        if names_follow:
            if kind == "wildcard_import":
                _add(walk, child, "", module, level, "*", "")
                continue
            name, alias = _imported(walk, child)
            if name:
                _add(walk, child, alias or name, module, level, name, alias)
        elif kind == "relative_import":
            module, level = _relative(walk, child)
        elif kind == "dotted_name":
            module = _dotted(walk, child)
        elif kind == "__future__":
            module = kind
        else:
            names_follow = kind == "import"
    return NONE


def _imported(walk: Walk, node: Node) -> tuple[str, str]:
    """Return the name and the alias that `node` spells, or two empty strings."""
    kind = node.type
    if kind == "dotted_name":
        return _dotted(walk, node), ""
    if kind == "aliased_import":
        names = walk.parts(node)
        if len(names) > 1:
            return _dotted(walk, names[0]), walk.text(names[-1])
    return "", ""


def _relative(walk: Walk, node: Node) -> tuple[str, int]:
    """Return the module after the dots, and how many dots there are."""
    module, level = "", 0
    for child in node.children:
        if child.type == "import_prefix":
            level = walk.text(child).count(".")
        elif child.type == "dotted_name":
            module = _dotted(walk, child)
    return module, level


def _dotted(walk: Walk, node: Node) -> str:
    text = walk.text(node)
    if text.isidentifier():
        return text
    return ".".join(walk.text(child) for child in walk.parts(node))


def _add(
    walk: Walk, node: Node, binds: str, module: str, level: int, name: str, alias: str
) -> None:
    row, column = node.start_point
    imports = walk.facts.imports
    imports.append(Import(module, level, name, alias, walk.at, row + 1, column))
    if binds:
        walk.facts.bind(binds, IMPORT, len(imports) - 1, row)
