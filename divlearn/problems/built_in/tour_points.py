"""Lengths of tours through places, without a table of all distances.

The table has a row per city: its coordinates x and y for each length in turn. What
is computed here equals, to the last bit, what a table of distances would give.
"""

from __future__ import annotations

import math

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel

#: Cities whose distances to all others are computed at a time.
BLOCK = 256


@kernel
def point_lengths(x: Codes, table: Floats, y: Floats) -> None:
    """Write the length of tour ``x`` on each of the m maps into ``y``."""
    for k in range(y.shape[0]):
        y[k] = length_on_map(x, table, k)


@kernel
def longer_on_maps(x: Codes, table: Floats, y: Floats) -> None:
    """Write the larger of the first two lengths, then the third, the fourth, ..."""
    y[0] = max(length_on_map(x, table, 0), length_on_map(x, table, 1))
    for k in range(1, y.shape[0]):
        y[k] = length_on_map(x, table, k + 1)


@kernel
def length_on_map(x: Codes, table: Floats, k: int) -> float:
    """Length of the closed tour on map ``k``."""
    total, before = 0.0, x[x.shape[0] - 1]
    for i in range(x.shape[0]):
        city = x[i]
        across = table[before, 2 * k] - table[city, 2 * k]
        along = table[before, 2 * k + 1] - table[city, 2 * k + 1]
        total += math.sqrt(across * across + along * along)
        before = city
    return total


def mean_lengths(coordinates: Floats) -> Floats:
    """Mean length of all tours on each map, shape (m,), without all distances at once.

    Parameters
    ----------
    coordinates
        Places, shape (n, m, 2).
    """
    n, total = len(coordinates), np.zeros(coordinates.shape[1])
    for start in range(0, n, BLOCK):
        block = coordinates[start : start + BLOCK, None] - coordinates[None]
        total += np.sqrt(np.square(block).sum(axis=3)).sum(axis=(0, 1))
    return np.asarray(total / (n - 1))
