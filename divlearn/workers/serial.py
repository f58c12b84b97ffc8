"""``SerialPool``: evaluations in this process, one after the other."""

from __future__ import annotations

from collections import deque

from divlearn.problems import Problem
from divlearn.workers.base import Report, Task
from divlearn.workers.evaluation import evaluate


class SerialPool:
    """No workers at all: waiting is evaluating.

    There is no time limit, and an objective that ends the process ends the study's
    run; use worker processes against both.

    Parameters
    ----------
    problem
        What to evaluate.

    Attributes
    ----------
    size
        Number of evaluations that can run at once: 1.
    in_process
        Evaluations run where the study runs, so Ctrl-C has to end them by exception.

    Examples
    --------
    >>> import divlearn as dl
    >>> problem = dl.Problem(dl.Integer(0, 9), lambda x: (x, -x), ["up", "down"])
    >>> pool = SerialPool(problem)
    >>> pool.submit(Task(0, 0, 0, 4, None))
    >>> [report.outputs for report in pool.wait(None)]
    [(4.0, -4.0)]
    """

    size = 1
    in_process = True

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._tasks: deque[Task] = deque()

    def submit(self, task: Task) -> None:
        """Keep a task until somebody waits for it."""
        self._tasks.append(task)

    def wait(self, timeout: float | None) -> list[Report]:
        """Evaluate one task, however long it takes; none if nothing is left."""
        if not self._tasks or timeout == 0:
            return []
        task = self._tasks.popleft()
        return [evaluate(self._problem, task).report(task, "this process")]

    def close(self, kill: bool) -> None:
        """Forget what was not evaluated."""
        self._tasks.clear()
