"""One evaluation, from a task to how it ended; raises nothing of the objective's."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import TracebackType

import numpy as np

from divlearn.basics.text import one_screen, said_by
from divlearn.basics.typing import Extras, Floats
from divlearn.errors import AnswerError, EvaluationError, InvalidDesign
from divlearn.problems import Problem
from divlearn.workers.base import (
    FAILED,
    INFEASIBLE,
    OK,
    TIMED_OUT,
    WRONG_SHAPE,
    OutOfTime,
    Report,
    Task,
)
from divlearn.workers.current import working_on


@dataclass(frozen=True)
class Answer:
    """How an evaluation ended, without saying of what or where."""

    state: str
    outputs: tuple[float, ...] | None = None
    seconds: float = 0.0
    message: str = ""
    extras: Extras | None = None

    def report(self, task: Task, worker: str) -> Report:
        """Say it of a task."""
        message = one_screen(self.message)
        parts = (self.state, self.outputs, self.seconds, worker, message)
        return Report(task, *parts, self.extras)


def evaluate(problem: Problem, task: Task) -> Answer:
    """Evaluate a task; whatever the objective does becomes an answer.

    Ctrl-C is the only thing that passes through: it is meant for who called.

    Examples
    --------
    >>> import divlearn as dl
    >>> from divlearn.workers.base import Task
    >>> problem = dl.Problem(dl.Integer(0, 9), lambda x: (1 / x,), ["inverse"])
    >>> evaluate(problem, Task(0, 0, 0, 4, None)).outputs
    (0.25,)
    >>> evaluate(problem, Task(1, 0, 0, 0, None)).state
    'failed'
    """
    start = time.perf_counter()
    answer = _try(problem, task)
    return replace(answer, seconds=time.perf_counter() - start)


def evaluate_together(problem: Problem, tasks: Sequence[Task]) -> list[Answer]:
    """Evaluate tasks by one call of ``evaluate_batch``; an answer for each.

    Where that raises, they are evaluated one at a time: each gets the answer that it
    deserves.

    Examples
    --------
    >>> import divlearn as dl
    >>> from divlearn.workers.base import Task
    >>> class Squares:
    ...     def evaluate_batch(self, solutions):
    ...         return [(x * x,) for x in solutions]
    >>> problem = dl.Problem(dl.Integer(0, 9), Squares, ["square"])
    >>> tasks = [Task(number, 0, 0, number, None) for number in range(3)]
    >>> [answer.outputs for answer in evaluate_together(problem, tasks)]
    [(0.0,), (1.0,), (4.0,)]
    """
    start = time.perf_counter()
    try:
        rows = problem.measure_batch([task.x for task in tasks])
    except (InvalidDesign, EvaluationError):
        return [evaluate(problem, task) for task in tasks]
    seconds = (time.perf_counter() - start) / len(tasks)
    return [_answer(outputs, extras, seconds) for outputs, extras in rows]


def _answer(outputs: Floats, extras: Extras, seconds: float = 0.0) -> Answer:
    """An evaluation that went well."""
    return Answer(OK, tuple(outputs.tolist()), seconds, extras=extras or None)


def _try(problem: Problem, task: Task) -> Answer:
    """Evaluate, and turn every exception into words."""
    try:
        with working_on(task):
            outputs, extras = problem.measure(task.x, task.seed)
    except InvalidDesign as error:
        return Answer(INFEASIBLE, message=str(error))
    except AnswerError as error:
        return Answer(WRONG_SHAPE, message=str(error))
    except EvaluationError as error:
        cause = error.__cause__
        if isinstance(cause, OutOfTime):
            return Answer(TIMED_OUT, message=str(cause))
        return Answer(FAILED, message=f"{error}{_place(cause)}")
    except SystemExit as error:
        words = f"the objective called sys.exit({error.code!r})"
        return Answer(FAILED, message=words)
    except Exception as error:  # of a problem that has its own way to evaluate
        words = f"the evaluation raised {said_by(error)}"
        return Answer(FAILED, message=f"{words}{_place(error)}")
    return _answer(outputs, extras)


def _place(error: BaseException | None) -> str:
    """Where an exception was raised, as far as Python knows."""
    trace: TracebackType | None = None if error is None else error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    code = trace.tb_frame.f_code
    name = os.path.basename(code.co_filename)
    return f" (in {code.co_name}, {name}, line {trace.tb_lineno})"


def seed_global_generators(seed: int | None) -> None:
    """Seed what objectives draw from when they name no generator of their own.

    Only for a process that does one evaluation at a time and nothing else.
    """
    if seed is not None:
        random.seed(seed)
        np.random.seed(seed % 2**32)  # noqa: NPY002 - the user's objective may use it
