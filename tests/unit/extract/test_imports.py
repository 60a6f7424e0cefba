"""What a file brings in, and what it says it gives out."""

import pytest
from facts_text import bindings, facts_of

from hindsight_neo4j.model.facts import Import


def test_every_form_of_import():
    facts = facts_of(
        "import a.b\n"
        "import a.b as c, d\n"
        "from ..p import q as r\n"
        "from . import (s,\n"
        "    t)\n"
        "from .x.y import z\n"
        "from m import *\n"
        "from ... import u\n"
        "from __future__ import annotations\n"
    )
    assert facts.imports == (
        Import("a.b", 0, "", "", 0, 1, 7),
        Import("a.b", 0, "", "c", 0, 2, 7),
        Import("d", 0, "", "", 0, 2, 17),
        Import("p", 2, "q", "r", 0, 3, 16),
        Import("", 1, "s", "", 0, 4, 15),
        Import("", 1, "t", "", 0, 5, 4),
        Import("x.y", 1, "z", "", 0, 6, 17),
        Import("m", 0, "*", "", 0, 7, 14),
        Import("", 3, "u", "", 0, 8, 16),
        Import("__future__", 0, "annotations", "", 0, 9, 23),
    )
    assert [binding.split(":")[0] for binding in bindings(facts)] == [
        f"import {name}" for name in ("a", "c", "d", "r", "s", "t", "z", "u", "annotations")
    ]


def test_imports_are_found_wherever_they_stand():
    facts = facts_of(
        "try:\n"
        "    from . import fast as impl\n"
        "except ImportError:\n"
        "    impl = None\n"
        "if TYPE_CHECKING:\n"
        "    from x import T\n"
        "class A:\n"
        "    import c\n"
        "    def f(self):\n"
        "        import d\n"
    )
    assert [(i.module or i.name, i.scope) for i in facts.imports] == [
        ("fast", 0),
        ("x", 0),
        ("c", 1),
        ("d", 2),
    ]
    assert bindings(facts)[:2] == ["import impl: ./fast", "impl = None"]


def test_what_python_cannot_import_binds_nothing():
    assert bindings(facts_of("from a import b.c, d\n")) == ["import d: a/d"]


def test_an_import_binds_on_the_line_that_spells_the_name():
    (binding,) = facts_of("from a import (\n    b as\n    c\n)\n").scopes[0].bindings
    assert (binding.name, binding.line) == ("c", 3)


@pytest.mark.parametrize(
    ("source", "exports"),
    [
        ("x = 1", None),
        ("__all__ = ['a', 'b', 'a']", ("a", "b")),
        ("__all__ = ('a',)", ("a",)),
        ("__all__: list[str] = []", ()),
        ("__all__ = ['a']\n__all__ += ['b']\n__all__ += ('c',)", ("a", "b", "c")),
        ("__all__ = ['a'] + ['b']", ("a", "b")),
        ("__all__ = ['a']\n__all__.append('b')\n__all__.extend(['c', 'd'])", ("a", "b", "c", "d")),
        ("if x:\n    __all__ = ['a']\nelse:\n    __all__ = ['b']", ("b",)),
        ("__all__ = names()", None),
        ("__all__ = ['a', *other]", None),
        ("__all__ = ['a']\n__all__ += other.__all__", None),
        ("from m import __all__", None),
        ("def f():\n    __all__ = ['a']", None),
    ],
)
def test_exports(source, exports):
    assert facts_of(source).exports == exports
