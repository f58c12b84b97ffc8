"""The archive that all regions share, and the scan of one neighbourhood.

Objectives are minimised.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.archive import Archive, has_tree, insert
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.tree_search import covers

#: An improvement of a weighted sum has to be above rounding.
LEAST_GAIN = 1e-9
#: Differences between values of this share are rounding.
ROUNDING = 1e-11


class Front(NamedTuple):
    """All non-dominated solutions found so far."""

    archive: Archive
    is_new: NDArray[np.bool_]  # (slots,) set where a solution enters
    size: Integers  # (1,) members of the archive


class Scan(NamedTuple):
    """A solution whose neighbours are tried, one after the other."""

    x: Codes  # (n,) the solution; a better neighbour takes its place
    y: Floats  # (m,) its objectives
    weights: Floats  # (m,) of the weighted sum that says which neighbour is better
    aim: Floats  # (1,) the weighted sum that has to be beaten
    place: Integers  # (4,) next move: two numbers; moves passed since the last
    # improvement; 1 if all are done
    neighbour: Codes  # (n,) room for a neighbour
    z: Floats  # (m,) room for its objectives


@lean_kernel
def weighted_sum(weights: Floats, y: Floats) -> float:
    """Sum of the objectives, by their weights."""
    total = 0.0
    for k in range(y.shape[0]):
        total += weights[k] * y[k]
    return total


@lean_kernel
def copy(source: Codes, target: Codes) -> None:
    """Copy one by one: an assignment of arrays would make an array."""
    for i in range(source.shape[0]):
        target[i] = source[i]


@lean_kernel
def has_room(front: Front) -> bool:
    """Whether one more solution may enter."""
    return bool(front.size[0] + 1 < front.archive.order.shape[0])


@lean_kernel
def enter(front: Front, x: Codes, y: Floats) -> None:
    """Add a solution to the archive unless something as good is there."""
    slot = front.archive.order[front.size[0]]
    size = insert(front.archive, front.size[0], x, y)
    if size >= 0:
        front.size[0] = size
        front.is_new[slot] = True


@lean_kernel
def is_covered(front: Front, y: Floats) -> bool:
    """Whether a member is as good as ``y`` in all objectives, rounding aside."""
    outputs, order, size = front.archive.outputs, front.archive.order, front.size[0]
    m = y.shape[0]
    if m == 2:
        low, high = 0, size  # sorted by the first objective, falling in the second
        most = y[0] + ROUNDING * abs(y[0])
        while low < high:
            middle = (low + high) // 2
            if outputs[order[middle], 0] <= most:
                low = middle + 1
            else:
                high = middle
        if low == 0:
            return False
        return bool(outputs[order[low - 1], 1] <= y[1] + ROUNDING * abs(y[1]))
    if has_tree(front.archive, size):
        corner = front.archive.tree.corner
        for k in range(m):
            corner[k] = y[k] + ROUNDING * abs(y[k])
        return covers(front.archive.tree, corner)
    for i in range(size):
        k = 0
        while k < m and outputs[order[i], k] <= y[k] + ROUNDING * abs(y[k]):
            k += 1
        if k == m:
            # Whoever covers one will likely cover the next: ask it sooner.
            order[i], order[i // 2] = order[i // 2], order[i]
            return True
    return False
