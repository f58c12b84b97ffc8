"""Small spaces that are searched completely."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Codes
from divlearn.problems import Problem
from divlearn.spaces.counting import count_solutions, list_solutions

#: Solutions of a space that is small enough.
SMALL = 5_000
#: Evaluations, as a multiple of that, after which the rest seems out of reach.
PATIENCE = 20


class Exhaustion:
    """Notices that every solution of a space has been evaluated.

    Solutions that a problem calls equal, such as a tour and the same one backwards,
    count as one (:meth:`divlearn.Problem.canonical`).
    A problem with noise has no such end, because its solutions are measured again. If
    ``repair`` or ``valid`` put some solutions out of reach, the end is not noticed.

    Parameters
    ----------
    problem
        The problem.
    budget
        Evaluations after which a search ends anyway; None for any number.

    Attributes
    ----------
    active
        Whether the end may be noticed, so that solutions have to be noted.

    Examples
    --------
    >>> import numpy as np
    >>> from divlearn import Permutation, Problem
    >>> end = Exhaustion(Problem(Permutation(2), len, ["length"]), budget=100)
    >>> end.note(np.array([0, 1]))
    >>> end.note(np.array([1, 0]))
    >>> end.reason
    'all 2 solutions evaluated'
    """

    def __init__(self, problem: Problem, budget: int | None) -> None:
        self._problem = problem
        self._some_are_equal = type(problem).canonical is not Problem.canonical
        size = None if problem.noise else self._count()
        self._size = size or 0
        self._noted = 0
        self._seen: set[bytes] = set()
        self.active: bool = size is not None and (budget is None or budget > size)

    def _count(self) -> int | None:
        """Number of different solutions; None if there are too many."""
        segments = self._problem.space.segments()
        size = count_solutions(segments, SMALL)
        if size is None or not self._some_are_equal:
            return size
        every = (np.array(codes, np.int64) for codes in list_solutions(segments))
        return len({self._key(codes) for codes in every})

    def _key(self, codes: Codes) -> bytes:
        """What equal solutions have in common."""
        if self._some_are_equal:
            space = self._problem.space
            codes = space.encode(self._problem.canonical(space.decode(codes)))
        return codes.tobytes()

    def note(self, codes: Codes) -> None:
        """A solution was evaluated, or will be for sure."""
        if not self.active:
            return
        self._noted += 1
        self._seen.add(self._key(codes))
        if self._noted > PATIENCE * self._size and self.reason is None:
            self.active = False

    @property
    def reason(self) -> str | None:
        """Why the search ends; None as long as it does not."""
        if not self.active or len(self._seen) < self._size:
            return None
        are = "solution" if self._size == 1 else "solutions"
        return f"all {self._size:,} {are} evaluated"
