"""What to ask every template about a repository, whichever it is, so that two engines can be held against each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hindsight_neo4j.model.template import Params, Row, Template, Value

WHOLE = 3
"""How often a template is asked that is about no node, with other limits each time."""


def questions(template: Template, nodes: Sequence[Row], snapshot: str) -> list[Params]:
    """Return parameters of `template`, made of every two neighbours in `nodes` (`id` and `name`), of other kinds from turn to turn."""
    turns = [
        {param.name: _value(param.name, snapshot, one, other, turn) for param in template.params}
        for turn, (one, other) in enumerate(pairwise(nodes))
    ]
    about_a_node = {param.name for param in template.params} - {"snapshot", "limit", "look"}
    return turns if about_a_node else turns[:WHOLE]


def _value(name: str, snapshot: str, one: Row, other: Row, turn: int) -> Value:
    id_, other_id = str(one["id"]), str(other["id"])
    here, there = _beginning(id_), _beginning(other_id)
    made: dict[str, Value] = {
        "snapshot": snapshot,
        "id": id_,
        "ids": [id_, other_id, "no/such.py:node"][: turn % 4],
        "keys": [f"{snapshot}|{id_}", f"{snapshot}|{other_id}", "none"][: turn % 4],
        "kinds": [[], ["INVOKES"], ["IMPORTS", "TESTS", "CONTAINS", "Class", "File"]][turn % 3],
        "min_confidence": (0.0, 0.5, 0.9)[turn % 3],
        "max_confidence": (0.5, 0.9, 0.1)[turn % 3],
        "limit": (2_000, 5, 40)[turn % 3],
        "look": (1_000, 40)[turn % 2],
        "more_than": (0, 5, 50)[turn % 3],
        "name": one["name"],
        "names": [str(one["name"]), str(other["name"])],
        "suffix": id_[-(3 + turn % 12) :],
        "prefix": str(one["name"])[: 1 + turn % 4].lower(),
        "part": id_[turn % 5 : 8 + turn % 5],
        "package": ("typing", "os", "no_such_package")[turn % 3],
        "source": id_,
        "target": other_id,
        "src": ("", id_)[turn % 2],
        "kind": ("", "INVOKES")[turn % 2],
        "dst": ("", other_id)[turn % 2],
        "after": ("", id_)[turn % 2],
        "rooms": [here, there, "tests/"],
        "allowed": [f"tests/ > {here}"],
        "importers": [[here], [there, "tests/"]][turn % 2],
        "imported": [[there, "ext:os"], [here], ["none/"]][turn % 3],
    }
    return made[name]


def _beginning(id_: str) -> str:
    """Return how ids begin that stand in the same directory; of a name from outside, that of its package."""
    if id_.startswith("ext:"):
        return id_.partition(".")[0]
    return f"{id_.partition(':')[0].rpartition('/')[0]}/"
