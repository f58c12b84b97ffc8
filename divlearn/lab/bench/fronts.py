"""Measures of a front: how dense, how various, how good on average."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.plugins import (
    METRICS,
    is_reference,
    loaded,
    referenced,
    source_digest,
)
from divlearn.basics.text import said_by
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


def front_measure(name: str) -> Measure | None:
    """A measure of fronts by name, of a package, or one's own; None if it is none."""
    if is_reference(name):
        found = referenced("metric", name)
        if not callable(found):
            raise InputError(
                f"metric {name!r} must be a function of front, solutions and problem "
                f"that returns a number, got {found!r}."
            )
        own: Measure = found
        return own
    return FRONT_MEASURES.get(name) or offered_measures().get(name)


@cache
def offered_measures() -> dict[str, Measure]:
    """Measures that installed packages offer, by name."""
    return loaded(METRICS)


def less_is_better(name: str) -> bool:
    """Whether a measure of somebody else's is to be small; its attribute says so."""
    return bool(getattr(front_measure(name), "less_is_better", False))


def measured(name: str, front: Floats, solutions: list[Any], problem: Problem) -> float:
    """Take a measure of a front; whatever a function does wrong is told in words."""
    function = front_measure(name)
    assert function is not None
    if name in FRONT_MEASURES:
        return function(front, solutions, problem)
    try:
        return float(function(front, solutions, problem))
    except Exception as error:
        raise InputError(
            f"metric {name!r} must return a number for a front of {len(front)} "
            f"solutions of {problem.name}, but raised {said_by(error)}"
        ) from error


def kept_as(name: str) -> str:
    """What a store calls a measure: one's own changes its name when it is changed."""
    digest = "" if name in FRONT_MEASURES else source_digest(front_measure(name))
    return f"{name} {digest}".strip()


FRONT_MEASURES: dict[str, Measure] = {
    "coverage": _coverage,
    "spread": _spread,
    "raw_diversity": _raw_diversity,
    "adjusted_diversity": _adjusted_diversity,
    "knn_diversity": _knn_diversity,
    "mean_reward": mean_reward,
    "mean_objective": mean_objective,
}
