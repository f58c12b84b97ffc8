"""One step of the exact bi-objective knapsack: decide an item for all labels.

A label is a choice among the items decided so far, with its weight and its two
values. It is kept if no lighter label is as good in both values and if the items still
open may lift it beyond the best choices known.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Floats, Words
from divlearn.kernels.jit import kernel


class Labels(NamedTuple):
    """Choices among the items decided so far, by increasing weight."""

    weight: Floats  # (k,)
    first: Floats  # (k,) first value
    second: Floats  # (k,) second value
    chosen: Words  # (k, words) a bit per item


class Bounds(NamedTuple):
    """What the open items can add at most, and what has to be surpassed."""

    directions: Floats  # (d, 2) weights of the two values; (1, 0) and (0, 1) first
    weight: Floats  # (d, open + 1) weight of the best open items in each direction
    value: Floats  # (d, open + 1) and their weighted value
    corners: Floats  # (2, c) between known points: first value rises, second falls
    slack: float  # how far a corner has to be surpassed


@kernel
def decide_item(
    labels: Labels,
    item: int,
    weight: float,
    first: float,
    second: float,
    capacity: float,
    bounds: Bounds,
    found: Labels,
) -> int:
    """Write the labels without and with ``item`` into ``found``; return their number.

    Both kinds come in order of weight and are merged. A staircase holds the values of
    the labels so far: whatever comes later is heavier and has to rise above it.
    """
    size = labels.weight.shape[0]
    stairs = np.empty((2, 2 * size + 1))
    most = np.empty(bounds.directions.shape[0])
    steps, count, without, taken = 0, 0, 0, 0
    word, bit = item // 64, np.uint64(1) << np.uint64(item % 64)
    while without < size or taken < size:
        takes = without == size or (
            taken < size and labels.weight[taken] + weight < labels.weight[without]
        )
        source = taken if takes else without
        w, a, b = labels.weight[source], labels.first[source], labels.second[source]
        if takes:
            taken += 1
            w, a, b = w + weight, a + first, b + second
        else:
            without += 1
        if w > capacity:
            continue
        place = _find_step(stairs[0], steps, a)
        if place < steps and stairs[1, place] >= b:
            continue
        if not _is_promising(a, b, capacity - w, bounds, most):
            continue
        steps = _add_step(stairs, steps, place, a, b)
        found.weight[count] = w
        found.first[count] = a
        found.second[count] = b
        for i in range(found.chosen.shape[1]):
            found.chosen[count, i] = labels.chosen[source, i]
        if takes:
            found.chosen[count, word] |= bit
        count += 1
    return count


@kernel
def _find_step(first: Floats, steps: int, a: float) -> int:
    """First of the rising ``first[:steps]`` that is at least ``a``."""
    low, high = 0, steps
    while low < high:
        middle = (low + high) // 2
        if first[middle] >= a:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def _add_step(stairs: Floats, steps: int, place: int, a: float, b: float) -> int:
    """Insert a point that no step covers, remove those it covers; return the number."""
    start = place
    while start > 0 and stairs[1, start - 1] <= b:
        start -= 1
    covered = place - start
    if covered == 0:
        for i in range(steps, start, -1):
            stairs[0, i] = stairs[0, i - 1]
            stairs[1, i] = stairs[1, i - 1]
    elif covered > 1:
        for i in range(place, steps):
            stairs[0, i - covered + 1] = stairs[0, i]
            stairs[1, i - covered + 1] = stairs[1, i]
    stairs[0, start] = a
    stairs[1, start] = b
    return steps + 1 - covered


@kernel
def _is_promising(
    a: float, b: float, room: float, bounds: Bounds, most: Floats
) -> bool:
    """Whether some completion may lie beyond a corner of the known front.

    ``most`` is room for the greatest value in each direction.
    """
    directions, corners, slack = bounds.directions, bounds.corners, bounds.slack
    num_directions = directions.shape[0]
    for d in range(num_directions):
        most[d] = directions[d, 0] * a + directions[d, 1] * b
        most[d] += _fill_fractionally(bounds.weight[d], bounds.value[d], room)
    for c in range(_first_below(corners[1], most[1] - slack), corners.shape[1]):
        if corners[0, c] + slack >= most[0]:
            return False
        d = 2
        while d < num_directions and slack < most[d] - (
            directions[d, 0] * corners[0, c] + directions[d, 1] * corners[1, c]
        ):
            d += 1
        if d == num_directions:
            return True
    return False


@kernel
def _first_below(second: Floats, limit: float) -> int:
    """First of the falling ``second`` that is below ``limit``."""
    low, high = 0, second.shape[0]
    while low < high:
        middle = (low + high) // 2
        if second[middle] < limit:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def _fill_fractionally(weight: Floats, value: Floats, room: float) -> float:
    """Greatest value in ``room`` if the last item may be cut."""
    low, high = 0, weight.shape[0] - 1
    while low < high:
        middle = (low + high + 1) // 2
        if weight[middle] <= room:
            low = middle
        else:
            high = middle - 1
    total = float(value[low])
    if low + 1 < weight.shape[0]:
        share = (room - weight[low]) / (weight[low + 1] - weight[low])
        total += (value[low + 1] - value[low]) * share
    return total
