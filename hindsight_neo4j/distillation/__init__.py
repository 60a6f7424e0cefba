"""Distillation: runs that found the right places become lessons for a small model to be trained on.

teacher.py    a run → a lesson: steps with their results, and the places named at the end
lesson.py     a lesson as a chat with tool calls
sieve.py      which lessons are kept, counted by why the others are not; secrets taken out
export.py     lessons → training and validation files, split by repository, with a data card
turns.py      a training set → what a student of some tokenizer sees and learns
finetune.py   turns → an adapter for an open model
"""

from hindsight_neo4j.distillation.export import Exported, export, read_lessons
from hindsight_neo4j.distillation.lesson import Lesson
from hindsight_neo4j.distillation.sieve import Gold, Ranks, found_at
from hindsight_neo4j.distillation.teacher import by_model, offline

__all__ = [
    "Exported",
    "Gold",
    "Lesson",
    "Ranks",
    "by_model",
    "export",
    "found_at",
    "offline",
    "read_lessons",
]
