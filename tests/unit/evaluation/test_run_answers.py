"""Several questions at a time: none waits for another, and the outcomes stand in the order of the questions."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import cast

from hindsight_neo4j.evaluation.answers import Examiner, Graded, Question, run_answers


class Awaiting:
    """Grades each question at once but the first, which is answered only after the last."""

    def __init__(self, last: str) -> None:
        self._last = last
        self._is_last_graded = threading.Event()

    def put(self, question: Question, condition: str) -> Callable[[], Graded]:
        def grade() -> Graded:
            in_time = question.id != "0" or self._is_last_graded.wait(10)
            if question.id == self._last:
                self._is_last_graded.set()
            return Graded(condition, question, {"in time": float(in_time)}, "", "")

        return grade


def test_a_long_answer_does_not_hold_up_the_questions_behind_it() -> None:
    questions = [Question(str(number), "?", "", ("fact",), (), {}) for number in range(8)]
    done: list[None] = []
    graded = run_answers(
        questions,
        ["bm25"],
        cast(Examiner, Awaiting("7")),
        done=lambda: done.append(None),
        at_once=2,
    )
    assert [each.question.id for each in graded] == [each.id for each in questions]
    assert all(each.figures["in time"] for each in graded)
    assert len(done) == len(questions)
