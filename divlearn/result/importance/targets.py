"""What is to be explained: every objective, every constraint, and the hypervolume."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.metrics.hypervolume import hypervolume

HYPERVOLUME = "hypervolume"
#: How far from the middle half of all values a value counts, in widths of that half.
REACH = 20.0
#: Solutions of a front that depths are measured below; fewer with many objectives.
MOST_FRONT, FEW_FRONT, FEW_OBJECTIVES = 200, 30, 3


def tamed(values: Floats) -> Floats:
    """Values, shape (s,), without a few that are far from all others.

    Examples
    --------
    >>> tamed(np.array([1.0, 2.0, 3.0, 4.0, 1e9])).tolist()
    [1.0, 2.0, 3.0, 4.0, 44.0]
    """
    low, high = np.quantile(values, (0.25, 0.75))
    reach = REACH * (high - low)
    return np.clip(values, low - reach, high + reach) if reach > 0.0 else values


def depths(outputs: Floats, front: Floats, num_objectives: int) -> Floats:
    """How far designs are from the front, shape (s,).

    It is the volume of what lies between a design and the front, and its root of the
    number of objectives, which makes it a length: 0 on the front. An infeasible design
    is as far as the farthest feasible one.

    Parameters
    ----------
    outputs
        Objectives, minimised, then constraints, shape (s, m + c).
    front
        Objectives of the front, minimised, shape (k, m).
    num_objectives
        Number of objectives, m.
    """
    objectives = np.column_stack(
        [tamed(column) for column in outputs[:, :num_objectives].T]
    )
    feasible = (outputs[:, num_objectives:] <= 0.0).all(axis=1)
    low, size = front.min(axis=0), np.ptp(objectives, axis=0)
    size[size <= 0.0] = 1.0
    most = MOST_FRONT if num_objectives <= FEW_OBJECTIVES else FEW_FRONT
    kept = np.unique(np.linspace(0, len(front) - 1, most).astype(int))
    points = (front[kept] - low) / size
    found = np.zeros(len(outputs))
    for row in np.flatnonzero(feasible):
        corner = np.maximum((objectives[row] - low) / size, 0.0)
        volume = hypervolume(points, corner) if corner.any() else 0.0
        found[row] = volume ** (1.0 / num_objectives)
    found[~feasible] = found.max(initial=0.0)
    return found
