"""What is put into attributes and containers, by where it lands.

    self.rules = []              into the attribute `rules` of the class around, by a method
    self.rules.append(rule)      the same, one container deep
    table["a"] = load            into what the name `table` holds
    app.rules = [rule]           into the attribute `rules` of something else: of what, only inference can say

All of it is read from the facts alone, once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hindsight_neo4j.link.holders import MAX_NESTING, NUMBERED
from hindsight_neo4j.link.project import ByOp, Project, SourceFile
from hindsight_neo4j.link.records import Put
from hindsight_neo4j.model.facts import NONE
from hindsight_neo4j.model.numbers import (
    ATTRIBUTE,
    CALL,
    CONSTANT,
    FORMAT,
    KEYWORD,
    NAME,
    NUMBER,
    SPREAD,
    STRING,
    SUBSCRIPT,
    VALUE,
)

INTO_CONTAINER: Final = "["
INTO_MAPPING: Final = "{"
"""Levels of a put. What follows the bracket of a mapping is the key, as `constant_key` has it."""


Attributes = Mapping[str, Sequence[Put]]


class Puts:
    """All puts of a project."""

    def __init__(self, project: Project, by_op: Sequence[ByOp]) -> None:
        self._project = project
        self.of_class: dict[int, dict[str, list[Put]]] = {}
        """By class and attribute, what its methods make of that of their receiver; constructors come first."""
        self.into_attribute: dict[str, dict[int, list[Put]]] = {}
        """By attribute and class, what its methods put into the containers that their receiver has there."""
        self.of_name: dict[int, dict[str, list[Put]]] = {}
        """By scope and name, what is put into the containers that the name holds."""
        self.of_receiver: dict[int, list[Put]] = {}
        """By class, what its methods put into their receiver, which is a container itself."""
        self.elsewhere: dict[str, list[Put]] = {}
        """By attribute, what is put into that of something other than a receiver."""
        self._late: list[tuple[int, str, Put]] = []
        for file, ops in zip(project.files, by_op, strict=True):
            self._add_stores(file)
            self._add_calls(file, ops[CALL])
        for scope, name, put in self._late:
            self.of_class.setdefault(scope, {}).setdefault(name, []).append(put)
        self._late.clear()

    def close(self) -> None:
        """Forget all puts."""
        self.of_class.clear()
        self.of_name.clear()
        self.of_receiver.clear()
        self.elsewhere.clear()

    def into(self, scope: int, name: str) -> Sequence[Put]:
        """Return what is put into the containers that the name `name` of `scope` holds."""
        found = self.of_name.get(scope)
        return found.get(name, ()) if found else ()

    def _add_stores(self, file: SourceFile) -> None:
        for number, scope in enumerate(file.scopes):
            for store in scope.stores:
                self._add(
                    file,
                    file.first_scope + number,
                    store.target,
                    store.value,
                    store.type,
                    (),
                    False,
                )

    def _add_calls(self, file: SourceFile, calls: list[int]) -> None:
        exprs, rules = file.exprs, file.rules
        known = rules.adding_methods | rules.merging_methods | rules.default_methods
        for index in calls:
            call = exprs[index]
            callee = exprs[call.args[0]]
            if callee.text not in known or callee.op != ATTRIBUTE or len(call.args) < 2:
                continue
            value = call.args[-1]
            if exprs[value].op in _INDIRECT:
                continue
            scope = file.first_scope + call.scope
            levels: tuple[str, ...]
            if callee.text in rules.default_methods:
                if len(call.args) != 3:
                    continue
                key = constant_key(self._project, file, call.args[1], scope)
                levels, is_merged = (INTO_MAPPING + key,), False
            elif callee.text in rules.merging_methods:
                levels, is_merged = (), True
            else:
                levels, is_merged = (INTO_CONTAINER,), False
            self._add(file, scope, callee.args[0], value, NONE, levels, is_merged)

    def _add(
        self,
        file: SourceFile,
        scope: int,
        target: int,
        value: int,
        type_: int,
        levels: tuple[str, ...],
        is_merged: bool,
    ) -> None:
        exprs, rules = file.exprs, file.rules
        place = exprs[target]
        line = place.line
        while place.op not in _PLACES:
            key = NONE
            if place.op == SUBSCRIPT:
                target, key = place.args[0], place.args[-1]
            elif place.op == CALL and exprs[place.args[0]].text in rules.element_methods:
                target = exprs[place.args[0]].args[0] if exprs[place.args[0]].args else NONE
                key = place.args[1] if len(place.args) > 1 else NONE
            else:
                return
            if target == NONE or len(levels) >= MAX_NESTING:
                return
            levels = (INTO_MAPPING + constant_key(self._project, file, key, scope), *levels)
            place = exprs[target]
        if place.op == NAME:
            if levels or is_merged:
                around, _ = self._project.look_up(scope, place.text)
                put = Put(file, scope, line, NONE, value, type_, levels, is_merged)
                self.of_name.setdefault(around, {}).setdefault(place.text, []).append(put)
                if self._project.receiver_name(around) == place.text:
                    self.of_receiver.setdefault(self._project.parent(around), []).append(put)
            return
        holder = place.args[0]
        method = self._project.receiving(file, holder)
        if method == NONE:
            if value == NONE or exprs[value].op in LITERALS:
                return
            put = Put(file, scope, line, holder, value, type_, levels, is_merged)
            self.elsewhere.setdefault(place.text, []).append(put)
            return
        owner = self._project.parent(method)
        put = Put(file, scope, line, NONE, value, type_, levels, is_merged)
        if put.is_inside:
            self.into_attribute.setdefault(place.text, {}).setdefault(owner, []).append(put)
        elif self._project.scopes[method].name in rules.constructors:
            self.of_class.setdefault(owner, {}).setdefault(place.text, []).append(put)
        else:
            self._late.append((owner, place.text, put))


def constant_key(project: Project, file: SourceFile, expr: int, scope: int) -> str:
    """Return the key that the expression `expr` is wherever it runs, "" when that is not spelled out.

    Keys of different types are different, and a name is followed to the one value that it has.
    """
    for _ in range(MAX_NAMES):
        if expr == NONE:
            break
        found = file.exprs[expr]
        if found.op in _KEYS:
            return _KEYS[found.op] + found.text
        if found.op != NAME:
            break
        scope, bindings = project.look_up(scope, found.text)
        if len(bindings) != 1 or bindings[0].kind != VALUE:
            break
        file, expr = project.file_of[scope], bindings[0].value
    return ""


MAX_NAMES: Final = 4
"""Names of names that are followed to a key."""

_KEYS = {STRING: "'", NUMBER: NUMBERED}

LITERALS: Final = frozenset({STRING, NUMBER, CONSTANT, FORMAT})
"""Expressions that are nothing of the project."""

_PLACES = frozenset({NAME, ATTRIBUTE})
_INDIRECT = frozenset({KEYWORD, SPREAD})
