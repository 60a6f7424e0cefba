"""Where a server of ours is, and how to enter it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

GRAPH_USER: Final = "neo4j"
TEXT_USER: Final = "elastic"
"""Who asks where only a password is given: the first user that either server makes."""


@dataclass(frozen=True, slots=True)
class GraphServer:
    """A Neo4j.

    Attributes:
        address: Such as "bolt://localhost:7687" or "neo4j+s://graph.example.org".
        user: Who asks; None where the server asks for nobody.
        password: The user's; never shown.
        database: Its name; None for the user's home database.
        ca: A file of certificates to trust instead of the system's.
    """

    address: str
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    database: str | None = None
    ca: str | None = None


@dataclass(frozen=True, slots=True)
class TextServer:
    """An Elasticsearch.

    Attributes:
        address: Such as "http://localhost:9200".
        user: Who asks; None where the server asks for nobody, or for a key.
        password: The user's; never shown.
        api_key: A key instead of user and password; never shown.
        ca: A file of certificates to trust instead of the system's.
        verify: Whether the server's certificate is looked at.
    """

    address: str
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    api_key: str | None = field(default=None, repr=False)
    ca: str | None = None
    verify: bool = True


@dataclass(frozen=True, slots=True)
class StoredSnapshot:
    """A snapshot that a server holds whole.

    Attributes:
        name: What people call it.
        stored: Its nodes' `snapshot`: mostly the name, another while a large change is written beside it.
        stamp: What its content comes to: equal for equal graphs.
        version: Of this package, when it was written.
        created: When, by the server's clock, in ISO 8601.
    """

    name: str
    stored: str
    stamp: str
    version: str
    created: str
