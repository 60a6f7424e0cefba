"""What `ingest/defaults.toml` says about paths and content that are left out."""

from __future__ import annotations

import tomllib
from collections.abc import Set
from dataclasses import dataclass
from fnmatch import fnmatchcase

from hindsight_neo4j.resources import room


@dataclass(frozen=True, slots=True)
class OutputRule:
    """When a directory called `name` is a build output: what lies beside it and in it (globs), and what must not."""

    name: str
    beside: tuple[str, ...]
    holds: tuple[str, ...]
    unless: tuple[str, ...]

    def fits(self, siblings: Set[str], entries: Set[str]) -> bool:
        """Whether a directory with these entries, among these siblings, is an output."""
        if siblings.isdisjoint(self.beside) or not entries.isdisjoint(self.unless):
            return False
        return not self.holds or any(
            fnmatchcase(entry, glob) for glob in self.holds for entry in entries
        )


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules as read. Patterns are `.gitignore` patterns."""

    silent: tuple[str, ...]
    reported: tuple[str, ...]
    environments: frozenset[str]
    outputs: tuple[OutputRule, ...]
    minified_suffixes: tuple[str, ...]
    minified_line_bytes: int
    generated_lines: int
    generated_words: tuple[bytes, ...]

    @classmethod
    def load(cls) -> Rules:
        """Read the data room's rules."""
        with (room("ingest") / "defaults.toml").open("rb") as file:
            table = tomllib.load(file)
        return cls(
            silent=tuple(table["ignore"]["silent"]),
            reported=tuple(table["ignore"]["reported"]),
            environments=frozenset(table["environments"]["markers"]),
            outputs=tuple(
                OutputRule(
                    row["name"], tuple(row["beside"]), tuple(row["holds"]), tuple(row["unless"])
                )
                for row in table["outputs"]
            ),
            minified_suffixes=tuple(table["minified"]["suffixes"]),
            minified_line_bytes=table["minified"]["average_line_bytes"],
            generated_lines=table["generated"]["within_lines"],
            generated_words=tuple(word.encode() for word in table["generated"]["words"]),
        )
