"""SCIP indexes: what a compiler or type checker found each name to mean (`scip.proto`, github.com/sourcegraph/scip).

`scip_pb2.py` is generated from the schema beside it. The schema changes rarely, and the generator is needed then only:

    pip install grpcio-tools==1.74.0
    cd hindsight_neo4j/evidence && python -m grpc_tools.protoc -I. --python_out=. --pyi_out=. scip.proto
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from hindsight_neo4j.errors import SettingsError, SourceError
from hindsight_neo4j.evidence.places import Places
from hindsight_neo4j.model.evidence import Evidence, Mention

if TYPE_CHECKING:
    from hindsight_neo4j.evidence.scip_pb2 import Document, Index

_DEFINITION: Final = 1
_LOCAL: Final = "local "
"""Symbols that mean something in one file only: nothing of theirs is a node of the graph."""


def read(path: Path, root: Path) -> Evidence:
    """Return the definitions and uses in an index.

    Raises:
        SourceError: It is no SCIP index, is damaged, or is of another repository.
        SettingsError: protobuf is not installed.
    """
    index = _parsed(path)
    places = Places(path, root, _base(index.metadata.project_root, root))
    mentions: dict[str, list[Mention]] = {}
    implements: list[tuple[str, str]] = []
    for document in index.documents:
        inside = places.inside(document.relative_path)
        if inside is None:
            continue
        mentions.setdefault(inside, []).extend(_mentions(document))
        implements += [
            (symbol.symbol, related.symbol)
            for symbol in document.symbols
            for related in symbol.relationships
            if related.is_implementation
        ]
    places.refuse_foreign()
    return Evidence(str(path), mentions=mentions, implements=implements)


def _parsed(path: Path) -> Index:
    try:
        from google.protobuf.message import DecodeError  # noqa: PLC0415 - an extra

        from hindsight_neo4j.evidence.scip_pb2 import Index  # noqa: PLC0415
    except ImportError as error:
        raise SettingsError(
            "reading a SCIP index needs protobuf", hint="pip install 'hindsight-neo4j[scip]'"
        ) from error
    index = Index()
    try:
        index.ParseFromString(path.read_bytes())
    except (DecodeError, OSError) as error:
        raise SourceError(
            f"{path} is no SCIP index, or is cut short", hint="make it again with the indexer"
        ) from error
    return index


def _base(project_root: str, root: Path) -> Path | None:
    """Return where the index was made if that is inside `root`: the indexer may have run on a part of it."""
    try:
        made = Path(unquote(urlsplit(project_root).path)).resolve()
        return made if project_root and made.is_relative_to(root.resolve()) else None
    except (OSError, ValueError):
        return None


def _mentions(document: Document) -> list[Mention]:
    return [
        Mention(
            occurrence.symbol,
            occurrence.range[0] + 1,
            occurrence.range[1],
            bool(occurrence.symbol_roles & _DEFINITION),
        )
        for occurrence in document.occurrences
        if len(occurrence.range) in (3, 4) and not occurrence.symbol.startswith(_LOCAL)
    ]
