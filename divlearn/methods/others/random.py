"""Random search: the control that every other method has to beat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.methods.others.base import AskTell
from divlearn.methods.others.rehearsal import ask_once
from divlearn.methods.others.sampling import Sampler
from divlearn.problems import Problem
from divlearn.spaces import Space


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

    def warm_up(self, problem: Problem) -> None:
        """Draw a solution."""
        ask_once(self, problem)

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
        self._sampler = Sampler(space.layout, seed)

    def propose(self, count: int, numbers: Integers) -> Codes:
        """Draw solutions, shape (count, n)."""
        return self._sampler.draw(count)

    def observe(self, number: int, codes: Codes, outputs: Floats) -> None:
        """Pass over an answer."""

    def fail(self, number: int, codes: Codes) -> None:
        """Pass over a failure."""
