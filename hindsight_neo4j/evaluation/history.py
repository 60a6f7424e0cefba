"""Tasks from a repository's own history: a commit's message, and the functions it changed.

The index holds one state, the base. A later commit makes a task when the files it changes are still, just before it, what
they are in the base: then its old line numbers are those of the index. Tests and files that the index does not hold
are left out; so are merges, and commits that touch more than `MOST_FUNCTIONS` functions.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hindsight_neo4j.errors import SourceError
from hindsight_neo4j.evaluation.task import GRAINS, Task, module_of
from hindsight_neo4j.model.graph import NodeKind
from hindsight_neo4j.retrieval.frontier import Reached, StepRule, walk
from hindsight_neo4j.retrieval.state import Sources

MOST_FUNCTIONS: Final = 6
"""More are a sweep through the code, which no question asks for. As in the training set of the shipped ranking."""

MOST_COMMITS: Final = 2_000

_TIMEOUT_S = 120.0
_DEEPEST = 12  # levels of definitions inside one another
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? ")
_TRAILER = re.compile(r"^[A-Z][\w-]+-by: .*$|^git-svn-id: .*$|^Change-Id: .*$", re.MULTILINE)


def tasks_from_git(repository: Path, sources: Sources, *, base: str, to: str) -> Iterator[Task]:
    """Yield a task for each fitting commit in `base..to`, the newest first.

    Args:
        repository: A git repository.
        sources: The index of its state at `base`.
        base: The commit that the index was made from.
        to: The last commit to look at, or the name of a branch.

    Raises:
        SourceError: It is no git repository, there is no such commit, or git is not installed.
    """
    blobs = dict(_base_blobs(repository, base))
    span = f"{_commit(repository, base)}..{_commit(repository, to)}"
    commits = _git(repository, "rev-list", "--no-merges", f"--max-count={MOST_COMMITS}", span)
    definitions: dict[str, tuple[Reached, ...]] = {}
    for commit in commits.split():
        changed = list(_changed_files(repository, commit))
        known = [(path, blob) for path, blob in changed if path in blobs]
        if not known or any(blobs[path] != blob for path, blob in known):
            continue
        gold: dict[str, None] = {}
        for path, _ in known:
            if path not in definitions:
                definitions[path] = _definitions(sources, path)
            for line in _changed_lines(repository, commit, path):
                gold.update(dict.fromkeys(_function_at(definitions[path], line)))
        if 0 < len(gold) <= MOST_FUNCTIONS:
            yield _task(commit, _message(repository, commit), list(gold))


def _task(commit: str, message: str, functions: list[str]) -> Task:
    files = frozenset(node.partition(":")[0] for node in functions)
    modules = frozenset(map(module_of, functions))
    gold = dict(zip(GRAINS, (files, modules, frozenset(functions)), strict=True))
    return Task(commit[:10], message, gold, {})


def _message(repository: Path, commit: str) -> str:
    message = _git(repository, "show", "--no-patch", "--format=%B", commit)
    return _TRAILER.sub("", message).strip() or commit


def _base_blobs(repository: Path, base: str) -> Iterator[tuple[str, str]]:
    for entry in _git(repository, "ls-tree", "-r", "-z", _commit(repository, base)).split("\0"):
        about, _, path = entry.partition("\t")
        if path:
            yield path, about.split()[2]


def _changed_files(repository: Path, commit: str) -> Iterator[tuple[str, str]]:
    """Yield path and old blob of every file that a commit changes."""
    listed = _git(repository, "diff-tree", "-r", "-z", "--no-commit-id", "--no-renames", commit)
    fields = listed.split("\0")
    for about, path in zip(fields[::2], fields[1::2], strict=False):
        yield path, about.split()[2]


def _changed_lines(repository: Path, commit: str, path: str) -> Iterator[int]:
    """Yield the lines of the old file that a commit changes; for lines put in, the one before them."""
    patch = _git(repository, "show", "--format=", "--unified=0", commit, "--", path)
    for line in patch.splitlines():
        if match := _HUNK.match(line):
            first, count = int(match[1]), int(match[2] or 1)
            yield from range(first, first + max(count, 1))


def _definitions(sources: Sources, path: str) -> tuple[Reached, ...]:
    found = walk(
        sources.graph,
        sources.catalogue,
        sources.snapshot,
        [path],
        steps=(StepRule("step/children"),),
        max_hops=_DEEPEST,
    )
    return tuple(
        each for each in found.reached if each.kind == NodeKind.FUNCTION and not each.is_test
    )


def _function_at(definitions: tuple[Reached, ...], line: int) -> list[str]:
    """The outermost function around a line, if there is one; of a nested one the outer counts."""
    around = [each for each in definitions if each.start_line <= line <= each.end_line]
    outermost = min(around, key=lambda each: (each.start_line, -each.end_line), default=None)
    return [] if outermost is None else [outermost.id.partition("~")[0]]


def _commit(repository: Path, name: str) -> str:
    found = _git(
        repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"
    )
    return found.strip()


def _git(repository: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(repository), *arguments],
            capture_output=True,
            check=False,
            timeout=_TIMEOUT_S,
        )
    except FileNotFoundError as error:
        raise SourceError("git is not installed", hint="install git to read a history") from error
    except subprocess.TimeoutExpired as error:
        raise SourceError(f"git {arguments[0]} took over {_TIMEOUT_S:g} s") from error
    if done.returncode != 0:
        reason = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise SourceError(
            f"git {arguments[0]} failed in {repository}: {reason or 'no such commit'}",
            hint="give a git repository, and commits or branches that it has",
        )
    return done.stdout.decode("utf-8", "replace")
