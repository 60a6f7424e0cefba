r"""Vectors of chunks in one file, searched by comparing all of them: numpy, no index of its own.

    {"model": "…", "dimensions": 384}\n      then a row for each chunk: digest of its id, of its symbol, its values

Exact search reads every value once: 40,000 chunks of 384 dimensions (django) take 30 ms of processor and 32 MB, a
million would take 0.8 s and 0.8 GB. An approximate index would have to be built with each snapshot, would find most of
the nearest instead of all, and would rank otherwise than a server does; it is worth that from some millions on.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt

from hindsight_neo4j.model.chunk import Document, Vector
from hindsight_neo4j.stores.values import short_name

FILE_NAME: Final = "vectors"

_ROWS_AT_ONCE: Final = 8_192
"""Rows that are made single precision at once: 13 MB of 384 dimensions."""


class VectorWriter:
    """Writes the vectors of documents into a new file; none where no document has one."""

    def __init__(self, file: Path) -> None:
        self._path = file
        self._file: BinaryIO | None = None

    def add(self, document: Document) -> None:
        """Append the vector of a document that has one."""
        if document.vector is None:
            return
        if self._file is None:
            self._file = self._path.open("wb")
            self._file.write(_head(document.vector))
        chunk = document.chunk
        names = bytes.fromhex(short_name(chunk.id) + short_name(chunk.symbol))
        self._file.write(names + document.vector.values)

    def close(self) -> None:
        """Have everything on its way to the disk."""
        if self._file is not None:
            self._file.close()


@dataclass(frozen=True, slots=True)
class Near:
    """A row that is near: the digests of its chunk and symbol (`values.short_name`), and the cosine."""

    chunk: str
    symbol: str
    cosine: float


class Vectors:
    """The vectors of a file that `VectorWriter` wrote. The system keeps in memory what is read of it."""

    def __init__(self, file: Path) -> None:
        with file.open("rb") as opened:
            said = json.loads(opened.readline(4_096))
            start = opened.tell()
        self.model = str(said["model"])
        self.dimensions = int(said["dimensions"])
        name = ("u1", 16)
        row = np.dtype([("chunk", *name), ("symbol", *name), ("values", "<f2", self.dimensions)])
        self._rows: npt.NDArray[Any] = np.memmap(file, row, "r", start)

    def nearest(self, vector: Vector, most: int) -> list[Near]:
        """Return the rows nearest to `vector`, best first."""
        cosines = self._cosines(vector)
        first = np.argsort(-cosines, kind="stable")[:most]
        rows = self._rows[first]
        return [
            Near(chunk.tobytes().hex(), symbol.tobytes().hex(), cosine)
            for chunk, symbol, cosine in zip(
                rows["chunk"], rows["symbol"], cosines[first].tolist(), strict=True
            )
        ]

    def _cosines(self, vector: Vector) -> npt.NDArray[np.float32]:
        wanted = np.frombuffer(vector.values, "<f2").astype(np.float32)
        wanted /= np.linalg.norm(wanted)
        cosines = np.empty(len(self._rows), np.float32)
        for start in range(0, len(cosines), _ROWS_AT_ONCE):
            rows = self._rows["values"][start : start + _ROWS_AT_ONCE].astype(np.float32)
            cosines[start : start + len(rows)] = rows @ wanted / np.linalg.norm(rows, axis=1)
        return cosines


def _head(vector: Vector) -> bytes:
    said = {"model": vector.model, "dimensions": len(vector.values) // 2}
    return json.dumps(said).encode() + b"\n"
