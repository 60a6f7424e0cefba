"""Make a commit's message look more like an issue: what a ranking must not lean on, because issues do not have it.

A commit message is short and written in the code's own words by someone who knows the fix. An issue is long, is written
by someone who sees a symptom, and is full of what has nothing to do with the place: versions, templates, other code. It
often shows a stack trace, which passes the place or ends near it, and code that uses the place without naming it: these
are made from the graph, the trace by going up the callers, the code from a test.
Every task of the training set is learned from twice, as it is and shifted by these rules.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from hindsight_neo4j.model.graph import EdgeKind, NodeKind
from hindsight_neo4j.model.template import Row
from hindsight_neo4j.retrieval.anchors import is_code_name
from hindsight_neo4j.retrieval.state import Sources

Task: TypeAlias = dict[str, Any]

NAMES_DROPPED = 0.5
"""Share of the code names that are left out; the others are written in plain words."""

WORDS_DROPPED = 0.2

MOST_FOREIGN = 3
"""Texts of other repositories that are mixed in, at most."""

TRACED = 0.4
"""Share of the tasks about a failure that get a stack trace; nearly half of such issues have one."""

USED = 0.3
"""Share of the tasks that get the code of a test that reaches the place, where there is one."""

FRAMES_ABOVE = 3
PLACE_IN_TRACE = 0.6
USAGE_LINES = 15
ERRORS = ("ValueError: invalid value", "TypeError: unexpected type", "KeyError: 'name'",
          "AttributeError: 'NoneType' object has no attribute 'get'", "RuntimeError: failed")  # fmt: skip

TEMPLATES = (
    "{text}",
    "{text}\n\nSteps to reproduce:\n```python\nimport {package}\n{foreign}\n```\n\n"
    "Expected behavior: it should work without an error.\n\n"
    "Environment: Python 3.8.10, {package} {version}, Linux x86_64",
    "{text}\n\n### Description\n{foreign}\n\n### Versions\nOS: Ubuntu 20.04\nPython: 3.11\n"
    "{package}: {version}\n",
    "{title}\n\n**Is your feature request related to a problem? Please describe.**\n"
    "I am always frustrated when this happens. {text}\n\n"
    "**Describe the solution you would like**\n"
    "A clear and concise description of what you want to happen.\n\n{foreign}",
)
"""The forms that issue trackers ask for, after the templates in common use."""


def shifted(task: Task, sources: Sources, foreign: Sequence[str], chance: random.Random) -> str:
    """Return the task's text in the manner of an issue.

    Args:
        task: A commit of the training set.
        sources: The index of its corpus.
        foreign: Texts about other repositories.
        chance: Where the choices come from.
    """
    reworded = _reworded(task["question"], chance)
    mixed = chance.sample(foreign, min(len(foreign), chance.randint(1, MOST_FOREIGN)))
    shown = [_usage(task, sources, chance) if chance.random() < USED else "",
             _trace(task, sources, chance) if chance.random() < TRACED else ""]  # fmt: skip
    return chance.choice(TEMPLATES).format(
        text="\n\n".join(filter(None, [reworded, *shown])),
        title=reworded.partition("\n")[0],
        foreign="\n\n".join(mixed),
        package=task["corpus"]["pypi"],
        version=task["corpus"]["version"],
    )


def _trace(task: Task, sources: Sources, chance: random.Random) -> str:
    """A stack trace that comes down the callers of the place; the place itself is in it or just missed."""
    if task["intent"] != "lagging":
        return ""
    place = chance.choice(task["gold_functions"])
    frames = sources.nodes("shift", [place])[0]
    if not frames:
        return ""
    for _ in range(chance.randint(1, FRAMES_ABOVE)):
        callers = _linked(sources, "step/in", EdgeKind.INVOKES, str(frames[0]["id"]))
        callers = [
            row for row in callers if not row["is_test"] and row["kind"] == NodeKind.FUNCTION
        ]
        if not callers:
            break
        frames.insert(0, chance.choice(callers))
    if chance.random() >= PLACE_IN_TRACE and len(frames) > 1:
        frames.pop()
    else:
        called = _linked(sources, "step/out", EdgeKind.INVOKES, str(frames[-1]["id"]))
        called = [row for row in called if row["kind"] == NodeKind.FUNCTION]
        frames += chance.sample(called, min(len(called), chance.randint(0, 1)))
    if len(frames) < 2:
        return ""
    told = "".join(
        f'  File "/usr/lib/python3/site-packages/{row["path"]}", line {row["end_line"]}, '
        f"in {row['name']}\n"
        for row in frames
    )
    return f"Traceback (most recent call last):\n{told}{chance.choice(ERRORS)}"


def _usage(task: Task, sources: Sources, chance: random.Random) -> str:
    """The beginning of a test that reaches the place, as code that shows the failure."""
    tests = _linked(sources, "step/in", EdgeKind.TESTS, chance.choice(task["gold_functions"]))
    ids = [str(row["id"]) for row in tests]
    if not ids:
        return ""
    node = chance.choice(ids)
    chunks = sources.chunks.chunks_of([node], snapshot=sources.snapshot).get(node)
    if not chunks:
        return ""
    lines = chunks[0].text.splitlines()[1 : 1 + USAGE_LINES]
    return "```python\n" + "\n".join(lines) + "\n```"


def _linked(sources: Sources, template: str, kind: EdgeKind, node: str) -> list[Row]:
    params = {
        "snapshot": sources.snapshot,
        "ids": [node],
        "kinds": [kind.value],
        "min_confidence": 0.5,
        "limit": 50,
    }
    return sources.run("shift", template, params)[0]  # type: ignore[arg-type]


def _reworded(text: str, chance: random.Random) -> str:
    kept = []
    for word in re.split(r"(\s+)", text):
        name = word.strip("`.,:;()[]\"'")
        if "`" in word or is_code_name(name):
            if chance.random() >= NAMES_DROPPED:
                kept.append(re.sub(r"[_.]", " ", name))
        elif not word.strip() or chance.random() >= WORDS_DROPPED:
            kept.append(word)
    reworded = "".join(kept)
    return reworded if re.search(r"\w{3}", reworded) else text
