"""The words of a language that linking has to know: the `[link]` table of `ingest/languages/<name>.toml`.

`link/` asks these sets and holds no such word itself. Names are compared as they are written last in the source:
`functools.partial` and an imported `partial` are both the word "partial".
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Protocol


class Words(Protocol):
    """A TOML table that gives lists of strings and counts what was taken."""

    def words(self, key: str) -> tuple[str, ...]:
        """Return the list under `key`."""

    def end(self) -> None:
        """Refuse keys that nobody took."""


@dataclass(frozen=True, slots=True)
class LinkRules:
    """Words by the role they play in resolving names; each set may be empty."""

    # Modules
    source_roots: frozenset[str]
    """Names of directories that hold top-level packages and are no part of their names."""
    standard_modules: frozenset[str]
    """Top-level modules that come with the language."""
    builtins: frozenset[str]
    """Names that mean something in every file."""

    # Classes
    constructors: tuple[str, ...]
    """Methods that run when a class is called: of each name the first on its line."""
    call_methods: tuple[str, ...]
    """Methods that run when an instance is called."""
    enter_methods: tuple[str, ...]
    """Methods whose result a context manager hands over."""
    exit_methods: tuple[str, ...]
    """Methods that run when a context is left."""
    iterate_methods: tuple[str, ...]
    """Methods that give the elements of an instance."""
    next_methods: tuple[str, ...]
    """Methods that give the next element of an iterator."""
    item_methods: tuple[str, ...]
    """Methods behind reading an element."""
    item_setters: tuple[str, ...]
    """Methods behind giving an element a value."""
    descriptor_methods: tuple[str, ...]
    """Methods of a class that run when an attribute that holds an instance of it is read."""
    descriptor_setters: tuple[str, ...]
    """Methods of such a class that run when the attribute is set."""
    fallback_methods: tuple[str, ...]
    """Methods that are asked for an attribute that nothing else gives, by its name."""
    class_attributes: frozenset[str]
    """Attributes of an instance that hold its class."""
    property_endings: tuple[str, ...]
    """Ends of the names of decorators that make a method read like an attribute."""
    property_functions: frozenset[str]
    """Functions that make such an attribute, called by name, of functions."""
    property_arguments: tuple[str, ...]
    """What those functions are called there, in order: the one that reads, the one that sets."""
    setter_decorators: frozenset[str]
    """Last names of decorators whose function runs when a property is set."""
    accessor_decorators: frozenset[str]
    """Last names of the decorators that add to a property: what they decorate is no method of its own."""
    static_decorators: frozenset[str]
    """Decorators of methods without a receiver."""
    class_decorators: frozenset[str]
    """Decorators of methods whose receiver is the class."""
    class_methods: frozenset[str]
    """Methods whose receiver is the class although nothing says so."""
    dispatch_decorators: frozenset[str]
    """Decorators of functions that hand on to another one by the type of their argument."""
    dispatch_registers: frozenset[str]
    """Attributes of such a function that decorate what it hands on to."""
    overload_decorators: frozenset[str]
    """Decorators of signatures that never run."""
    abstract_decorators: frozenset[str]
    """Decorators of methods that subclasses must define."""
    abstract_errors: frozenset[str]
    """Errors whose raising is the whole body of a method that subclasses must define."""

    # Annotations
    open_types: frozenset[str]
    """Types that say nothing."""
    self_types: frozenset[str]
    """Types that stand for the class they are written in."""
    union_types: frozenset[str]
    """Types of which one argument is meant."""
    class_types: frozenset[str]
    """Types of classes: the argument's class itself is meant."""
    wrapper_types: frozenset[str]
    """Types that only say more about their first argument."""
    callable_types: frozenset[str]
    tuple_types: frozenset[str]
    mapping_types: frozenset[str]
    literal_types: frozenset[str]
    type_variables: frozenset[str]
    """Functions that make a type variable."""

    # Calls
    super_functions: frozenset[str]
    cast_functions: frozenset[str]
    """Functions that return their second argument as the type that is their first."""
    attribute_functions: frozenset[str]
    """Functions that read the attribute named by their second argument."""
    import_functions: frozenset[str]
    """Functions that import the module named by their first argument."""
    class_checks: frozenset[str]
    """Functions that say whether their first argument is an instance of the class, or of a class of the tuple, that follows."""
    subclass_checks: frozenset[str]
    """Functions that say whether their first argument is the class, or one of the tuple, that follows, or a subclass of it."""
    class_functions: frozenset[str]
    """Functions that return their argument's class."""
    same_functions: frozenset[str]
    """Functions whose result can stand for their first argument."""
    partial_functions: frozenset[str]
    """Functions whose result, called, calls their first argument with the others before those of the call."""
    partial_methods: frozenset[str]
    """The same for a method, whose receiver comes before them."""
    gathering_functions: frozenset[str]
    """Functions that make a container of what their arguments hold."""
    flattening_functions: frozenset[str]
    """Functions that make a container of what the containers that their first argument holds hold."""
    choosing_functions: frozenset[str]
    """Functions that make a container of what their second argument holds, or of some of it."""
    applying_functions: frozenset[str]
    """Functions that make a container of what their first argument, called, gives."""
    element_functions: frozenset[str]
    """Functions that return an element of their first argument."""
    numbering_functions: frozenset[str]
    """Functions that pair each element of their argument with a number."""
    parallel_functions: frozenset[str]
    """Functions that walk their arguments side by side."""
    mapping_functions: frozenset[str]
    """Functions that make a mapping of their keyword arguments, and of pairs."""
    element_methods: frozenset[str]
    """Methods of containers that return an element."""
    joining_operators: frozenset[str]
    """Operators between containers whose result holds what either side holds."""
    same_methods: frozenset[str]
    """Methods of containers whose result holds the same elements."""
    values_methods: frozenset[str]
    """Methods of mappings that give their values."""
    items_methods: frozenset[str]
    """Methods of mappings that give pairs of key and value."""
    adding_methods: frozenset[str]
    """Methods of containers that take their last argument in as an element."""
    default_methods: frozenset[str]
    """Methods of mappings that take their second argument in as a value."""
    merging_methods: frozenset[str]
    """Methods of containers that take in what their argument holds."""
    builtin_methods: frozenset[str]
    """Methods of built-in types: such a name alone never finds a method of the project."""
    running: frozenset[str]
    """Built-in functions that run a method of their argument: "len:__len__"."""
    in_place: frozenset[str]
    """Arguments that a function calls at once: "map:0" is its first argument, "sorted:key" the one called `key`."""
    handing_on: frozenset[str]
    """Functions that call an argument with what follows it: "submit:0" calls its first, now or later."""

    # Tests
    fixture_decorators: frozenset[str]
    """Last names of decorators that make a function a fixture."""
    fixture_files: frozenset[str]
    """Files whose fixtures serve their whole directory."""
    fixture_requests: frozenset[str]
    """Last names of decorators that name the fixtures of what they decorate."""
    fixture_marks: frozenset[str]
    """Names that give a class's or file's tests what decorators would give each of them."""
    fixture_automatic: frozenset[str]
    """Keywords of a fixture's decorator that make it run without being asked for."""
    true_words: frozenset[str]
    """How "yes" is written."""
    setup_functions: frozenset[str]
    """Functions of a class or file that a runner calls around each test."""

    @property
    def never_called(self) -> frozenset[str]:
        """Decorators of definitions that a call of their name does not reach."""
        return self.overload_decorators | self.accessor_decorators


def read_link_rules(table: Words) -> LinkRules:
    """Return the rules that `table` spells out.

    Raises:
        LanguageError: A key is missing, unknown or of the wrong type.
    """
    read: dict[str, Any] = {}
    for field in fields(LinkRules):
        words = table.words(field.name)
        read[field.name] = words if str(field.type).startswith("tuple") else frozenset(words)
    table.end()
    return LinkRules(**read)
