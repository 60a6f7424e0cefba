"""Ask a repository a question; get the files, classes and functions that answer it, and the path that proves it.

    from hindsight_neo4j import Hindsight

    with Hindsight.open("path/to/repository") as repository:
        print(repository.ask("what breaks if I change Store.put?").located.files[0].id)

Names below are imported when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hindsight_neo4j.client import Hindsight
    from hindsight_neo4j.errors import HindsightError
    from hindsight_neo4j.model.graph import EdgeKind, NodeKind
    from hindsight_neo4j.model.lookup import Lookup
    from hindsight_neo4j.model.question import Asked, Breadth, Intent, Located
    from hindsight_neo4j.model.report import IngestReport

__version__ = "0.1.0"

__all__ = [
    "Asked",
    "Breadth",
    "EdgeKind",
    "Hindsight",
    "HindsightError",
    "IngestReport",
    "Intent",
    "Located",
    "Lookup",
    "NodeKind",
    "__version__",
]

_HOMES = {
    "Asked": "model.question",
    "Breadth": "model.question",
    "EdgeKind": "model.graph",
    "Hindsight": "client",
    "HindsightError": "errors",
    "IngestReport": "model.report",
    "Intent": "model.question",
    "Located": "model.question",
    "Lookup": "model.lookup",
    "NodeKind": "model.graph",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
