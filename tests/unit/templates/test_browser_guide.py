"""The guide for Neo4j Browser holds every template a person may want, as HTML and as nothing else."""

from __future__ import annotations

from html.parser import HTMLParser

from hindsight_neo4j import Hindsight
from hindsight_neo4j.templates.saved_queries import ROOMS


class Queries(HTMLParser):
    """Collects what stands in each `pre`, and checks that what is opened is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        if tag == "pre":
            self.found.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "pre":
            self.found[-1] += data


def test_every_template_is_in_it_with_its_parameters() -> None:
    page = Queries()
    page.feed(Hindsight.browser_guide())
    assert page.open == []
    wanted = [one for one in Hindsight.templates() if one.name.partition("/")[0] in ROOMS]
    for template in wanted:
        (query,) = [one for one in page.found if template.text.strip() in one]
        for param in template.params:
            assert (f":param {param.name} => " in query) == (param.name != "snapshot")
    assert len(page.found) == len(wanted) + 2
