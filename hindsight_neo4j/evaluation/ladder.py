"""The ladder: every task under every condition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from hindsight_neo4j.evaluation.condition import Condition
from hindsight_neo4j.evaluation.metric import Scores, score
from hindsight_neo4j.evaluation.task import Task
from hindsight_neo4j.model.question import Located
from hindsight_neo4j.retrieval.pipeline import locate
from hindsight_neo4j.retrieval.state import Sources


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one condition made of one task."""

    condition: str
    task: Task
    scores: Scores
    located: Located

    @property
    def figures(self) -> Mapping[str, float]:
        """The scores."""
        return self.scores

    @property
    def slices(self) -> Mapping[str, str]:
        """What kind of task it is."""
        return self.task.slices


def run(
    tasks: Iterable[Task],
    sources: Sources,
    conditions: Sequence[Condition],
    done: Callable[[], None] = lambda: None,
) -> list[Outcome]:
    """Return the outcomes, task by task; `done` is called after each task.

    Raises:
        StoreError: A store does not answer.
    """
    outcomes = []
    for task in tasks:
        for condition in conditions:
            located = locate(
                task.question, sources, condition.options(task), stages=condition.stages
            )
            outcomes.append(Outcome(condition.name, task, score(task, located), located))
        done()
    return outcomes
