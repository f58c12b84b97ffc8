"""Sums over positions fitted to differences, by least squares.

A difference is the sum of what items add where they came to stand, less what they added
where they stood. The table that explains all differences in the ring best is found by
conjugate gradients,

    minimise over theta:  sum over differences of (delta - sum of s theta)^2

which begin with the table as it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.views import viewed
from divlearn.methods.dl.kernels.memory import Ring

#: Steps of conjugate gradients per item, and what they may leave, squared.
STEPS_PER_ITEM, LEFT = 20, 1e-24


@viewed
class Sums(NamedTuple):
    """Scratch of the fit, for R differences and A actions."""

    residual: Floats  # (R,) what is left of the differences
    image: Floats  # (R,) change of the differences along the direction
    slope: Floats  # (A,)
    direction: Floats  # (A,)


def new_sums(rows: int, actions: int) -> Sums:
    """Make the scratch."""
    return Sums(np.zeros(rows), np.zeros(rows), np.zeros(actions), np.zeros(actions))


@lean_kernel
def fit_sums(sums: Sums, ring: Ring, rows: int, mean: Floats, j: int) -> float:
    """Fit column ``j`` of a table to the differences in the first ``rows`` of the ring.

    Parameters
    ----------
    sums
        Scratch.
    ring, rows
        Differences between permutations of n items.
    mean
        What an item at a position adds to each output, shape (n * n, p).
    j
        The output.

    Returns
    -------
    Share of the squared differences that is left.
    """
    residual, image, direction = sums.residual, sums.image, sums.direction
    n, actions, total, left = ring.parents.shape[1], mean.shape[0], 0.0, 0.0
    for a in range(actions):
        direction[a] = mean[a, j]
    _apply(ring, rows, direction, image)
    for r in range(rows):
        residual[r] = ring.deltas[r, j] - image[r]
        total += ring.deltas[r, j] ** 2
        left += residual[r] ** 2
    steep, last = 0.0, 0.0
    for _ in range(STEPS_PER_ITEM * n):
        if left <= LEFT * total:
            break
        last, steep = steep, _slope(sums, ring, rows)
        if steep == 0.0:
            break
        for a in range(actions):
            kept = steep / last * direction[a] if last > 0.0 else 0.0
            direction[a] = sums.slope[a] + kept
        left = _step(sums, ring, rows, mean, j, steep)
    return left / total if total > 0.0 else 0.0


@lean_kernel
def _apply(ring: Ring, rows: int, table: Floats, image: Floats) -> None:
    """Write the differences that ``table``, shape (n * n,), predicts."""
    n = ring.parents.shape[1]
    for r in range(rows):
        change = 0.0
        for i in range(n):
            change += table[i * n + ring.children[r, i]]
            change -= table[i * n + ring.parents[r, i]]
        image[r] = change


@lean_kernel
def _slope(sums: Sums, ring: Ring, rows: int) -> float:
    """Write by how much each action lowers the squares; return the squared length."""
    n, slope, length = ring.parents.shape[1], sums.slope, 0.0
    for a in range(slope.shape[0]):
        slope[a] = 0.0
    for r in range(rows):
        error = sums.residual[r]
        for i in range(n):
            slope[i * n + ring.children[r, i]] += error
            slope[i * n + ring.parents[r, i]] -= error
    for a in range(slope.shape[0]):
        length += slope[a] * slope[a]
    return length


@lean_kernel
def _step(
    sums: Sums, ring: Ring, rows: int, mean: Floats, j: int, steep: float
) -> float:
    """Go along the direction as far as squares fall; return what is left of them."""
    _apply(ring, rows, sums.direction, sums.image)
    length, left = 0.0, 0.0
    for r in range(rows):
        length += sums.image[r] ** 2
    far = steep / length if length > 0.0 else 0.0
    for a in range(mean.shape[0]):
        mean[a, j] += far * sums.direction[a]
    for r in range(rows):
        sums.residual[r] -= far * sums.image[r]
        left += sums.residual[r] ** 2
    return left
