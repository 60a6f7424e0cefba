"""IMPORTS edges: from a file to the files it needs, and to the classes and functions that it binds.

import a.b              a/b.py and the package file above it, a/__init__.py
from a import b         a/b.py if that is a module; else a's file, and the symbol b where it is defined. A module that
                        a's file calls b is no symbol of it: who asks for it by that name needs a's file
from a import *         a's file
import requests         ext:requests
"""

from __future__ import annotations

from hindsight_neo4j.link.edges import EdgeTable
from hindsight_neo4j.link.infer import Inference
from hindsight_neo4j.link.members import STAR, as_values
from hindsight_neo4j.link.modules import Place
from hindsight_neo4j.link.project import SourceFile
from hindsight_neo4j.link.results import unwrapped
from hindsight_neo4j.link.values import Class, Function, Module
from hindsight_neo4j.model.facts import Import
from hindsight_neo4j.model.graph import EdgeKind, How


class Imports:
    """Turns import statements of one project into edges."""

    def __init__(self, inference: Inference, edges: EdgeTable) -> None:
        self._inference = inference
        self._imports = edges.of_kind(EdgeKind.IMPORTS)

    def add_file(self, file: SourceFile) -> None:
        """Add the edges of every import of `file`."""
        for statement in file.imports:
            places = self._inference.members.places(file, statement)
            if not places:
                self._add_external(file, statement)
            elif not statement.name:
                for place in places + self._inference.members.parents(file, statement):
                    self._add_place(file, place, statement)
            else:
                for place in places:
                    self._add_name(file, place, statement)

    def _add_external(self, file: SourceFile, statement: Import) -> None:
        if statement.level or not statement.module:
            return
        self._add(file, f"ext:{statement.module}", statement.line, How.IMPORT)
        if statement.name and statement.name != STAR:
            name = f"ext:{statement.module}.{statement.name}"
            self._add(file, name, statement.line, How.IMPORT)

    def _add_name(self, file: SourceFile, place: Place, statement: Import) -> None:
        if statement.name == STAR:
            self._add_place(file, place, statement)
            return
        members = self._inference.members
        values = members.member(place, statement.name, 0)
        inside = as_values(members.submodule(place, statement.name))
        if not values or values != inside:
            self._add_place(file, place, statement)
        for value in map(unwrapped, values):
            if isinstance(value, (Class, Function)):
                self._add(file, value.scope, statement.line, _how(file, statement))
            elif isinstance(value, Module) and value in inside:
                self._add_place(file, self._inference.project.files[value.file], statement)

    def _add_place(self, file: SourceFile, place: Place, statement: Import) -> None:
        if isinstance(place, SourceFile) and place is not file:
            self._add(file, place.first_scope, statement.line, _how(file, statement))

    def _add(self, file: SourceFile, dst: int | str, line: int, how: How) -> None:
        self._imports.add(file.first_scope, dst, line, how)


def _how(file: SourceFile, statement: Import) -> How:
    """Return how a project's name comes in: what a package file takes at its top level, it passes on."""
    passes_on = file.is_package and statement.scope == 0 and bool(statement.name)
    return How.REEXPORT if passes_on else How.IMPORT
