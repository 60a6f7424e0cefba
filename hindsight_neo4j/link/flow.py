"""Values that others bring: arguments of calls, decorated functions, what is put into attributes from outside.

A parameter of which nothing says what it is can be what its callers hand over. Such a place is a *cell*. Cells start
empty; whoever reads one is answered with what it holds and remembered. Then, round by round, every cell that was asked
for takes in what the calls found so far bring, and only what rests on cells that grew is answered again: new answers
find new calls, and ask for new cells. All cells of a round are filled from the state before it, so no order matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from hindsight_neo4j.link.holders import mapping, positions, union
from hindsight_neo4j.link.project import SourceFile
from hindsight_neo4j.link.puts import LITERALS
from hindsight_neo4j.link.records import Cell, Entering, Entrance, Filling
from hindsight_neo4j.link.results import argument_at, decorated, texts
from hindsight_neo4j.link.values import (
    NOTHING,
    BoundMethod,
    Class,
    Container,
    Function,
    Instance,
    Lambda,
    Mapping,
    Module,
    Partial,
    Super,
    Tuple,
    Value,
    Values,
)
from hindsight_neo4j.model.facts import NONE, Expr
from hindsight_neo4j.model.numbers import (
    ATTRIBUTE,
    KEYWORD,
    REST,
    REST_KEYWORD,
    SPREAD,
)

if TYPE_CHECKING:
    from hindsight_neo4j.link.infer import Inference

MAX_ROUNDS: Final = 4
"""Rounds after which cells stay as they are."""

MAX_AGAIN: Final = 40_000
"""Answers sought again after which no further round begins: what a round costs must not grow with the project.

A round seeks about 2 % of a project's expressions again; django 5.1.4 (474k lines) gets two rounds.
"""

MAX_SITES: Final = 60
"""Most calls of one function whose arguments are looked at."""

MAX_HOLDERS: Final = 20
"""Most things of which one may be meant for what is put into its attribute to count."""

MAX_KINDS: Final = 24
"""Most classes and instances that may flow to one place: what takes more takes anything."""

MAX_PLACES: Final = 12
"""Most positions of a parameter that takes all further arguments."""


class Flow:
    """The cells of a project."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        self._fillings: dict[Cell, Filling] = {}
        self._owners: dict[tuple[int, str], int] = {}
        self._stale: dict[Cell, None] = {}
        self._cells_of: dict[int, list[Cell]] = {}
        self._entrances: dict[int, list[tuple[Entrance, int]]] = {}

    def close(self) -> None:
        """Forget all cells and calls."""
        self._fillings.clear()
        self._entrances.clear()

    def parameter(self, scope: int, place: int) -> Values:
        """Return what calls bring for the parameter at `place` of the function `scope`."""
        return self._read(Cell(scope, place))

    def texts(self, scope: int, place: int) -> Values:
        """Return the texts that calls spell out for the parameter at `place` of the function `scope`."""
        return self._read(Cell(scope, place, is_text=True))

    def kinds(self, method: int) -> Values:
        """Return the subclasses on which, or on whose instances, calls run the inherited `method`."""
        return self._below(method, self.parameter(method, 0))

    def attribute(self, scope: int, name: str) -> Values:
        """Return what is put from outside into the attribute `name` of the class `scope`."""
        if name not in self._inference.puts.elsewhere:
            return NOTHING
        return self._read(Cell(scope, 0, name))

    def _read(self, cell: Cell) -> Values:
        filling = self._fillings.get(cell)
        if filling is None:
            filling = self._fillings[cell] = Filling(NOTHING, {}, 0, [])
            self._stale[cell] = None
            self._cells_of.setdefault(cell.scope, []).append(cell)
        return self._inference.read_cell(cell, filling.values)

    # ------------------------------------------------------------------ calls

    def add_entrance(self, entrance: Entrance) -> None:
        """Take in a new way in which functions are called."""
        for scope, bound in entrance.entered:
            self._entrances.setdefault(scope, []).append((entrance, bound))

    def has_more(self, entrance: Entrance) -> None:
        """Note that calls were added to `entrance`."""
        for scope, _ in entrance.entered:
            for cell in self._cells_of.get(scope, ()):
                self._stale[cell] = None

    def settle(self, again: Callable[[Iterable[int]], None]) -> None:
        """Fill the cells round by round; `again` is told which calls to resolve anew."""
        inference = self._inference
        sought = 0
        for _ in range(MAX_ROUNDS):
            stale, self._stale = list(self._stale), {}
            grown: dict[Cell, Values] = {}
            for cell in stale:
                inference.begin(cell)
                new = self._grown(cell)
                if new is not None:
                    grown[cell] = new
            for cell, values in grown.items():
                self._fillings[cell].values = values
            readers = inference.forget(grown)
            self._stale.update((key, None) for key in readers if isinstance(key, Cell))
            again(key for key in readers if isinstance(key, int) and key < 0)
            sought += len(readers)
            if not self._stale or sought > MAX_AGAIN:
                return

    def _grown(self, cell: Cell) -> Values | None:
        """Return what `cell` holds now, None when that is what it held before.

        What takes more than a few classes takes anything: of such a cell only functions are told.
        """
        filling = self._fillings[cell]
        new = union((filling.values, self._brought(cell)))
        filling.is_wide |= sum(isinstance(value, _OF_CLASS) for value in new) > MAX_KINDS
        if filling.is_wide:
            new = tuple(value for value in new if not isinstance(value, _OF_CLASS))
        return None if new == filling.values else new

    # ------------------------------------------------------------------ what a cell gets

    def _brought(self, cell: Cell) -> Values:
        if cell.name:
            return self._stored(cell)
        parameter = self._inference.project.scopes[cell.scope].parameters[cell.place]
        if parameter.kind == REST:
            return self._rest(cell)
        if parameter.kind == REST_KEYWORD:
            return self._rest_keyword(cell)
        inference, filling = self._inference, self._fillings[cell]
        groups: list[Values] = []
        for site in self._new_sites(cell.scope, filling):
            mark = inference.mark()
            groups.append(self._of_site(cell, parameter.name, site))
            if inference.is_open(mark):
                filling.open.append(site)
        if cell.is_text:
            return union(groups)
        for entrance, bound in self._entrances.get(cell.scope, ()):
            if cell.place == bound:
                groups += [self._decorated(*one) for one in entrance.decorated]
            if cell.place >= bound:
                groups += [self._elements(*one) for one in entrance.walked[:MAX_SITES]]
        return union(groups)

    def _of_site(self, cell: Cell, name: str, site: Entering) -> Values:
        """Return what the call `site` brings for the parameter `name`, which is `cell`."""
        file, call, bound = site
        if cell.is_text:
            argument = argument_at(file, call, cell.place - bound, name)
            return texts(self._inference, file, argument)
        if cell.place == 0 and bound > 0:
            return self._receivers(file, call, cell.scope)
        return self._argument(file, call, cell.place - bound, name)

    def _receivers(self, file: SourceFile, call: Expr, method: int) -> Values:
        """Return what `call` runs `method` on: a class that inherits it, or an instance if it is a function from elsewhere."""
        callee = call.args[0]
        read = file.exprs[callee]
        on = self._inference.of(file, read.args[0] if read.op == ATTRIBUTE else callee)
        if self._inference.project.receiver_name(method):
            return self._below(method, on)
        return tuple(value for value in on if isinstance(value, Instance))

    def _below(self, method: int, values: Values) -> Values:
        """Return those classes of `values` that inherit `method`."""
        inference = self._inference
        owner = inference.stubs.symbol(inference.project.parent(method))
        below = inference.hierarchy.subclasses(owner)
        return tuple(dict.fromkeys(kind for kind in map(_kind, values) if kind.scope in below))

    def _decorated(self, scope: int, decorator: int) -> Values:
        """Return what `decorator` is called with: what those below it made of the definition `scope`."""
        level = self._inference.project.scopes[scope].decorators.index(decorator) + 1
        return decorated(self._inference, scope, level, 0)

    def _elements(self, file: SourceFile, index: int) -> Values:
        """Return the elements of what the call at `index`, or the method that it calls, walks over."""
        inference, call = self._inference, file.exprs[index]
        walked = (*file.exprs[call.args[0]].args, *call.args[1:])
        held = (inference.iterated(inference.of(file, each), file, 0) for each in walked)
        return _carried(union(held))

    def _new_sites(self, scope: int, filling: Filling) -> list[Entering]:
        """Return the calls of the function `scope` that bring something new."""
        found, filling.open = filling.open, []
        for number, (entrance, bound) in enumerate(self._entrances.get(scope, ())):
            taken = filling.taken.get(number, 0)
            new = entrance.sites[taken : taken + MAX_SITES - filling.count]
            if new:
                filling.taken[number] = taken + len(new)
                filling.count += len(new)
                found += [(file, file.exprs[index], bound) for file, index in new]
        return found

    def _sites(self, scope: int) -> list[Entering]:
        """Return the calls of the function `scope`."""
        found = [
            (file, file.exprs[index], bound)
            for entrance, bound in self._entrances.get(scope, ())
            for file, index in entrance.sites[:MAX_SITES]
        ]
        return found[:MAX_SITES]

    def _argument(self, file: SourceFile, call: Expr, place: int, name: str) -> Values:
        """Return what `call` hands over for the parameter at `place` or called `name`."""
        argument = argument_at(file, call, place, name)
        if argument != NONE:
            return self._handed(file, argument)
        positional = 0
        for argument in call.args[1:]:
            found = file.exprs[argument]
            if found.op == SPREAD:
                if found.text != "*":
                    break
                return self._spread(file, found.args[0], place - positional)
            if found.op != KEYWORD:
                positional += 1
        return NOTHING

    def _handed(self, file: SourceFile, argument: int) -> Values:
        if file.exprs[argument].op in LITERALS:
            return NOTHING
        return _carried(self._inference.of(file, argument))

    def _spread(self, file: SourceFile, argument: int, place: int) -> Values:
        """Return what stands at `place` of the tuple that is handed over by its elements."""
        groups = [
            _carried(value.items[place])
            for value in self._inference.of(file, argument)
            if isinstance(value, Tuple) and 0 <= place < len(value.items)
        ]
        return union(groups)

    def _rest(self, cell: Cell) -> Values:
        """Return what a parameter that takes all further arguments gets, by position."""
        columns: list[list[Values]] = []
        for file, call, bound in self._sites(cell.scope):
            for offset in range(MAX_PLACES):
                values = self._argument(file, call, cell.place - bound + offset, "")
                if values:
                    while len(columns) <= offset:
                        columns.append([])
                    columns[offset].append(values)
        return (positions(union(column) for column in columns),) if columns else NOTHING

    def _rest_keyword(self, cell: Cell) -> Values:
        named = {p.name for p in self._inference.project.scopes[cell.scope].parameters}
        groups: list[Values] = []
        for file, call, _ in self._sites(cell.scope):
            for argument in call.args[1:]:
                found = file.exprs[argument]
                if found.op == KEYWORD and found.text not in named:
                    groups.append(_carried(self._inference.of(file, found.args[0])))
        values = union(groups)
        return (mapping(values),) if values else NOTHING

    def _stored(self, cell: Cell) -> Values:
        inference = self._inference
        groups: list[Values] = []
        for put in inference.puts.elsewhere[cell.name][:MAX_SITES]:
            holders = inference.of(put.file, put.holder)
            if len(holders) <= MAX_HOLDERS and cell.scope in self._owning(holders, cell.name):
                groups.append(_carried(inference.put(put, 0)))
        return union(groups)

    def _owning(self, holders: Values, name: str) -> set[int]:
        """Return the classes whose attribute `name` it is that the `holders` have."""
        return {
            self._owner(value.scope, name)
            for value in holders
            if isinstance(value, (Instance, Class))
        }

    def _owner(self, scope: int, name: str) -> int:
        """Return the class on the line of the class `scope` whose attribute `name` is."""
        found = self._owners.get((scope, name))
        if found is None:
            inference = self._inference
            names, puts = inference.project.names, inference.puts.of_class
            line = inference.hierarchy.line(scope)
            owning = (one for one in line if name in names[one] or name in puts.get(one, ()))
            found = self._owners[scope, name] = next(owning, scope)
        return found


def _carried(values: Values) -> Values:
    """Return those of `values` that say something where they come in."""
    return tuple(value for value in values if isinstance(value, _CARRIED))


def _kind(value: Value) -> Class:
    """Return the class that `value` is or whose instance it is."""
    if isinstance(value, (Instance, Class)):
        return Class(value.scope, value.open)
    return Class(value.receiver, True) if isinstance(value, Super) else Class(NONE, False)


_OF_CLASS = (Instance, Class)
_CARRIED = (
    Instance,
    Class,
    Function,
    BoundMethod,
    Lambda,
    Partial,
    Module,
    Super,
    Container,
    Mapping,
    Tuple,
)
