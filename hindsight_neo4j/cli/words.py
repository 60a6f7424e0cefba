"""How the edges of the graph read in a sentence."""

from __future__ import annotations

from typing import Final

from hindsight_neo4j.model.graph import EdgeKind
from hindsight_neo4j.model.question import Hop

VERBS: Final = {
    EdgeKind.CONTAINS: ("contains", "is inside"),
    EdgeKind.IMPORTS: ("imports", "is imported by"),
    EdgeKind.INVOKES: ("calls", "is called by"),
    EdgeKind.INHERITS: ("inherits from", "is the base of"),
    EdgeKind.OVERRIDES: ("overrides", "is overridden by"),
    EdgeKind.REFERENCES: ("refers to", "is referred to by"),
    EdgeKind.TESTS: ("tests", "is tested by"),
}
"""By edge kind: read from `src` to `dst`, and back."""

DOUBTFUL: Final = 0.85
"""An edge less sure than this, wrong more than once in seven times, is shown with its confidence."""

ROUNDED_TO_ALL: Final = 0.995
"""From here on a share of one is 100 in whole percent."""


def verb(hop: Hop) -> str:
    """Return how a hop reads from what was known to what was found."""
    forward, back = VERBS[EdgeKind(hop.kind)]
    return forward if hop.forward else back


def known(hop: Hop) -> str:
    """Return the id that the hop starts from."""
    return hop.src if hop.forward else hop.dst


def found(hop: Hop) -> str:
    """Return the id that the hop leads to."""
    return hop.dst if hop.forward else hop.src


def doubt(confidence: float, tier: str) -> str:
    """Return a remark where an edge is not sure, else nothing.

    >>> doubt(0.5, "override"), doubt(0.95, "direct")
    ('50% sure, override', '')
    """
    return f"{sure(confidence)}, {tier}" if confidence < DOUBTFUL else ""


def sure(confidence: float) -> str:
    """Return how sure something is, in words. What is not certain is never rounded to certainty.

    >>> sure(0.824), sure(0.997), sure(1.0)
    ('82% sure', '> 99% sure', '100% sure')
    """
    return (
        f"{confidence:.0%} sure" if confidence < ROUNDED_TO_ALL or confidence == 1 else "> 99% sure"
    )
