"""What methods that shorten weighted sums of tour lengths have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats
from divlearn.problems.built_in.tsp import TSP


def require_tours(problem: Any, method: str, least: int) -> None:
    """Refuse everything but tours with known distances and enough cities."""
    if not isinstance(problem, TSP):
        raise InputError(
            f"{method} handles TSP problems, such as bitsp-50, tritsp-20, biatsp-30 or "
            f"TSPLIB files, got {getattr(problem, 'name', problem)!r}; use dl or nsga2."
        )
    if len(problem.distances[0]) < least:
        raise InputError(
            f"{method} needs at least {least} cities, got {len(problem.distances[0])}; "
            "try all tours."
        )


def in_mean_distances(distances: Floats) -> Floats:
    """Divide every matrix by its mean distance, and make the smallest distance 0.

    So a weight means the same whatever the units of the objectives. Subtracting the
    same from every distance shortens all tours by the same amount.

    Parameters
    ----------
    distances
        Shape (m, n, n); the diagonal is ignored.

    Returns
    -------
    Numbers from 0 on, shape (m, n, n).

    Examples
    --------
    >>> import numpy as np
    >>> from divlearn.lab.baselines.weighted_distances import in_mean_distances
    >>> in_mean_distances(np.array([[[0, 30], [50, 0]]]))
    array([[[0. , 0. ],
            [0.5, 0. ]]])
    """
    n = distances.shape[1]
    ways = ~np.eye(n, dtype=bool)
    scaled = np.zeros(distances.shape)
    for matrix, given in zip(scaled, distances, strict=True):
        mean = np.abs(given[ways]).mean()
        matrix[ways] = (given[ways] - given[ways].min()) / (mean or 1.0)
    return scaled


def weighted_matrix(weights: Floats, distances: Floats) -> Floats:
    """Sum of the matrices, shape (m, n, n), by their weights, shape (m,)."""
    return np.asarray(np.tensordot(weights, distances, axes=1))
