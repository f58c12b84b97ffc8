"""Random search: the control that every other method has to beat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from divlearn.baselines.base import AskTell
from divlearn.kernels.layout import sample
from divlearn.kernels.random import seed_words
from divlearn.problems import Problem
from divlearn.spaces import Space
from divlearn.typing import Codes, Floats, Integers


@dataclass(frozen=True)
class RandomSearch(AskTell):
    """Independent random solutions, uniform where the space allows it.

    Examples
    --------
    >>> import divlearn as dl
    >>> problem = dl.problems.get("bitsp-20")
    >>> dl.solve(problem, budget=100, method="random").evaluations
    100
    """

    name: ClassVar[str] = "random"
    quick: ClassVar[bool] = True

    def start(self, problem: Problem, budget: int | None, seed: int) -> RandomSolutions:
        """Begin to draw."""
        return RandomSolutions(problem.space, seed)


class RandomSolutions:
    """Random solutions of a space, which learn from nothing.

    Parameters
    ----------
    space
        What a solution is.
    seed
        The same seed gives the same solutions.
    """

    def __init__(self, space: Space, seed: int) -> None:
        self._layout = space.layout
        self._words = np.empty(4, np.uint64)
        seed_words(self._words, np.uint64(seed))

    def propose(self, count: int, numbers: Integers) -> Codes:
        """Draw solutions, shape (count, n)."""
        solutions = np.empty((count, len(self._layout.places)), np.int64)
        for codes in solutions:
            sample(self._layout, self._words, codes)
        return solutions

    def observe(self, number: int, codes: Codes, outputs: Floats) -> None:
        """Pass over an answer."""

    def fail(self, number: int, codes: Codes) -> None:
        """Pass over a failure."""
