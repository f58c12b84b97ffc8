"""``View``: what a display of progress sees of a study."""

from __future__ import annotations

from collections.abc import Callable

from divlearn.problems import Problem
from divlearn.study.search import Search
from divlearn.typing import Floats


class View:
    """A study, looked at as if it were an optimizer.

    Attributes
    ----------
    evaluations
        Outcomes so far, those that the optimizer has yet to learn included.
    """

    def __init__(
        self, search: Search, clock: Callable[[], float], evaluations: int
    ) -> None:
        self._search = search
        self._clock = clock
        self.evaluations = evaluations

    @property
    def problem(self) -> Problem:
        """The problem."""
        return self._search.optimizer.problem

    @property
    def seconds(self) -> float:
        """Seconds that the study has run."""
        return self._clock()

    @property
    def front_size(self) -> int:
        """Number of non-dominated solutions that the optimizer knows of."""
        return self._search.optimizer.front_size

    @property
    def front_objectives(self) -> Floats:
        """Objectives of the front in the user's senses, shape (k, m)."""
        return self._search.optimizer.front_objectives
