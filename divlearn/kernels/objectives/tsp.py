"""Lengths of a tour under several distance matrices at once.

The table has a row per ordered pair of cities, ``i * n + j``, and a column per
objective: the lengths of one edge lie side by side in memory, and an unsigned index
needs no check for negative numbers.
"""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel

_ONE, _TWO = np.uint64(1), np.uint64(2)


@kernel
def tour_lengths(x: Codes, table: Floats, y: Floats) -> None:
    """Write the length of tour ``x`` under each of the m matrices into ``y``."""
    n = np.uint64(x.shape[0])
    m = table.shape[1]
    if m == 3:
        y[0], y[1], y[2] = three_lengths(x, table, n)
        return
    for k in range(0, m - 1, 2):
        y[k], y[k + 1] = two_lengths(x, table, n, np.uint64(k))
    if m % 2 == 1:
        y[m - 1] = one_length(x, table, n, np.uint64(m - 1))


# The sums are local numbers, which stay in registers; sums kept in ``y`` would go
# through memory at every edge. Starting from the last city closes the tour without a
# special case.


@kernel
def one_length(x: Codes, table: Floats, n: np.uint64, k: np.uint64) -> float:
    """Length in column ``k``."""
    total = 0.0
    start = np.uint64(x[x.shape[0] - 1]) * n
    for i in range(x.shape[0]):
        city = np.uint64(x[i])
        total += table[start + city, k]
        start = city * n
    return total


@kernel
def two_lengths(
    x: Codes, table: Floats, n: np.uint64, k: np.uint64
) -> tuple[float, float]:
    """Lengths in columns ``k`` and ``k + 1``."""
    first, second = 0.0, 0.0
    start = np.uint64(x[x.shape[0] - 1]) * n
    for i in range(x.shape[0]):
        city = np.uint64(x[i])
        edge = start + city
        first += table[edge, k]
        second += table[edge, k + _ONE]
        start = city * n
    return first, second


@kernel
def three_lengths(x: Codes, table: Floats, n: np.uint64) -> tuple[float, float, float]:
    """Lengths in the first three columns."""
    first, second, third = 0.0, 0.0, 0.0
    start = np.uint64(x[x.shape[0] - 1]) * n
    for i in range(x.shape[0]):
        city = np.uint64(x[i])
        edge = start + city
        first += table[edge, np.uint64(0)]
        second += table[edge, _ONE]
        third += table[edge, _TWO]
        start = city * n
    return first, second, third
