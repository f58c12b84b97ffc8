"""Measures of a front: how dense, how various, how good on average."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.methods.paper.rules import TABLE, size_class
from divlearn.methods.paper.scalarization import simplex_lattice
from divlearn.problems import Problem

#: A measure takes objective values, shape (k, m), solutions and the problem.
Measure = Callable[[Floats, list[Any], Problem], float]


def _coverage(front: Floats, solutions: list[Any], problem: Problem) -> float:
    from divlearn.metrics import coverage

    return coverage(front, problem.senses)


def _spread(front: Floats, solutions: list[Any], problem: Problem) -> float:
    from divlearn.metrics import spread

    return spread(front, problem.senses)


def _raw_diversity(front: Floats, solutions: list[Any], problem: Problem) -> float:
    from divlearn.metrics import raw_diversity

    return raw_diversity(solutions, problem)


def _adjusted_diversity(front: Floats, solutions: list[Any], problem: Problem) -> float:
    from divlearn.metrics import adjusted_diversity

    return adjusted_diversity(solutions, problem)


def _knn_diversity(front: Floats, solutions: list[Any], problem: Problem) -> float:
    from divlearn.metrics import knn_diversity

    return knn_diversity(solutions, problem)


def mean_reward(front: Floats, solutions: list[Any], problem: Problem) -> float:
    """Mean over weight vectors of the best weighted sum, as a reward below 0.

    The paper does not say how it scales rewards. Here objectives are 0 at the ideal
    and 1 at the reference point of the problem, whatever was found, so rewards of
    different methods can be compared; the weights are those of the paper's table for
    problems of this size, also for methods that have none.

    Returns
    -------
    0 if every weight finds the ideal point, -1 for the reference point; NaN for a
    problem that lacks one of the points, and for an empty front.

    Examples
    --------
    >>> from divlearn.problems import get
    >>> problem = get("bitsp-20")
    >>> mean_reward(problem.reference[None], [], problem)
    -1.0
    """
    if problem.reference is None or problem.ideal is None or not len(front):
        return math.nan
    ideal = problem.ideal * problem.sign
    width = problem.reference * problem.sign - ideal
    costs = (front * problem.sign - ideal) / width
    return -float((lattice_for(problem) @ costs.T).min(axis=1).mean())


def lattice_for(problem: Problem) -> Floats:
    """Weight vectors of the paper's table for a problem, shape (W, m)."""
    m = problem.num_objectives
    row = "weights of two objectives" if m <= 2 else "weights of more"
    return simplex_lattice(m, TABLE[row][size_class(problem)])


def mean_objective(front: Floats, solutions: list[Any], problem: Problem) -> float:
    """Mean over the front and over its objectives, in their own units.

    For tours it is what the paper calls the average tour length.
    """
    return float(np.mean(front)) if len(front) else math.nan


FRONT_MEASURES: dict[str, Measure] = {
    "coverage": _coverage,
    "spread": _spread,
    "raw_diversity": _raw_diversity,
    "adjusted_diversity": _adjusted_diversity,
    "knn_diversity": _knn_diversity,
    "mean_reward": mean_reward,
    "mean_objective": mean_objective,
}
