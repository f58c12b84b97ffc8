"""The exact front of a bi-objective knapsack, to measure others against.

A label is a choice among the items decided so far, with its weight and its two
values. It is kept if no lighter label is as good in both values and if the items still
open may lift it beyond the best choices known.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats, Integers, Words
from divlearn.kernels.jit import kernel
from divlearn.problems.built_in.knapsack import Knapsack

Choices = NDArray[np.bool_]

#: Directions, as weights of the two values, in which completions are bounded.
DIRECTIONS = np.array([[1, 0], [0, 1], [0.2, 0.8], [0.4, 0.6], [0.6, 0.4], [0.8, 0.2]])
#: Directions in which a first front is filled greedily.
NUM_GREEDY = 33
#: How far beyond the known front a label must promise to go, in mean values of an item.
#: At first far, which finds a good front quickly; then not at all, apart from rounding,
#: which is exact and, thanks to that front, quick.
SLACKS = (0.4, -1e-9)


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


def exact_front(
    problem: Any, values: Any = None, capacity: Any = None
) -> tuple[Choices, Floats]:
    """Find all non-dominated value pairs of a knapsack with one constraint.

    Dynamic programming over the items, by decreasing mean efficiency: labels (weight,
    value 1, value 2) are dropped if a lighter one is as good, or if the fractional
    relaxation in several directions shows that they cannot surpass what is known.
    After C. Bazgan, H. Hugot, D. Vanderpooten, "Solving efficiently the 0-1
    multi-objective knapsack problem", Computers & Operations Research 36 (2009).

    Time and memory grow quickly with n: for uniform random numbers about 0.01, 0.1
    and 1 seconds at n = 50, 100 and 200. Weights and values may be any numbers that
    are not negative; sums are exact up to rounding.

    Parameters
    ----------
    problem
        A :class:`Knapsack` with two objectives and one constraint, whatever its
        repair; or the weights, shape (n,), to be given with ``values`` and
        ``capacity``.
    values
        Array of shape (n, 2).
    capacity
        A positive number.

    Returns
    -------
    One choice for each point of the front, shape (k, n), and the points, shape (k, 2),
    by increasing first value.

    Examples
    --------
    >>> from divlearn.problems import exact_front
    >>> choices, front = exact_front([2, 3, 4], [[5, 1], [1, 5], [3, 3]], 6)
    >>> front
    array([[6., 6.],
           [8., 4.]])
    >>> choices[0]
    array([ True,  True, False])
    """
    raw = _read(problem, values, capacity)
    items = _worth_deciding(raw)
    choices = _fill_greedily(raw, items)
    choices, front = _non_dominated(raw, choices)
    for slack in SLACKS:
        labels = _run_labels(raw, items, front, slack)
        choices, front = _non_dominated(raw, np.vstack([choices, labels]))
    return choices, front


def _read(problem: Any, values: Any, capacity: Any) -> Knapsack:
    """Return the problem without a repair, so that it reports its load."""
    if isinstance(problem, Knapsack):
        raw = Knapsack(problem.weights, problem.values, problem.capacity)
    else:
        raw = Knapsack(problem, values, capacity)
    if raw.num_objectives != 2 or raw.num_constraints != 1:
        raise InputError(
            "exact_front needs a knapsack with 2 objectives and 1 constraint, got "
            f"{raw.num_objectives} and {raw.num_constraints}."
        )
    return raw


def _worth_deciding(raw: Knapsack) -> Integers:
    """Items that are neither free nor too heavy, by decreasing efficiency."""
    weights = raw.weights[:, 0]
    order: Integers = np.argsort(-raw.efficiency, kind="stable")
    open_items = (weights > 0.0) & (weights <= raw.capacity[0])
    chosen: Integers = order[open_items[order]]
    return chosen


def _fill_greedily(raw: Knapsack, items: Integers) -> Choices:
    """Fill the knapsack by efficiency in several directions, shape (k, n)."""
    weights, (capacity,) = raw.weights[:, 0], raw.capacity
    choices = np.tile(weights == 0.0, (NUM_GREEDY, 1))
    for choice, share in zip(choices, np.linspace(0.0, 1.0, NUM_GREEDY), strict=True):
        worth = raw.values[items] @ [share, 1.0 - share] / weights[items]
        load = 0.0
        for item in items[np.argsort(-worth)]:
            if load + weights[item] <= capacity:
                load += weights[item]
                choice[item] = True
    return choices


def _non_dominated(raw: Knapsack, choices: Choices) -> tuple[Choices, Floats]:
    """Keep one choice for each non-dominated point, by increasing first value."""
    outputs = raw.evaluate_batch(list(choices))
    fits = outputs[:, 2] <= 0.0
    choices, points = choices[fits], outputs[fits, :2]
    order = np.lexsort((-points[:, 1], -points[:, 0]))
    second = points[order, 1]
    higher = np.append(True, second[1:] > np.maximum.accumulate(second)[:-1])
    kept = order[higher][::-1]
    return choices[kept], points[kept]


def _run_labels(raw: Knapsack, items: Integers, front: Floats, slack: float) -> Choices:
    """Find choices that go beyond ``front`` by more than ``slack``, shape (k, n)."""
    weights, capacity = raw.weights[items, 0], float(raw.capacity[0])
    values, corners = _scaled(raw, items, front)
    labels = _new_labels(1, len(items))
    for k, (weight, (first, second)) in enumerate(zip(weights, values, strict=True)):
        found = _new_labels(2 * len(labels.weight), len(items))
        bounds = _bounds(weights[k + 1 :], values[k + 1 :], corners, slack)
        count = decide_item(labels, k, weight, first, second, capacity, bounds, found)
        labels = Labels._make(array[:count].copy() for array in found)
    choices = np.tile(raw.weights[:, 0] == 0.0, (len(labels.weight), 1))
    for k, item in enumerate(items):
        bit = labels.chosen[:, k // 64] >> np.uint64(k % 64)
        choices[:, item] = (bit & np.uint64(1)).astype(np.bool_)
    return choices


def _new_labels(count: int, num_items: int) -> Labels:
    """Make room for labels; the first of them is the empty choice."""
    weight, first, second = np.zeros((3, count))
    return Labels(
        weight, first, second, np.zeros((count, -(-num_items // 64)), np.uint64)
    )


def _scaled(raw: Knapsack, items: Integers, front: Floats) -> tuple[Floats, Floats]:
    """Values and corners of the front, in units close to an item's mean value.

    The units are powers of two, so that no digit is lost. Free items add the same to
    all points and are left out.
    """
    unit = np.exp2(np.round(np.log2(np.maximum(raw.values.mean(axis=0), 1e-300))))
    points = (front - raw.values[raw.weights[:, 0] == 0.0].sum(axis=0)) / unit
    corners = np.array([np.append(-1.0, points[:, 0]), np.append(points[:, 1], -1.0)])
    return np.ascontiguousarray(raw.values[items] / unit), corners


def _bounds(weights: Floats, values: Floats, corners: Floats, slack: float) -> Bounds:
    """Cumulate the open items by decreasing worth in each direction."""
    worth = DIRECTIONS @ values.T
    order = np.argsort(-worth / weights, axis=1)
    zero = np.zeros((len(DIRECTIONS), 1))
    total_weight = np.cumsum(weights[order], axis=1)
    total_value = np.cumsum(np.take_along_axis(worth, order, axis=1), axis=1)
    return Bounds(
        DIRECTIONS,
        np.hstack([zero, total_weight]),
        np.hstack([zero, total_value]),
        corners,
        slack,
    )


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
