"""Which member leaves a full archive: the one that is missed least.

The best in an objective stay. With two objectives the member leaves whose loss costs
least hypervolume: the area between its neighbours. With more it is the one of least
crowding distance: the sum, over objectives, of the gap between its neighbours as a
share of the whole range (K. Deb, A. Pratap, S. Agarwal, T. Meyarivan, "A fast and
elitist multiobjective genetic algorithm: NSGA-II", IEEE TEVC 2002).
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Floats, Integers
from divlearn.kernels.jit import lean_kernel


@lean_kernel
def who_leaves(
    keys: Floats, order: Integers, size: int, line: Integers, gaps: Floats
) -> int:
    """Rank of the member that leaves.

    Parameters
    ----------
    keys, order, size
        Of an archive with more members than objectives have best ones: more than two
        for each objective. With two objectives, sorted by the first.
    line, gaps
        Room for a number per slot.
    """
    if keys.shape[1] == 2:
        return _least_area(keys, order, size)
    _measure_gaps(keys, order, size, line, gaps)
    least = 0
    for rank in range(1, size):
        # Ties are broken by slots: ranks depend on how members were compared.
        slot, other = order[rank], order[least]
        if gaps[slot] < gaps[other] or (gaps[slot] == gaps[other] and slot < other):
            least = rank
    return least


@lean_kernel
def _least_area(keys: Floats, order: Integers, size: int) -> int:
    """Rank between whose neighbours there is least area; the first and last stay."""
    least, smallest = 1, math.inf
    for rank in range(1, size - 1):
        slot = order[rank]
        width = keys[order[rank + 1], 0] - keys[slot, 0]
        area = width * (keys[order[rank - 1], 1] - keys[slot, 1])
        if area < smallest:
            least, smallest = rank, area
    return least


@lean_kernel
def _measure_gaps(
    keys: Floats, order: Integers, size: int, line: Integers, gaps: Floats
) -> None:
    """Write the crowding distance of every member into its slot of ``gaps``."""
    for rank in range(size):
        line[rank] = order[rank]
        gaps[order[rank]] = 0.0
    for j in range(keys.shape[1]):
        _sort_by(keys, j, line, size)
        first, last = line[0], line[size - 1]
        span = keys[last, j] - keys[first, j]
        if span <= 0.0:
            continue
        gaps[first] = gaps[last] = math.inf
        for k in range(1, size - 1):
            gaps[line[k]] += (keys[line[k + 1], j] - keys[line[k - 1], j]) / span


@lean_kernel
def _sort_by(keys: Floats, j: int, line: Integers, size: int) -> None:
    """Sort slots by a column of their keys, then by number; in place, by a heap."""
    for root in range(size // 2 - 1, -1, -1):
        _sink(keys, j, line, root, size)
    for end in range(size - 1, 0, -1):
        line[0], line[end] = line[end], line[0]
        _sink(keys, j, line, 0, end)


@lean_kernel
def _sink(keys: Floats, j: int, line: Integers, root: int, size: int) -> None:
    """Let the slot at ``root`` of a heap sink below all that come after it."""
    while True:
        child = 2 * root + 1
        if child >= size:
            return
        if child + 1 < size and _is_before(keys, j, line[child], line[child + 1]):
            child += 1
        if not _is_before(keys, j, line[root], line[child]):
            return
        line[root], line[child] = line[child], line[root]
        root = child


@lean_kernel
def _is_before(keys: Floats, j: int, one: int, other: int) -> bool:
    """Whether a slot comes before another one."""
    a, b = keys[one, j], keys[other, j]
    return bool(a < b or (a == b and one < other))
