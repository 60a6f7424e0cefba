"""Small projects written in the test, extracted and linked for real."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hindsight_neo4j.extract import extract
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.link import link
from hindsight_neo4j.model.graph import Graph

LinkFiles = Callable[[dict[str, str]], Graph]


@pytest.fixture(scope="session")
def languages() -> LanguageSet:
    return LanguageSet.load()


@pytest.fixture
def linked(languages: LanguageSet) -> LinkFiles:
    """Return a function from path -> source to the graph."""

    def run(files: dict[str, str]) -> Graph:
        facts = []
        for path, text in files.items():
            language = languages.of_path(path)
            assert language is not None
            facts.append(extract(text.encode(), path, language, digest=""))
        return link(facts, languages)

    return run
