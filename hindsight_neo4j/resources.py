"""Where the data rooms are: `cypher/`, `ingest/` and `prompts/`, beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def room(name: str) -> Path:
    """Return the folder of the data room `name` ("cypher", "ingest" or "prompts").

    A wheel carries a room as `hindsight_neo4j/_<name>`. An editable install cannot see that copy, so the
    checkout's own folder beside the package is taken there.

    Raises:
        FileNotFoundError: The installation carries no such room.
    """
    for folder in (_PACKAGE / f"_{name}", _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the data room {name!r} is missing from this installation")
