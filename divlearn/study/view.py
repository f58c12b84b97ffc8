"""``View``: what a display of progress sees of a study."""

from __future__ import annotations

import numpy as np

from divlearn.basics.clock import Clock
from divlearn.basics.typing import Floats
from divlearn.metrics.dominance import non_dominated
from divlearn.problems import Problem
from divlearn.study.search import RepeatableSearch
from divlearn.workers.base import OK


class View:
    """A study, looked at as if it were an optimizer.

    Attributes
    ----------
    evaluations
        Outcomes so far, those that the optimizer has yet to learn included.
    failed
        Those among them that have no values.
    running
        Evaluations that are running.
    """

    def __init__(
        self,
        search: RepeatableSearch,
        clock: Clock,
        counts: dict[str, int],
    ) -> None:
        self._search = search
        self._clock = clock
        self._begun = clock.seconds
        self.evaluations: int = sum(counts.values())
        self.running = 0
        self.failed: int = self.evaluations - counts.get(OK, 0)

    @property
    def problem(self) -> Problem:
        """The problem."""
        return self._search.optimizer.problem

    @property
    def seconds(self) -> float:
        """Seconds of this run, which is what its limit counts."""
        return self._clock.seconds - self._begun

    @property
    def front_size(self) -> int:
        """Number of non-dominated solutions so far."""
        return len(self.front_objectives)

    @property
    def front_objectives(self) -> Floats:
        """Objectives of the front in the user's senses, shape (k, m).

        Outcomes that wait for their turn are in it already.
        """
        known, m = self._search.optimizer.front_objectives, self.problem.num_objectives
        rows = [trial.outputs for trial in self._search.waiting if trial.outputs]
        new = [row[:m] for row in rows if all(value <= 0 for value in row[m:])]
        if not new:
            return known
        front = np.vstack([known, np.array(new)])
        return front[non_dominated(front * self.problem.sign)]
