"""Pareto local search: try all 2-opt neighbours of all tours on the front.

L. Paquete, M. Chiarandini, T. Stützle, "Pareto local optimum sets in the biobjective
traveling salesman problem", in Metaheuristics for Multiobjective Optimisation (2004).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

import divlearn as dl
from benchmarks.references.common import Clock, Front, best_of
from divlearn.basics.errors import InputError
from divlearn.lab.baselines.weighted_lkh import WeightedLKH

#: Room on the front for so many tours.
MOST = 50_000
#: Points closer than this are the same: lengths differ by rounding.
ROUNDING = 1e-9


def front(problem: Any, num_weights: int = 101) -> Front:
    """Start Pareto local search from the tours that LKH finds by weighted sums.

    Parameters
    ----------
    problem
        A TSP with two objectives and symmetric distances.
    num_weights
        As of :class:`divlearn.lab.baselines.WeightedLKH`.

    Returns
    -------
    The front; every neighbour counts as an evaluation.
    """
    if problem.num_objectives != 2 or not getattr(problem, "symmetric", False):
        raise InputError(
            "ws-lkh+pls needs tours with two objectives and symmetric distances, got "
            f"{problem.name!r}; use ws-lkh."
        )
    local_search(problem.distances[:, :4, :4], np.arange(4).reshape(1, 4))  # compile
    clock = Clock()
    method = WeightedLKH(num_weights=num_weights)
    starts = np.array(dl.solve(problem, method=method).X)
    tours, evaluations = local_search(problem.distances, starts)
    points = [problem.evaluate(tour) for tour in tours]
    return Front(best_of(problem, points), evaluations, clock.read())


def local_search(
    distances: np.ndarray, starts: np.ndarray, most: int = MOST
) -> tuple[np.ndarray, int]:
    """Improve a front of tours until no 2-opt neighbour adds to it.

    Parameters
    ----------
    distances
        Two symmetric matrices, shape (2, n, n).
    starts
        Tours to begin with, shape (k, n).
    most
        Room for tours on the front.

    Returns
    -------
    The tours of the final front by increasing first length, and the number of
    neighbours tried.
    """
    both = np.ascontiguousarray(np.transpose(distances, (1, 2, 0)))
    tours, size, evaluations = _search(both, starts.astype(np.int64), most)
    if size == most:
        raise InputError(f"the front has more than {most} points; raise most.")
    return tours[:size], evaluations


@njit(cache=True)
def _search(both, starts, most):
    """Explore every tour on the front once; the front is sorted by first length."""
    n = starts.shape[1]
    points = np.empty((most + 1, 2))
    slots = np.empty(most + 1, np.int64)  # where the tour of each point is kept
    tours = np.empty((most + 1, n), np.int64)
    explored = np.zeros(most + 1, np.bool_)  # by slot
    free = np.arange(most, -1, -1)
    size, num_free = 0, most + 1
    for tour in starts:
        first, second = _lengths(both, tour)
        size, num_free = _insert(
            points, slots, free, size, num_free, first, second, tours, explored, tour
        )
    neighbour = np.empty(n, np.int64)
    tour = np.empty(n, np.int64)
    evaluations, place = 0, 0
    while place < size < most:
        if explored[slots[place]]:
            place += 1
            continue
        explored[slots[place]] = True
        tour[:] = tours[slots[place]]
        first, second = points[place, 0], points[place, 1]
        for i in range(n - 1):
            for j in range(i + 2, n):
                if i == 0 and j == n - 1:
                    continue
                a, b, c, d = tour[i], tour[i + 1], tour[j], tour[(j + 1) % n]
                evaluations += 1
                one = first + _change(both, a, b, c, d, 0)
                two = second + _change(both, a, b, c, d, 1)
                if _is_covered(points, size, one, two) or size == most:
                    continue
                neighbour[:] = tour
                for k in range((j - i) // 2):
                    left, right = i + 1 + k, j - k
                    neighbour[left], neighbour[right] = tour[right], tour[left]
                one, two = _lengths(both, neighbour)
                size, num_free = _insert(
                    points,
                    slots,
                    free,
                    size,
                    num_free,
                    one,
                    two,
                    tours,
                    explored,
                    neighbour,
                )
        place = 0
    found = np.empty((size, n), np.int64)
    for k in range(size):
        found[k] = tours[slots[k]]
    return found, size, evaluations


@njit(cache=True)
def _change(both, a, b, c, d, k):
    """Change of length k if edges (a, b), (c, d) become (a, c), (b, d)."""
    return both[a, c, k] + both[b, d, k] - both[a, b, k] - both[c, d, k]


@njit(cache=True)
def _lengths(both, tour):
    """Both lengths of a closed tour."""
    first, second = 0.0, 0.0
    for i in range(tour.shape[0]):
        first += both[tour[i - 1], tour[i], 0]
        second += both[tour[i - 1], tour[i], 1]
    return first, second


@njit(cache=True)
def _place(points, size, first):
    """Number of points whose first length is not above ``first``."""
    low, high = 0, size
    while low < high:
        middle = (low + high) // 2
        if points[middle, 0] <= first + ROUNDING:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True)
def _is_covered(points, size, first, second):
    """Whether some point is as good in both lengths."""
    place = _place(points, size, first)
    return place > 0 and points[place - 1, 1] <= second + ROUNDING


@njit(cache=True)
def _insert(points, slots, free, size, num_free, first, second, tours, explored, tour):
    """Add a tour unless it is covered, and drop those that it covers."""
    if _is_covered(points, size, first, second):
        return size, num_free
    place = _place(points, size, first - 2.0 * ROUNDING)
    stop = place
    while stop < size and points[stop, 1] >= second - ROUNDING:
        free[num_free] = slots[stop]
        num_free += 1
        stop += 1
    num_free -= 1
    slot = free[num_free]
    moved = size - stop
    if stop > place:
        for k in range(moved):
            points[place + 1 + k] = points[stop + k]
            slots[place + 1 + k] = slots[stop + k]
    else:
        for k in range(moved - 1, -1, -1):
            points[place + 1 + k] = points[stop + k]
            slots[place + 1 + k] = slots[stop + k]
    points[place, 0], points[place, 1] = first, second
    slots[place] = slot
    tours[slot] = tour
    explored[slot] = False
    return place + 1 + moved, num_free
