"""The templates as saved queries for Neo4j Browser: an archive to drop on its page, with a folder for each room.

Browser calls a saved query by its first comment line, which is a template's summary.
"""

from __future__ import annotations

import io
import zipfile
from typing import Final

from hindsight_neo4j.resources import room
from hindsight_neo4j.templates.catalogue import Catalogue

ROOMS: Final = ("lookup", "intents", "audit")
"""What is of use to a person; `step` is what a program walks by."""

_LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)
"""The time of every file, so that the same templates make the same archive."""


def saved_queries() -> bytes:
    """Return the archive."""
    folder = room("cypher")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as files:
        for template in Catalogue.load(folder):
            kind, _, name = template.name.partition("/")
            if kind in ROOMS:
                text = (folder / f"{template.name}.cypher").read_text("utf-8")
                files.writestr(zipfile.ZipInfo(f"hindsight {kind}/{name}.cypher", _LONG_AGO), text)
    return archive.getvalue()
