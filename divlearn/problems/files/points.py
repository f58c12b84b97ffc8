"""Reference and ideal points of problems that come without them.

They follow a rule that is no library's convention. It serves to compare searches of the
same instance, and at the paper's sizes it is close to the paper's points.
"""

from __future__ import annotations

from decimal import ROUND_UP, Context
from typing import TYPE_CHECKING

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.problems.built_in.base import BuiltIn

if TYPE_CHECKING:
    from divlearn.problems.built_in import CVRP, TSP, Knapsack

Points = tuple[list[float], list[float]]


def suggest_points(problem: BuiltIn) -> Points | None:
    """Return a reference and an ideal point of tours, knapsacks and routes.

    None if all solutions are equal, and for other problems.

    Examples
    --------
    >>> from divlearn.problems import get
    >>> suggest_points(get("bitsp-100"))
    ([67.0, 68.0], [0.0, 0.0])
    """
    from divlearn.problems import CVRP, TSP, Knapsack

    if isinstance(problem, Knapsack):
        ideal = _round_up(_most_values(problem))
        return ([0.0] * len(ideal), ideal) if min(ideal) > 0.0 else None
    if isinstance(problem, TSP):
        reference = _round_up(_long_tours(problem))
    elif isinstance(problem, CVRP):
        reference = _round_up(_long_routes(problem))
    else:
        return None
    return (reference, [0.0] * len(reference)) if min(reference) > 0.0 else None


def _long_tours(problem: TSP) -> Floats:
    """A quarter more than the mean length of all tours, per objective."""
    if problem.distance is None and problem.coordinates is not None:
        from divlearn.problems.built_in.tour_points import mean_lengths

        return np.asarray(1.25 * mean_lengths(problem.coordinates))
    distances, n = problem.distances, problem.distances.shape[1]
    between = distances.sum(axis=(1, 2)) - distances.trace(axis1=1, axis2=2)
    return np.asarray(1.25 * between / (n - 1))


def _long_routes(problem: CVRP) -> Floats:
    """A vehicle per customer; and half more than the longest route of a simple plan."""
    assert problem.compiled is not None
    n, table = len(problem.demands), problem.compiled.table
    round_trips = table[n, :n] + table[:n, n]
    return np.array([round_trips.sum(), 1.5 * problem.limits[-2]])


def _most_values(problem: Knapsack) -> Floats:
    """More of each value than any choice has: as if items could be divided."""
    constraints = list(zip(problem.weights.T, problem.capacity, strict=True))
    bounds = [
        [_divided(value, weight, capacity) for weight, capacity in constraints]
        for value in problem.values.T
    ]
    return np.asarray(np.min(bounds, axis=1))


def _divided(value: Floats, weight: Floats, capacity: float) -> float:
    """Largest value within a capacity if items could be divided (Dantzig's bound)."""
    free = weight == 0.0
    order = np.argsort(-value[~free] / weight[~free])
    value_of, weight_of = value[~free][order], weight[~free][order]
    room = capacity - (np.cumsum(weight_of) - weight_of)
    share = np.clip(room / weight_of, 0.0, 1.0)
    return float(value[free].sum() + (share * value_of).sum())


def _round_up(numbers: Floats) -> list[float]:
    """Round away from 0 to two digits, so that points are easy to write down."""
    context = Context(prec=2, rounding=ROUND_UP)
    return [float(context.create_decimal_from_float(x)) for x in numbers.tolist()]
