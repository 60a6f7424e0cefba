"""Why a path is not read, and the option that would admit it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from hindsight_neo4j.model.report import Skipped


class SkipReason(StrEnum):
    """The closed list of reasons in an ingest report."""

    SIZE = "size"
    LINE_LENGTH = "line length"
    BINARY = "binary"
    ENCODING = "encoding"
    MINIFIED = "minified"
    GENERATED = "generated"
    LINK = "symbolic link"
    SPECIAL = "no regular file"
    UNREADABLE = "unreadable"
    FILE_NAME = "file name"
    DEFAULT = "ignored by default"
    OUTPUT = "build output"
    ENVIRONMENT = "installed environment"
    TIME = "time"
    CRASH = "crash"


_READMIT: Final = "!{path} in .hindsightignore"

_FLAGS: Final = {
    SkipReason.SIZE: "--max-file-bytes",
    SkipReason.LINE_LENGTH: "--max-line-bytes",
    SkipReason.MINIFIED: "--include-minified",
    SkipReason.GENERATED: "--include-generated",
    SkipReason.TIME: "--max-file-seconds",
    SkipReason.DEFAULT: _READMIT,
    SkipReason.OUTPUT: _READMIT,
    SkipReason.ENVIRONMENT: _READMIT,
}


def skipped(path: str, reason: SkipReason) -> Skipped:
    """Return the record that `path` was not read; bytes of the name that are no UTF-8 are shown escaped."""
    shown = path.encode("utf-8", "backslashreplace").decode("utf-8")
    return Skipped(shown, reason.value, _FLAGS.get(reason, "").format(path=shown))
