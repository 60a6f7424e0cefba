"""The templates as a guide for Neo4j Browser: a page that `:play` opens, with a slide for each room.

A click on a query puts it into the editor, with `:param` lines before it that are to be changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

from hindsight_neo4j.model.template import Template
from hindsight_neo4j.resources import room
from hindsight_neo4j.templates.catalogue import Catalogue
from hindsight_neo4j.templates.saved_queries import ROOMS

SNAPSHOTS: Final = "write/neo4j/snapshots.cypher"

_START: Final = """\
<slide class="row-fluid"><div class="col-sm-12">
<h3>Ask a repository's graph</h3>
<p class="lead">Click a query to get it into the editor, and run it there.</p>
<p>1. Which snapshots are there?</p>
{snapshots}
<p>2. Say which one you mean: its <code>slot</code>, mostly the name. Browser keeps it.</p>
{snapshot}
<p>3. Go on with the arrow. Each query has lines <code>:param</code> above it: put in symbols of yours.</p>
</div></slide>"""


def guide() -> str:
    """Return the page, as HTML."""
    templates = list(Catalogue.load(room("cypher")))
    snapshots = (room("cypher") / SNAPSHOTS).read_text("utf-8")
    start = _START.format(
        snapshots=_query(snapshots), snapshot=_query(':param snapshot => "flask";')
    )
    slides = [
        _slide(name, [one for one in templates if one.name.startswith(f"{name}/")])
        for name in ROOMS
    ]
    return "\n".join(
        (
            '<article class="guide">',
            "<title>Hindsight</title>",
            '<carousel class="deck container-fluid">',
            start,
            *slides,
            "</carousel>",
            "</article>",
            "",
        )
    )


def _slide(name: str, templates: Iterable[Template]) -> str:
    return "\n".join(
        (
            '<slide class="row-fluid"><div class="col-sm-12">',
            f"<h3>{escape(name)}</h3>",
            *(_section(one) for one in templates),
            "</div></slide>",
        )
    )


def _section(template: Template) -> str:
    params = [
        f"{line};"
        for line in template.example.splitlines()
        if not line.startswith(":param snapshot ")
    ]
    text = "\n".join((*params, f"{template.text.strip()};"))
    return f"<h4>{escape(template.name)}</h4>\n<p>{escape(template.summary)}</p>\n{_query(text)}"


def _query(text: str) -> str:
    return f'<pre class="pre-scrollable code runnable">{escape(text.strip())}</pre>'
