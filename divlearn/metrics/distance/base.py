"""What all distances between solutions have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats, Integers, Value


class SolutionDistance(ABC):
    """A distance between solutions that compares many at once.

    Calling it with two solutions gives their distance. For your own fast distance,
    derive from this class; for small fronts a plain function of two solutions is
    enough.
    """

    @abstractmethod
    def prepare(self, solutions: Sequence[Value]) -> Any:
        """Check q solutions and turn them into what :meth:`rows` reads."""

    @abstractmethod
    def rows(self, prepared: Any, chosen: Integers) -> Floats:
        """Distances from the b solutions of these indices to all, shape (b, q)."""

    def __call__(self, a: Value, b: Value) -> float:
        """Distance between two solutions."""
        return float(self.rows(self.prepare([a, b]), np.array([0]))[0, 1])


class FunctionDistance(SolutionDistance):
    """A function of two solutions, called for every pair."""

    def __init__(self, function: Callable[[Value, Value], float]) -> None:
        self.function = function

    def prepare(self, solutions: Sequence[Value]) -> list[Value]:
        """Return the solutions as they are."""
        return list(solutions)

    def rows(self, prepared: list[Value], chosen: Integers) -> Floats:
        """Call the function, and refuse anything that is not a distance."""
        return np.array(
            [[self._between(prepared[i], x) for x in prepared] for i in chosen]
        )

    def _between(self, a: Value, b: Value) -> float:
        """Distance of one pair."""
        answer = self.function(a, b)
        try:
            number = float(answer)
        except (TypeError, ValueError):
            number = np.nan
        if not (np.isfinite(number) and number >= 0):
            raise InputError(
                "distance must return a finite number of at least 0 for two solutions, "
                f"got {answer!r}."
            )
        return number
