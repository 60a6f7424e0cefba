"""Teachers: a run becomes a lesson. The offline pipeline is one, so that all of this works without any model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from hindsight_neo4j.answering import tools
from hindsight_neo4j.distillation.lesson import Call, Lesson
from hindsight_neo4j.model.answer import TraceStep
from hindsight_neo4j.model.question import Asked, Candidate, Intent, Located
from hindsight_neo4j.retrieval.state import Sources

OFFLINE: Final = "offline"

MOST_SEARCHED: Final = 4
MOST_WALKED: Final = 3
MOST_READ: Final = 3
MOST_NAMED: Final = 5
"""Names of a step, and places of the answer: few, so that a lesson stays short."""


def offline(id_: str, repository: str, located: Located, sources: Sources) -> Lesson:
    """Return the lesson of an offline ranking: its search, its walk and its reading, each really done by the tools."""
    best = [each for each in (*located.functions, *located.classes) if each.score > 0]
    best.sort(key=lambda each: (-each.score, each.id))
    # After a failure the cause lies with who calls, as the article walks it.
    direction = "in" if located.intent.label is Intent.LAGGING else "out"
    wanted = (
        ("search_entity", _words(located), "out"),
        ("traverse_graph", [each.id for each in best[:MOST_WALKED]], direction),
        ("retrieve_entity", [each.id for each in best[:MOST_READ]], "out"),
    )
    calls = tuple(
        _called(tool, names, direction, tools.run(sources, tool, names, direction).text)
        for tool, names, direction in wanted
        if names
    )
    return Lesson(id_, repository, located.question, calls, _places(best), OFFLINE)


def by_model(id_: str, repository: str, asked: Asked, steps: Iterable[TraceStep]) -> Lesson | None:
    """Return the lesson of a run by a model, or None where it has no supported answer."""
    if asked.answer is None or not asked.answer.citations:
        return None
    calls = tuple(
        _called(step.action, step.arguments["names"], step.arguments["direction"], step.said)
        for step in steps
        if step.action in tools.TOOLS
    )
    supported = [each.text for each in asked.answer.sentences if each.supported]
    return Lesson(
        id_, repository, asked.located.question, calls, "\n".join(supported), asked.answer.model
    )


def _words(located: Located) -> list[str]:
    """What a person would search for: the names in the question, else its parts."""
    names = [name for part in located.subquestions for name in part.anchors]
    texts = [" ".join(part.text.split())[:200] for part in located.subquestions]
    return list(dict.fromkeys(names or texts))[:MOST_SEARCHED]


def _called(tool: str, names: list[str], direction: str, result: str) -> Call:
    more = {"direction": direction} if tool == "traverse_graph" else {}
    return Call(tool, {"names": list(names), **more}, result)


def _places(best: list[Candidate]) -> str:
    return "\n".join(
        f"`{each.id.partition(':')[2]}` [{each.path}:{each.start_line}-{each.end_line}]"
        for each in best[:MOST_NAMED]
    )
