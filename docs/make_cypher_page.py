"""Write the template list of docs/cypher.md from the templates' heads; with `--check`, fail where the two differ."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

from made_page import write_or_check

from hindsight_neo4j.model.template import Template
from hindsight_neo4j.resources import room
from hindsight_neo4j.templates.catalogue import Catalogue

PAGE = Path(__file__).with_name("cypher.md")

ROOMS = {
    "lookup": "What stands in some relation to a symbol, and rankings over a whole snapshot.",
    "intents": "What each intent of a question walks, as one text with all its hops.",
    "step": "One hop from many nodes at once: what the frontier loop runs, hop by hop.",
    "audit": "Whether an index is sound, and whether a repository keeps its own rules.",
}


def listing() -> str:
    """Return the list: a section per room, in the order of `ROOMS`, and one per template in it."""
    by_room = {
        name: list(templates)
        for name, templates in groupby(Catalogue.load(room("cypher")), key=_room)
    }
    sections = [
        "\n".join([f"### {name}\n\n{says}\n", *map(_section, by_room.pop(name))])
        for name, says in ROOMS.items()
    ]
    if by_room:
        raise SystemExit(f"say in ROOMS what is in {', '.join(by_room)}")
    return "\n".join(sections)


def _room(template: Template) -> str:
    return template.name.partition("/")[0]


def _section(template: Template) -> str:
    takes = " · ".join(f"`${one.name}` {one.type} {one.meaning}".strip() for one in template.params)
    returns = ", ".join(f"`{column}`" for column in template.columns)
    return (
        f"#### [{template.name}](../cypher/{template.name}.cypher)\n\n{template.summary}\n\n"
        f"- takes {takes or 'nothing'}\n- returns {returns}\n- bound: {template.bound}\n"
        f"- {' '.join(f'`{line}`' for line in template.example.splitlines())}\n"
    )


if __name__ == "__main__":
    sys.exit(write_or_check(PAGE, listing()))
