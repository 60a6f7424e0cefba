"""Code names of facts, found in a text: what can be measured of an answer with no model to judge it. It is not fact recall."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from hindsight_neo4j.retrieval.anchors import is_code_name

_QUOTED: Final = re.compile(
    r"`+([^`\n]{1,200})`+|\"([^\"\n]{1,200})\"|(?<!\w)'([^'\n]{1,200})'(?!\w)"
)
_WORD: Final = re.compile(r"[A-Za-z_][\w./]*\w(?:\(\))?|[A-Za-z_]\w*\(")
_CALL: Final = re.compile(r"\(.*\)?$", re.DOTALL)


def code_names(fact: str) -> frozenset[str]:
    """Return the names and quoted words of a sentence, calls and a leading `self.` taken off.

    >>> sorted(code_names("`Store.put` calls self.check_key(...) when 'strict' is set."))
    ['Store.put', 'check_key', 'strict']
    """
    quoted = ("".join(groups) for groups in _QUOTED.findall(fact))
    words = (
        match
        for match in _WORD.findall(_QUOTED.sub(" ", fact))
        if match.endswith(("(", "()")) or "/" in match or is_code_name(match.rstrip("."))
    )
    tidy = (
        re.sub(r"^(?:self|cls)?\.(?=\w)", "", _CALL.sub("", name)) for name in (*quoted, *words)
    )
    return frozenset(name.strip(" .,;:") for name in tidy if re.search(r"\w", name))


def share_in(facts: Sequence[str], text: str) -> float | None:
    """Return the mean over facts of the share of a fact's names that stand in `text`; None where no fact has a name.

    Of a dotted name its last part will do: a class's method is rarely written with the class where it is defined.
    """
    shares = []
    for fact in facts:
        names = code_names(fact)
        if names:
            shares.append(sum(_stands(name, text) for name in names) / len(names))
    return sum(shares) / len(shares) if shares else None


def _stands(name: str, text: str) -> bool:
    last = name if " " in name or "/" in name else name.rpartition(".")[2]
    return re.search(rf"(?<!\w){re.escape(last)}(?!\w)", text) is not None
