"""How an answer looks: what was understood, the few best places, and the path through the code that proves them.

leading · broad, 82% sure: asks what depends on it

 1  src/app/db.py
      Store.put  40-58  named in the question
 2  src/app/api.py
      save  12-30  calls Store.put

The way there
Store.put  src/app/db.py:40-58
├─ is called by save  src/app/api.py:19
│  └─ is tested by test_save  tests/test_api.py:7
└─ …
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hindsight_neo4j.cli.model import usage_text
from hindsight_neo4j.cli.session import Session
from hindsight_neo4j.cli.text import (
    FAINT,
    HEAD,
    NAME,
    PLACE,
    WARN,
    place,
    plural,
    printable,
    short,
    span,
)
from hindsight_neo4j.cli.words import doubt, found, known, sure, verb
from hindsight_neo4j.model.graph import EdgeKind
from hindsight_neo4j.model.question import IN_FITTING_FILE

if TYPE_CHECKING:
    from hindsight_neo4j.model.answer import Answer
    from hindsight_neo4j.model.question import Asked, Candidate, Hop, Located, Step

SYMBOLS_PER_FILE: Final = 3
MOST_HOPS_DRAWN: Final = 12
MOST_UNRESOLVED: Final = 3
LONGEST_PART: Final = 90

_SURE: Final = {"flag": "as you said", "model": "as the model says"}


def show_answer(session: Session, asked: Asked, *, limit: int, explain: bool) -> None:
    """Print an answer: understanding, places, path, what could not be resolved."""
    located = asked.located
    if asked.answer is not None:
        _show_prose(session, asked.answer)
    _show_understood(session, located)
    if not located.files:
        session.page.line(located.reason)
    else:
        shown = _show_places(session, located, limit)
        _show_way(session, [*shown, *located.functions])
        _show_unresolved(session, asked)
    if explain:
        _show_steps(session, located)
    _show_footer(session, asked)


def _show_prose(session: Session, answer: Answer) -> None:
    """Print the answer itself, a sentence a line, what nothing supports marked."""
    for sentence in answer.sentences:
        marked = answer.found and not sentence.supported
        session.page.line(
            printable(sentence.text), ("  unsupported" if marked else "", WARN), whole=True
        )
        if marked:
            for citation in sentence.citations:
                if not citation.holds:
                    at = place(citation.path, citation.start_line, citation.end_line)
                    session.page.line((f"    {at}: {citation.fault}", FAINT))
    session.page.line((f"by {printable(answer.model)}, checked against what it was given", FAINT))
    session.page.line()


def show_ranking(session: Session, located: Located, *, limit: int, explain: bool) -> None:
    """Print a ranking: files, then classes and functions, each with its score."""
    if not located.files:
        session.page.line(located.reason)
    for heading, ranked in (
        ("Files", located.files),
        ("Classes", located.classes),
        ("Functions", located.functions),
    ):
        if ranked:
            session.page.line((heading, HEAD))
            session.page.rows((_ranked(c) for c in ranked[:limit]), indent=2)
    _say_more(session, max(len(located.files), len(located.functions)), limit)
    if explain:
        _show_understood(session, located)
        _show_steps(session, located)


def _ranked(candidate: Candidate) -> list[tuple[str, str]]:
    where = (
        candidate.id
        if candidate.kind == "File"
        else place(candidate.path, candidate.start_line, candidate.end_line)
    )
    name = "" if candidate.kind == "File" else short(candidate.id)
    return [
        (f"{candidate.score:.3f}", FAINT),
        (printable(where), PLACE),
        (name, NAME),
        (printable(candidate.reason), FAINT),
    ]


def _show_understood(session: Session, located: Located) -> None:
    guess = located.intent
    label = guess.label.value + (f" · {guess.scope.value}" if guess.scope else "")
    row = located.policy.rpartition("/")[2]
    walked = "" if row.startswith(guess.label.value) else f" → {row}"
    said = _SURE.get(guess.source) or sure(guess.confidence)
    if guess.abstained:
        label, said = row, f"too unsure to choose ({label}, {said})"
        walked = ""
    session.page.line((label + walked, HEAD), (f"  {said}: {printable(guess.why)}", FAINT))
    if len(located.subquestions) > 1:
        for number, part in enumerate(located.subquestions, start=1):
            text = printable(" ".join(part.text.split()))
            cut = text if len(text) <= LONGEST_PART else text[: LONGEST_PART - 1] + "…"
            session.page.line((f"  part {number}  ", FAINT), cut)
    session.page.line()


def _show_places(session: Session, located: Located, limit: int) -> list[Candidate]:
    """Print the best files with their best symbols, and return the candidates printed."""
    symbols = sorted(
        (c for c in (*located.classes, *located.functions) if c.score > 0 and not _is_inside(c)),
        key=lambda c: (-c.score, c.id),
    )
    # A score of 0 only fills a ranking up to its length; it answers nothing.
    files = [file for file in located.files if file.score > 0]
    shown: list[Candidate] = []
    for rank, file in enumerate(files[:limit], start=1):
        inside = _best_inside(symbols, file.path)
        reason = "" if inside else printable(file.reason)
        session.page.line(
            (f"{rank:>2}  ", FAINT), (printable(file.path), PLACE), (f"  {reason}", FAINT)
        )
        session.page.rows((_symbol(c) for c in inside), indent=6)
        shown += [file, *inside]
    _say_more(session, len(files), limit)
    return shown


def _is_inside(candidate: Candidate) -> bool:
    """Whether all that speaks for a symbol is what it lies in or beside, which stands above it."""
    if candidate.reason == IN_FITTING_FILE:
        return True
    worded = any(candidate.parts.get(part, 0.0) > 0 for part in ("text", "asked", "name"))
    hops = candidate.hops
    return bool(hops) and not worded and all(hop.kind == EdgeKind.CONTAINS for hop in hops)


def _best_inside(symbols: list[Candidate], path: str) -> list[Candidate]:
    """Return the best symbols of a file, without classes whose own members stand beside them."""
    inside = [c for c in symbols if c.path == path]
    best: list[Candidate] = []
    for candidate in inside:
        shadowed = any(
            other.id.startswith(f"{candidate.id}.") for other in inside[: SYMBOLS_PER_FILE + 1]
        )
        if not shadowed:
            best.append(candidate)
    return best[:SYMBOLS_PER_FILE]


def _symbol(candidate: Candidate) -> list[tuple[str, str]]:
    return [
        (short(candidate.id), NAME),
        (span(candidate.start_line, candidate.end_line), PLACE),
        (printable(candidate.reason), FAINT),
    ]


def _say_more(session: Session, count: int, limit: int) -> None:
    if count > limit:
        session.page.line((f"    {count - limit} more, --limit {count}", FAINT))


@dataclass(slots=True)
class _Branch:
    """A node of the drawn path, by what leads to it."""

    hop: Hop | None
    below: dict[str, _Branch] = field(default_factory=dict)


def _show_way(session: Session, shown: list[Candidate]) -> None:
    roots = _ways(shown)
    if not roots:
        return
    session.page.line()
    session.page.line(("The way there", HEAD))
    starts = {c.id: place(c.path, c.start_line, c.end_line) for c in shown if c.kind != "File"}
    for start, branch in roots.items():
        session.page.line((short(start), NAME), "  ", (starts.get(start, ""), PLACE))
        for guide, below in _drawn(branch, ""):
            session.page.line((guide, FAINT), *_hop(below))


def _ways(shown: list[Candidate]) -> dict[str, _Branch]:
    """Join the ways from seeds to candidates into trees by seed, the largest first."""
    roots: dict[str, _Branch] = {}
    drawn = 0
    for candidate in shown:
        # That a file contains a function is seen above; a way has an edge that says more.
        if all(hop.kind == EdgeKind.CONTAINS for hop in candidate.hops):
            continue
        start = known(candidate.hops[0])
        branch = roots.setdefault(start, _Branch(None))
        for hop in candidate.hops:
            end = found(hop)
            if end not in branch.below:
                if drawn == MOST_HOPS_DRAWN:
                    break
                branch.below[end] = _Branch(hop)
                drawn += 1
            branch = branch.below[end]
    grown = [(start, branch) for start, branch in roots.items() if branch.below]
    return dict(sorted(grown, key=lambda pair: -sum(1 for _ in _drawn(pair[1], ""))))


def _drawn(branch: _Branch, guide: str) -> Iterator[tuple[str, _Branch]]:
    children = list(branch.below.values())
    for child in children:
        last = child is children[-1]
        yield guide + ("└─ " if last else "├─ "), child
        yield from _drawn(child, guide + ("   " if last else "│  "))


def _hop(branch: _Branch) -> tuple[str | tuple[str, str], ...]:
    hop = branch.hop
    if hop is None:
        return ()
    name = short(found(hop))
    remark = doubt(hop.confidence, hop.tier)
    return (
        (f"{verb(hop)} ", FAINT),
        # A file is where the edge stands; its name twice says no more.
        (f"{name}  " if name != printable(hop.path) else "", NAME),
        (place(hop.path, hop.line), PLACE),
        (f"  {remark}" if remark else "", WARN),
    )


def _show_unresolved(session: Session, asked: Asked) -> None:
    if not asked.unresolved:
        return
    calls = sum(count for _, count, _ in asked.unresolved)
    session.page.line()
    session.page.line(
        (f"Not resolved: {plural(calls, 'call')} in {plural(len(asked.unresolved), 'place')}", WARN)
    )
    session.page.rows(
        (
            [(short(node), NAME), (f"{count}", FAINT), (printable(names), FAINT)]
            for node, count, names in asked.unresolved[:MOST_UNRESOLVED]
        ),
        indent=2,
    )


def _show_steps(session: Session, located: Located) -> None:
    session.page.line()
    session.page.line(("Steps", HEAD))
    for step in located.steps:
        _show_step(session, step)


def _show_step(session: Session, step: Step) -> None:
    session.page.line(
        (f"{step.stage:<10}", NAME),
        printable(step.what),
        (f"  {plural(step.rows, 'row')}, {step.ms:.1f} ms", FAINT),
    )
    for key, value in step.params.items():
        given = json.dumps(value, ensure_ascii=False)
        session.page.line((f"           :param {key} => {printable(given)}", FAINT), whole=True)


def _show_footer(session: Session, asked: Asked) -> None:
    budget = asked.budget
    session.page.line()
    session.page.line(
        (
            f"{plural(len(asked.evidence), 'piece')} of evidence packed, {budget.used:,} of "
            f"{budget.limit:,} tokens ({budget.tokenizer})",
            FAINT,
        )
    )
    if asked.usage.calls or asked.usage.cached:
        session.page.line((usage_text(asked.usage), FAINT))
    for note in asked.notes:
        session.page.line((printable(note), WARN))
    if asked.failed:
        session.page.line((f"the model gave no answer: {printable(asked.answer_reason)}", WARN))
    elif asked.answer is None and asked.answer_reason:
        session.page.line((f"an answer in prose needs a model: {asked.answer_reason}", FAINT))
