"""Settings as frozen values, made once at the edge and passed down. Defaults come from `ingest/defaults.toml`."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from hindsight_neo4j.errors import SettingsError
from hindsight_neo4j.model.exchange import OPENAI, ModelOptions, Shaping
from hindsight_neo4j.resources import room


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """How a repository is read. Make one with `load`, which fills in the defaults.

    Attributes:
        workers: Processes that extract; 1 works in this process. 0: one per core.
        lock_seconds: How long to wait for another process that writes the same index.
        max_file_bytes: Longer files are skipped; 0 lifts the cap, as it does for the next three.
        max_line_bytes: Files with a longer line are skipped.
        max_nesting: Values that stand deeper than so many blocks and brackets are not followed.
        max_file_seconds: Work on a file ends after so long, and the file is skipped.
        include_minified: Read minified files.
        include_generated: Read files whose first lines say that they are generated and not to be edited.
        chunk_lines: Most lines of a chunk.
        chunk_bytes: Most bytes of a chunk, unless one line has more.
        batch_bytes: Source handed to a worker at once.
        pool_bytes: Below so much source no worker processes are started.
        commit_files: Files between two commits of the facts.
    """

    workers: int
    lock_seconds: float
    max_file_bytes: int
    max_line_bytes: int
    max_nesting: int
    max_file_seconds: float
    include_minified: bool
    include_generated: bool
    chunk_lines: int
    chunk_bytes: int
    batch_bytes: int
    pool_bytes: int
    commit_files: int

    @classmethod
    def load(cls, **overrides: Any) -> IngestOptions:
        """Return the defaults with `overrides` in place of them; None keeps a default.

        Raises:
            SettingsError: A name is unknown or a value impossible.
        """
        values = {**_ingest_defaults(), **{k: v for k, v in overrides.items() if v is not None}}
        known = {field.name for field in fields(cls)}
        unknown = sorted(set(values) - known)
        if unknown:
            raise SettingsError(
                f"unknown ingest setting {unknown[0]!r}", hint=f"known: {', '.join(sorted(known))}"
            )
        for name, value in values.items():
            _check(name, value)
        return cls(**values)

    @property
    def worker_count(self) -> int:
        """Processes to use, with 0 resolved to the cores this process may use."""
        if self.workers:
            return self.workers
        affinity = getattr(os, "sched_getaffinity", None)
        return len(affinity(0)) if affinity else os.cpu_count() or 1

    def result_key(self) -> str:
        """Return the options that change what is extracted, as text to compare."""
        left_out = {"workers", "lock_seconds", "batch_bytes", "pool_bytes", "commit_files"}
        return repr(sorted((k, v) for k, v in asdict(self).items() if k not in left_out))


_MAY_BE_ZERO = {
    "workers",
    "lock_seconds",
    "max_file_bytes",
    "max_line_bytes",
    "max_nesting",
    "max_file_seconds",
    "pool_bytes",
}


def _check(name: str, value: Any) -> None:
    if isinstance(value, bool):
        return
    if not isinstance(value, int | float) or value < 0 or (not value and name not in _MAY_BE_ZERO):
        least = "0 or more" if name in _MAY_BE_ZERO else "more than 0"
        raise SettingsError(f"{name} is {value!r}", hint=f"give a number, {least}")


def _ingest_defaults() -> dict[str, Any]:
    with (room("ingest") / "defaults.toml").open("rb") as file:
        table = tomllib.load(file)
    return {
        "workers": 0,
        "include_minified": False,
        "include_generated": False,
        **table["caps"],
        **{f"chunk_{name.removeprefix('max_')}": value for name, value in table["chunks"].items()},
        **table["work"],
    }


MODEL_READERS: Final[dict[str, Callable[[str], Any]]] = {
    "temperature": float,
    "seed": lambda text: None if text == "none" else int(text),
    "timeout_s": float,
    "max_output_tokens": int,
    "context_tokens": int,
    "retries": int,
    "shaping": Shaping,
    "price_in": float,
    "price_out": float,
}
"""The settings of a model besides its name, address and key, and how each is read."""


def model_options(given: Mapping[str, object]) -> ModelOptions | None:
    """Return the model that settings name; None where they name none, and then nothing is ever sent.

    Args:
        given: Values by field of `ModelOptions`, `url` for its address; None where one is not set.

    Raises:
        SettingsError: A value is not what its setting can be.
    """
    name, url = given.get("name"), str(given.get("url") or OPENAI)
    if not name:
        return None
    if not url.startswith(("http://", "https://")):
        raise SettingsError(
            f"{url!r:.80} is no address of a model", hint="such as http://host:8080/v1"
        )
    more = {
        field: _model_value(field, str(given[field]), read)
        for field, read in MODEL_READERS.items()
        if given.get(field) is not None
    }
    return ModelOptions(
        name=str(name), base_url=url, api_key=str(given.get("api_key") or ""), **more
    )


def _model_value(field: str, text: str, read: Callable[[str], Any]) -> Any:
    try:
        value = read(text)
    except ValueError:
        value = -1
    if isinstance(value, int | float) and not 0 <= value < float("inf"):
        expected = (
            f"one of {', '.join(Shaping)}" if field == "shaping" else "give a number, 0 or more"
        )
        raise SettingsError(f"model.{field} is {text!r:.40}", hint=expected)
    return value
