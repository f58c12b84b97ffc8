"""Shorten a tour by turning stretches of it around, one improvement at a time."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import lean_kernel

#: An improvement has to be above rounding, in units of the mean distance.
ROUNDING = 1e-9


@lean_kernel
def descend(tour: Codes, distances: Floats, turned: Floats, limit: int) -> int:
    """Take every 2-opt move that shortens the tour, until there is none.

    Move (i, j), ``i + 2 <= j``, turns the stretch ``tour[i + 1 : j + 1]`` around. The
    moves are tried in turn, and the search goes on behind one that was taken.

    Parameters
    ----------
    tour
        Codes, shape (n,), changed in place; n >= 4.
    distances
        Shape (n, n), not necessarily symmetric; mean distance about 1.
    turned
        Room for n numbers.
    limit
        Most moves to try.

    Returns
    -------
    Number of moves tried, each of which is one neighbour evaluated.
    """
    n = tour.shape[0]
    tried, since = 0, 0
    sum_turned(tour, distances, turned)
    while True:
        for i in range(n - 2):
            # Turning around all but the first city gives the same tour or its reverse.
            for j in range(i + 2, n - 1 if i == 0 else n):
                if tried == limit:
                    return tried
                tried += 1
                since += 1
                if change(tour, distances, turned, i, j) < -ROUNDING:
                    turn(tour, i + 1, j)
                    sum_turned(tour, distances, turned)
                    since = 0
                elif since == n * (n - 3) // 2:
                    return tried


@lean_kernel
def change(tour: Codes, distances: Floats, turned: Floats, i: int, j: int) -> float:
    """By how much move (i, j) makes the tour longer."""
    a, b, c = tour[i], tour[i + 1], tour[j]
    d = tour[j + 1] if j + 1 < tour.shape[0] else tour[0]
    ends = distances[a, c] + distances[b, d] - distances[a, b] - distances[c, d]
    return float(ends + (turned[j] - turned[i + 1]))


@lean_kernel
def sum_turned(tour: Codes, distances: Floats, turned: Floats) -> None:
    """Write how much longer the way back from each place to the first is.

    Zeros if the distances are symmetric.
    """
    turned[0] = 0.0
    for i in range(1, tour.shape[0]):
        a, b = tour[i - 1], tour[i]
        turned[i] = turned[i - 1] + (distances[b, a] - distances[a, b])


@lean_kernel
def turn(tour: Codes, first: int, last: int) -> None:
    """Turn ``tour[first : last + 1]`` around."""
    while first < last:
        tour[first], tour[last] = tour[last], tour[first]
        first += 1
        last -= 1
