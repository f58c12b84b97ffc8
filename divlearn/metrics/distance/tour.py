"""How far apart closed tours are: by their edges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats, Integers, Value
from divlearn.metrics.distance.base import SolutionDistance


class Neighbours(NamedTuple):
    """The city after and the city before each city of q tours, shape (n, q) both."""

    after: NDArray[Any]
    before: NDArray[Any]


class TourDistance(SolutionDistance):
    """Edge Jaccard distance of closed tours: 1 - common edges / edges of either.

    0 for tours with the same edges, wherever they start; 1 for tours with no edge in
    common.

    Parameters
    ----------
    directed
        Whether an edge and its reverse are two different edges.

    Examples
    --------
    >>> from divlearn.metrics import TourDistance
    >>> TourDistance()([0, 1, 2, 3], [1, 0, 3, 2])  # the same tour backwards
    0.0
    >>> TourDistance()([0, 1, 2, 3], [0, 1, 3, 2])  # 2 of 6 edges in common
    0.6666666666666667
    """

    def __init__(self, directed: bool = False) -> None:
        self.directed: bool = bool(directed)

    def prepare(self, solutions: Sequence[Value]) -> Neighbours:
        """Check the tours and look up every city's neighbours."""
        tours = _read_tours(solutions)
        kind = np.min_scalar_type(tours.shape[1])  # small numbers compare quickly
        after, before = (_beside(tours, step).astype(kind) for step in (-1, 1))
        return Neighbours(after, before)

    def rows(self, prepared: Neighbours, chosen: Integers) -> Floats:
        """Count common edges city by city."""
        after, before = prepared
        num_cities, count = after.shape
        common = np.zeros((len(chosen), count), after.dtype)
        for city in range(num_cities):
            own = after[city, chosen, None]
            shared = own == after[city]
            if not self.directed:
                shared |= own == before[city]
            common += shared
        # Every edge is counted from both ends, which doubles both counts alike.
        return np.asarray(1.0 - common / (2.0 * num_cities - common))


def _read_tours(solutions: Sequence[Value]) -> Integers:
    """Turn tours into an array of shape (q, n), or say what is wrong with them."""
    try:
        given = np.array([np.asarray(x) for x in solutions])
        with np.errstate(invalid="ignore"):  # NaN fails the comparison below
            tours = given.astype(np.int64)
    except (TypeError, ValueError, OverflowError):
        given = tours = np.empty(0, np.int64)
    if (
        given.ndim != 2
        or not np.array_equal(given, tours)
        or not (np.sort(tours) == np.arange(tours.shape[1])).all()
    ):
        raise InputError(
            "X needs one tour per row, each naming every city from 0 to n - 1 once, "
            f"got {solutions!r}."
        )
    return tours


def _beside(tours: Integers, step: int) -> Integers:
    """The city ``step`` places before each city, shape (n, q)."""
    beside = np.empty(tours.shape[::-1], np.int64)
    beside[tours, np.arange(len(tours))[:, None]] = np.roll(tours, step, axis=1)
    return beside
