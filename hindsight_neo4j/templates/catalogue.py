"""The catalogue: every checked template of the data room `cypher/`.

Catalogue.load(room("cypher")).get("callers")
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from hindsight_neo4j.errors import TemplateError
from hindsight_neo4j.model.template import Template
from hindsight_neo4j.templates.header import parse

UNLISTED: Final = ("schema", "write")
"""Folders of statements that change a store; each store runs its own, nobody else."""

_NEAR = 5


class Catalogue:
    """Templates by name, such as "lookup/callers", or by the last part of it where no other has the same."""

    def __init__(self, templates: Iterable[Template]) -> None:
        self._by_name = {
            template.name: template for template in sorted(templates, key=lambda one: one.name)
        }
        self._by_last_part: dict[str, list[str]] = {}
        for name in self._by_name:
            self._by_last_part.setdefault(name.rpartition("/")[2], []).append(name)

    @classmethod
    def load(cls, room: Path) -> Catalogue:
        """Read and check every template below `room`.

        Raises:
            TemplateError: A file's head and body differ, or it cannot be read; says the file and the line.
        """
        files = sorted(room.rglob("*.cypher"))
        return cls(
            _read(file, room) for file in files if file.relative_to(room).parts[0] not in UNLISTED
        )

    def __iter__(self) -> Iterator[Template]:
        """Go through the templates by name."""
        return iter(self._by_name.values())

    def __len__(self) -> int:
        """Return how many templates there are."""
        return len(self._by_name)

    def get(self, name: str) -> Template:
        """Return the template called `name`.

        Raises:
            TemplateError: None or several are; names those that come near.
        """
        if template := self._by_name.get(name):
            return template
        names = self._by_last_part.get(name, [])
        if len(names) == 1:
            return self._by_name[names[0]]
        if names:
            raise TemplateError(
                f"{len(names)} templates are called {name}", hint=f"say which: {', '.join(names)}"
            )
        raise TemplateError(f"there is no template {name[:80]!r}", hint=self._hint(name))

    def _hint(self, name: str) -> str:
        known = [*self._by_name, *self._by_last_part]
        near = difflib.get_close_matches(name[:80], known, _NEAR)
        return f"near it: {', '.join(near)}" if near else "`hindsight templates` lists them"


def _read(file: Path, room: Path) -> Template:
    source = file.relative_to(room).as_posix()
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TemplateError(f"{source}: cannot be read ({error})") from error
    return parse(text, name=source.removesuffix(".cypher"), source=source)
