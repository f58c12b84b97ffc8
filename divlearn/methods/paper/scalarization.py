"""Weight vectors on the simplex, and how they make one number of several."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats

#: Names in the order of the kernels' numbers.
SCALARIZATIONS = ("weighted-sum", "tchebycheff", "augmented-tchebycheff")
NORMALISATIONS = ("running", "initial", "none")


def simplex_lattice(num_objectives: int, at_least: int) -> Floats:
    """Weight vectors with equally spaced parts that sum to one.

    Parameters
    ----------
    num_objectives
        m, at least 1.
    at_least
        The coarsest lattice with at least this many vectors is taken.

    Returns
    -------
    Weights, shape (W, m), in lexicographic order, so that neighbours are similar.

    Examples
    --------
    >>> simplex_lattice(2, 3)
    array([[0. , 1. ],
           [0.5, 0.5],
           [1. , 0. ]])
    """
    if num_objectives == 1:
        return np.ones((1, 1))
    parts = 1
    while _lattice_size(num_objectives, parts) < at_least:
        parts += 1
    rows = []
    for bars in combinations(range(parts + num_objectives - 1), num_objectives - 1):
        edges = (-1, *bars, parts + num_objectives - 1)
        rows.append([b - a - 1 for a, b in pairwise(edges)])
    return np.array(rows, np.float64) / parts


def _lattice_size(num_objectives: int, parts: int) -> int:
    """Number of ways to write ``parts`` as an ordered sum of m numbers."""
    size = 1
    for j in range(1, num_objectives):
        size = size * (parts + j) // j
    return size


def spread_subset(weights: Floats, count: int) -> Floats:
    """Choose ``count`` rows of a lattice that are far apart.

    Corners come first, then always the row farthest from those chosen; with fewer
    rows than corners the first corners. The order of the lattice is kept.

    Examples
    --------
    >>> spread_subset(simplex_lattice(2, 9), 3)
    array([[0. , 1. ],
           [0.5, 0.5],
           [1. , 0. ]])
    """
    if count >= len(weights):
        return weights
    rows = np.flatnonzero(weights.max(axis=1) == 1.0)[:count].tolist()
    while len(rows) < count:
        gaps = np.abs(weights[:, None] - weights[rows]).sum(axis=2).min(axis=1)
        rows.append(int(np.argmax(gaps)))
    chosen: Floats = weights[np.sort(rows)]
    return chosen


def read_weights(weights: Any, num_objectives: int) -> Floats:
    """Check weight vectors given by the user, shape (W, m)."""
    try:
        rows = np.array(weights, np.float64)
    except (TypeError, ValueError):
        rows = np.empty(0)
    if rows.ndim != 2 or rows.shape[1] != num_objectives or not len(rows):
        raise InputError(
            f"weights needs one row per weight vector and {num_objectives} columns, "
            f"got {weights!r}."
        )
    for number, row in enumerate(rows):
        if not np.isfinite(row).all() or row.min() < 0 or abs(row.sum() - 1) > 1e-6:
            raise InputError(
                "weights must lie on the simplex (no negative entry, sum 1), but row "
                f"{number} is {row.tolist()}; divide it by its sum."
            )
    return rows
