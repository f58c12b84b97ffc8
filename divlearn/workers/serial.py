"""``SerialPool``: evaluations in this process, one after the other or together."""

from __future__ import annotations

from collections import deque

from divlearn.problems import Problem
from divlearn.workers.base import Report, Task
from divlearn.workers.evaluation import evaluate, evaluate_together


class SerialPool:
    """No workers at all: waiting is evaluating.

    There is no time limit, and an objective that ends the process ends the study's
    run; use worker processes against both.

    Parameters
    ----------
    problem
        What to evaluate.
    batch
        Number of solutions that are evaluated by one call, if the problem has
        ``evaluate_batch`` and no noise.

    Attributes
    ----------
    size
        Number of evaluations that can run at once: 1, or ``batch``.
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

    in_process = True

    def __init__(self, problem: Problem, batch: int = 1) -> None:
        self._problem = problem
        # A batch has no seed of its own for the noise of each evaluation.
        together = problem.has_batch and not problem.noise
        self.size = batch if together else 1
        self._tasks: deque[Task] = deque()

    def submit(self, task: Task) -> None:
        """Keep a task until somebody waits for it."""
        self._tasks.append(task)

    def wait(self, timeout: float | None) -> list[Report]:
        """Evaluate a task or a batch, however long it takes, if there is one."""
        if not self._tasks or timeout == 0:
            return []
        count = min(self.size, len(self._tasks))
        tasks = [self._tasks.popleft() for _ in range(count)]
        if self.size == 1:
            answers = [evaluate(self._problem, task) for task in tasks]
        else:
            answers = evaluate_together(self._problem, tasks)
        pairs = zip(tasks, answers, strict=True)
        return [answer.report(task, "this process") for task, answer in pairs]

    def close(self, kill: bool) -> None:
        """Forget what was not evaluated."""
        self._tasks.clear()
