"""The cycle collector, kept from work that has nothing to find."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Keep the cycle collector from going again and again through what is being made, none of it in a cycle.

    A tree has thousands of nodes, and the facts and edges of a repository are millions of values.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
