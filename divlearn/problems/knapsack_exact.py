"""The exact front of a bi-objective knapsack, to measure others against."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Floats, Integers
from divlearn.errors import InputError
from divlearn.problems.knapsack import Knapsack

Choices = NDArray[np.bool_]

#: Directions, as weights of the two values, in which completions are bounded.
DIRECTIONS = np.array([[1, 0], [0, 1], [0.2, 0.8], [0.4, 0.6], [0.6, 0.4], [0.8, 0.2]])
#: Directions in which a first front is filled greedily.
NUM_GREEDY = 33
#: How far beyond the known front a label must promise to go, in mean values of an item.
#: At first far, which finds a good front quickly; then not at all, apart from rounding,
#: which is exact and, thanks to that front, quick.
SLACKS = (0.4, -1e-9)


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
    >>> from divlearn.problems.knapsack_exact import exact_front
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
    from divlearn.kernels.objectives.knapsack_exact import decide_item

    weights, capacity = raw.weights[items, 0], float(raw.capacity[0])
    values, corners = _scaled(raw, items, front)
    labels = _new_labels(1, len(items))
    for k, (weight, (first, second)) in enumerate(zip(weights, values, strict=True)):
        found = _new_labels(2 * len(labels.weight), len(items))
        bounds = _bounds(weights[k + 1 :], values[k + 1 :], corners, slack)
        count = decide_item(labels, k, weight, first, second, capacity, bounds, found)
        labels = type(found)(*(array[:count].copy() for array in found))
    choices = np.tile(raw.weights[:, 0] == 0.0, (len(labels.weight), 1))
    for k, item in enumerate(items):
        bit = labels.chosen[:, k // 64] >> np.uint64(k % 64)
        choices[:, item] = (bit & np.uint64(1)).astype(np.bool_)
    return choices


def _new_labels(count: int, num_items: int) -> Any:
    """Make room for labels; the first of them is the empty choice."""
    from divlearn.kernels.objectives.knapsack_exact import Labels

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


def _bounds(weights: Floats, values: Floats, corners: Floats, slack: float) -> Any:
    """Cumulate the open items by decreasing worth in each direction."""
    from divlearn.kernels.objectives.knapsack_exact import Bounds

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
