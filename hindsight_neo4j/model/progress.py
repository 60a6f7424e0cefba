"""How long work tells how far it is."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Is told about stages, one after the other, such as walk, extract, link and write of an ingest."""

    def stage(self, name: str, total: int | None) -> None:
        """Begin a stage of `total` steps; None when nobody knows how many."""

    def advance(self, count: int) -> None:
        """Note that `count` more steps of the stage are done."""


class Silent:
    """A `Progress` that tells nobody."""

    def stage(self, name: str, total: int | None) -> None:
        """Say nothing."""

    def advance(self, count: int) -> None:
        """Say nothing."""
