"""Exact fronts of covering and packing problems by integer programming (HiGHS).

The method of epsilon-constraints: the best first objective under a limit on the second
one, which is then tightened by one. Whole numbers make that exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.references.common import Clock, Front, need
from divlearn.basics.errors import InputError
from divlearn.problems import SetCovering, SetPacking


def front(problem: Any) -> Front:
    """Find all non-dominated points of a problem with two objectives.

    Parameters
    ----------
    problem
        ``SetCovering`` or ``SetPacking`` with whole costs or values.
    """
    if not isinstance(problem, SetCovering | SetPacking) or problem.num_objectives != 2:
        raise InputError(
            "milp solves SetCovering and SetPacking with 2 objectives only, got "
            f"{getattr(problem, 'name', problem)!r}; use nsga2 or random instead."
        )
    covering = isinstance(problem, SetCovering)
    costs = problem.costs if covering else -problem.values
    clock, points = Clock(), []
    limit = np.inf
    while (point := _best(problem.members, costs, limit, covering)) is not None:
        points.append(point)
        limit = point[1] - 1
    found = np.array(points) * problem.sign
    return Front(found, len(points), clock.read())


def _best(members: Any, costs: Any, limit: float, covering: bool) -> Any:
    """Least first cost, then least second cost, with the second one within a limit."""
    optimize = need("scipy.optimize")
    least, most = (1, np.inf) if covering else (-np.inf, 1)
    rows = [optimize.LinearConstraint(members, least, most)]
    if np.isfinite(limit):
        rows.append(optimize.LinearConstraint(costs[:, 1], -np.inf, limit))
    tie = 1.0 / (1.0 + np.abs(costs[:, 1]).sum())
    found = optimize.milp(
        costs[:, 0] + tie * costs[:, 1],
        constraints=rows,
        integrality=np.ones(len(costs)),
        bounds=optimize.Bounds(0, 1),
        options={"mip_rel_gap": 0.0},
    )
    if found.x is None:
        return None
    return np.round(found.x) @ costs
