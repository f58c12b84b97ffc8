"""``SerialPool``: evaluations in this process, one after the other or together."""

from __future__ import annotations

from collections import deque

from divlearn.problems import Problem
from divlearn.workers.base import Attempt
from divlearn.workers.evaluation import evaluate, evaluate_together

#: Who evaluates.
NAME = "this process"


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
    >>> pool.submit(Attempt(0, 0, 0, 4, None))
    >>> [attempt.outputs for attempt in pool.wait(None)]
    [(4.0, -4.0)]
    """

    in_process = True

    def __init__(self, problem: Problem, batch: int = 1) -> None:
        self.problem = problem
        # A batch has no seed of its own for the noise of each evaluation.
        together = problem.has_batch and not problem.noise
        self.size: int = batch if together else 1
        self._waiting: deque[Attempt] = deque()

    def submit(self, attempt: Attempt) -> None:
        """Keep it until somebody waits for it."""
        self._waiting.append(attempt)

    def wait(self, timeout: float | None) -> list[Attempt]:
        """Evaluate one or a batch, however long it takes, if there is any."""
        if not self._waiting or timeout == 0:
            return []
        count = min(self.size, len(self._waiting))
        attempts = [self._waiting.popleft() for _ in range(count)]
        if self.size > 1:
            return evaluate_together(self.problem, attempts, NAME)
        return [evaluate(self.problem, attempt, NAME) for attempt in attempts]

    def close(self, kill: bool) -> None:
        """Forget what was not evaluated."""
        self._waiting.clear()
