"""Import statements."""

from __future__ import annotations

from hindsight_neo4j.extract.python.walk import Walk
from hindsight_neo4j.languages.grammar import Node
from hindsight_neo4j.model.facts import NONE, Import
from hindsight_neo4j.model.numbers import IMPORT


def import_statement(walk: Walk, node: Node) -> int:
    """Visit `import a.b, c as d`."""
    for child in node.children:
        module, alias, spelled = _imported(walk, child)
        if module:
            binds = alias or module.partition(".")[0]
            _add(walk, child, (module, 0, "", alias), binds, spelled)
    return NONE


def import_from(walk: Walk, node: Node) -> int:
    """Visit `from ..a import b as c`, `from a import *` and imports from the future."""
    module, level = "", 0
    names_follow = False
    for child in node.children:
        kind = child.type
        if names_follow:
            if kind == "wildcard_import":
                _add(walk, child, (module, level, "*", ""), "", child)
                continue
            name, alias, spelled = _imported(walk, child)
            if name.isidentifier():  # the grammar lets "from a import b.c" pass
                _add(walk, child, (module, level, name, alias), alias or name, spelled)
        elif kind == "relative_import":
            module, level = _relative(walk, child)
        elif kind == "dotted_name":
            module, _ = _dotted(walk, child)
        elif kind == "__future__":
            module = kind
        else:
            names_follow = kind == "import"
    return NONE


def _imported(walk: Walk, node: Node) -> tuple[str, str, Node]:
    """Return the name and the alias that `node` spells, or empty strings, and the node of the name that it binds."""
    kind = node.type
    if kind == "dotted_name":
        name, first = _dotted(walk, node)
        return name, "", first
    if kind == "aliased_import":
        first, *_, last = walk.parts(node)
        return _dotted(walk, first)[0], walk.text(last), last
    return "", "", node


def _relative(walk: Walk, node: Node) -> tuple[str, int]:
    """Return the module after the dots, and how many dots there are."""
    module, level = "", 0
    for child in node.children:
        if child.type == "import_prefix":
            level = walk.text(child).count(".")
        elif child.type == "dotted_name":
            module, _ = _dotted(walk, child)
    return module, level


def _dotted(walk: Walk, node: Node) -> tuple[str, Node]:
    """Return a dotted name, and the node of its first part."""
    names = [child for child in node.children if child.kind_id == walk.kinds.identifier]
    return ".".join([walk.text(name) for name in names]), names[0] if names else node


def _add(
    walk: Walk, node: Node, what: tuple[str, int, str, str], binds: str, spelled: Node
) -> None:
    """Add an import of `what` (module, level, name, alias), and bind the name where it is spelled."""
    line, column = walk.place(node.start_byte)
    imports = walk.facts.imports
    imports.append(Import(*what, walk.at, line, column))
    if binds:
        walk.facts.bind(binds, IMPORT, len(imports) - 1, walk.row(spelled.start_byte))
