"""Evaluation: how well `locate` finds the places of known changes, and what each part of it is worth.

    tasks = read_tasks(Path("tasks.jsonl"))
    outcomes = run(tasks, sources, [CONDITIONS["bm25"], CONDITIONS["ours"]])
    print(report(outcomes))

Tasks are texts with the places that a change touched, from a file (`task`) or from a repository's history (`history`).
Conditions are ways to retrieve (`condition`); all see the same snapshot, chunks and budget. `answers` is the same for
questions whose facts are known, `judge` and `code_names` are its measures.
"""

from hindsight_neo4j.evaluation.answers import (
    CONTEXTS,
    Examiner,
    Graded,
    Question,
    answer_charts,
    answer_report,
    estimate_answers,
    read_questions,
    run_answers,
)
from hindsight_neo4j.evaluation.condition import CONDITIONS, Condition, chosen, need_vectors
from hindsight_neo4j.evaluation.history import tasks_from_git
from hindsight_neo4j.evaluation.ladder import Outcome, run
from hindsight_neo4j.evaluation.report import report, write_charts
from hindsight_neo4j.evaluation.task import Task, read_tasks

__all__ = [
    "CONDITIONS",
    "CONTEXTS",
    "Condition",
    "Examiner",
    "Graded",
    "Outcome",
    "Question",
    "Task",
    "answer_charts",
    "answer_report",
    "chosen",
    "estimate_answers",
    "need_vectors",
    "read_questions",
    "read_tasks",
    "report",
    "run",
    "run_answers",
    "tasks_from_git",
    "write_charts",
]
