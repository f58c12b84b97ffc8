"""Questions to the archive: dominance, gain, gaps, the best member under weights."""

from __future__ import annotations

import math

from divlearn.basics.typing import Floats
from divlearn.kernels.archive import Archive, has_tree
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.tree_search import covers, least_missed, lightest

#: Share of the front, one over this, that counts as around a member on each side.
NEARBY = 20
#: How far beyond the front's box gains are measured, in its extents: ends count too.
MARGIN = 0.1


@lean_kernel
def first_larger(archive: Archive, size: int, value: float) -> int:
    """Rank of the first member whose first objective exceeds ``value`` (m = 2)."""
    low, high = 0, size
    while low < high:
        middle = (low + high) // 2
        if archive.keys[archive.order[middle], 0] <= value:
            low = middle + 1
        else:
            high = middle
    return low


@lean_kernel
def is_covered(archive: Archive, size: int, y: Floats, margin: Floats) -> bool:
    """Whether a member is as good as ``y`` made better by ``margin``, shape (m,)."""
    keys, order, m = archive.keys, archive.order, archive.keys.shape[1]
    if m == 2:
        rank = first_larger(archive, size, y[0] + margin[0])
        return bool(rank > 0 and keys[order[rank - 1], 1] <= y[1] + margin[1])
    if has_tree(archive, size):
        for j in range(m):
            archive.tree.corner[j] = y[j] + margin[j]
        return covers(archive.tree, archive.tree.corner)
    for rank in range(size):
        slot = order[rank]
        covered = True
        for j in range(m):
            if keys[slot, j] > y[j] + margin[j]:
                covered = False
                break
        if covered:
            ask_sooner(archive, 0, rank)
            return True
    return False


@lean_kernel
def ask_sooner(archive: Archive, start: int, rank: int) -> None:
    """Move a member that turned something away towards rank ``start``.

    With other than two objectives, and without a tree, the order is free, and who
    turned one away will likely turn the next away: what is compared comes from the same
    neighbourhood.
    """
    order, sooner = archive.order, start + (rank - start) // 2
    order[rank], order[sooner] = order[sooner], order[rank]


@lean_kernel
def measure_front(archive: Archive, size: int, low: Floats, high: Floats) -> None:
    """Write least and greatest value of each objective over the front, shape (m,)."""
    keys, order = archive.keys, archive.order
    for j in range(keys.shape[1]):
        low[j], high[j] = math.inf, -math.inf
    if keys.shape[1] == 2 and size > 0:  # sorted
        first, last = order[0], order[size - 1]
        low[0], high[0] = keys[first, 0], keys[last, 0]
        low[1], high[1] = keys[last, 1], keys[first, 1]
        return
    if has_tree(archive, size):
        for j in range(keys.shape[1]):
            low[j], high[j] = archive.tree.low[0, j], archive.tree.high[0, j]
        return
    for rank in range(size):
        slot = order[rank]
        for j in range(keys.shape[1]):
            low[j] = min(low[j], keys[slot, j])
            high[j] = max(high[j], keys[slot, j])


@lean_kernel
def gain(archive: Archive, size: int, y: Floats, low: Floats, high: Floats) -> float:
    """What ``y`` adds to the front, in units of the front's box.

    With two objectives the hypervolume that only ``y`` covers, up to a tenth beyond
    the box; with more the distance by which the front misses ``y`` (its additive
    epsilon), which costs far less. 0 if ``y`` is dominated.
    """
    return gain_above(archive, size, y, low, high, 0.0)


@lean_kernel
def gain_above(
    archive: Archive, size: int, y: Floats, low: Floats, high: Floats, most: float
) -> float:
    """What ``y`` adds to the front, see :func:`gain`; maybe 0 if not above ``most``.

    Most candidates are turned away by the first members they are compared with.
    """
    if size == 0:
        return 1.0
    if archive.keys.shape[1] == 2:
        return _area_gain(archive, size, y, low, high)
    if has_tree(archive, size):
        return least_missed(archive.tree, y, low, high, 1.0, most)
    least = 1.0
    for rank in range(size):
        missed = missed_by(archive.keys[archive.order[rank]], y, low, high, least)
        if missed < least:
            least = missed
            if least <= most:
                ask_sooner(archive, 0, rank)
                return 0.0
    return least


@lean_kernel
def missed_by(key: Floats, y: Floats, low: Floats, high: Floats, least: float) -> float:
    """By how much a member misses ``y``, in units of the box; 1 if by ``least``."""
    missed = -1.0
    for j in range(key.shape[0]):
        width = high[j] - low[j] if high[j] > low[j] else 1.0
        if key[j] - y[j] >= least * width:
            return 1.0
        missed = max(missed, (key[j] - y[j]) / width)
    return missed


@lean_kernel
def _area_gain(
    archive: Archive, size: int, y: Floats, low: Floats, high: Floats
) -> float:
    """Area that only ``y`` dominates, below the front's box and a tenth beyond."""
    keys, order = archive.keys, archive.order
    width = high[0] - low[0] if high[0] > low[0] else 1.0
    height = high[1] - low[1] if high[1] > low[1] else 1.0
    right, top = high[0] + MARGIN * width, high[1] + MARGIN * height
    rank = first_larger(archive, size, y[0])
    ceiling = min(top, keys[order[rank - 1], 1]) if rank > 0 else top
    if ceiling <= y[1] or y[0] >= right:
        return 0.0
    area, left = 0.0, y[0]
    while left < right:
        end = min(right, keys[order[rank], 0]) if rank < size else right
        area += (end - left) / width * ((ceiling - y[1]) / height)
        if rank >= size:
            break
        ceiling = min(ceiling, keys[order[rank], 1])
        if ceiling <= y[1]:
            break
        left = end
        rank += 1
    return area


@lean_kernel
def best_member(archive: Archive, size: int, weights: Floats) -> int:
    """Slot of the member with the least weighted sum of objectives; -1 for none.

    No weight may be negative. With two objectives all members are compared, for they
    are few.
    """
    if has_tree(archive, size):
        return lightest(archive.tree, weights)
    best, least = -1, math.inf
    for rank in range(size):
        slot = archive.order[rank]
        total = 0.0
        for j in range(archive.keys.shape[1]):
            total += weights[j] * archive.keys[slot, j]
        if total < least or best < 0:
            best, least = slot, total
    return best


@lean_kernel
def aim_at(
    archive: Archive, size: int, y: Floats, low: Floats, high: Floats, weights: Floats
) -> float:
    """Write weights normal to the front at member ``y`` into ``weights``.

    Returns
    -------
    By how much something new nearby may be worse than ``y`` under these weights: the
    corners of the gaps between the members around ``y``. With other than two
    objectives there is no order to find them by, and the slack is infinite.
    """
    m = archive.keys.shape[1]
    for j in range(weights.shape[0]):
        weights[j] = 0.0
    for j in range(m):
        weights[j] = 1.0 / (high[j] - low[j]) if high[j] > low[j] else 1.0
    if m != 2 or size < 3:
        return math.inf
    keys, order = archive.keys, archive.order
    rank, reach = first_larger(archive, size, y[0]) - 1, 2 + size // NEARBY
    first, last = max(0, rank - reach), min(size - 1, rank + reach)
    across = (keys[order[last], 0] - keys[order[first], 0]) * weights[0]
    down = (keys[order[first], 1] - keys[order[last], 1]) * weights[1]
    if across + down > 0.0:
        weights[0] *= down / (across + down)
        weights[1] *= across / (across + down)
    slack = 0.0
    for k in range(first, last):
        worse = weights[0] * (keys[order[k + 1], 0] - y[0])
        worse += weights[1] * (keys[order[k], 1] - y[1])
        slack = max(slack, worse)
    return slack
