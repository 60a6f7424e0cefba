"""Tests by the names that runners give them."""

from __future__ import annotations

from hindsight_neo4j.link.infer import Inference
from hindsight_neo4j.model.facts import NONE
from hindsight_neo4j.model.numbers import CLASS


class TestNames:
    """Finds the test that a recorded run means.

    tests/test_web.py::TestWeb::test_get[case]|run     pytest's way
    tests.test_web.TestWeb.test_get                    a module's name, or the end of one, and a qualified name
    """

    __test__ = False  # no test itself, whatever its name

    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        project = self._project = inference.project
        self._found: dict[str, int] = {}
        self._scopes: dict[tuple[str, str], int] = {}
        self._modules: dict[str, list[tuple[str, int]]] = {}
        for number, scope in enumerate(project.scopes):
            file = project.file_of[number]
            if not file.is_test:
                continue
            if scope.kind == CLASS or inference.fixtures.is_test(number):
                self._scopes[file.path, scope.qualname] = number
                module = file.path.rpartition(".")[0].replace("/", ".")
                self._modules.setdefault(scope.qualname, []).append((module, number))

    def find(self, name: str) -> int:
        """Return the test called `name`, NONE where there is none or several could be meant."""
        found = self._found.get(name)
        if found is None:
            bare = name.partition("|")[0].partition("[")[0]
            path, sep, rest = bare.partition("::")
            found = self._in_file(path, rest.split("::")) if sep else self._dotted(bare.split("."))
            self._found[name] = found
        return found

    def _in_file(self, path: str, names: list[str]) -> int:
        """Return the test `names` of a file; it may be inherited from a class of another one."""
        found = self._scopes.get((path, ".".join(names)), NONE)
        if found == NONE and len(names) > 1:
            around = self._scopes.get((path, ".".join(names[:-1])), NONE)
            if around != NONE and self._project.scopes[around].kind == CLASS:
                return self._inference.hierarchy.first_method(around, names[-1])
        return found

    def _dotted(self, parts: list[str]) -> int:
        for cut in range(1, len(parts)):
            module, qualname = ".".join(parts[:cut]), ".".join(parts[cut:])
            fits = [
                number
                for known, number in self._modules.get(qualname, ())
                if known == module or known.endswith(f".{module}")
            ]
            if len(fits) == 1:
                return fits[0]
        return NONE
