"""Random unconstrained binary quadratic problems."""

from __future__ import annotations

import numpy as np

from divlearn.basics.checks import require_number
from divlearn.problems.binary_quadratic import BinaryQuadratic
from divlearn.problems.built_in import BuiltIn
from divlearn.problems.families.base import Family
from divlearn.problems.families.correlated import correlated_uniform
from divlearn.problems.families.points import growing_reach, set_points

#: Standard deviations, per root of N, from random bits to the ideal point.
REACH = 1.2


def _quadratic(
    rng: np.random.Generator,
    n: int,
    name: str,
    density: float = 0.8,
    rho: float = 0.0,
) -> BuiltIn:
    """Make triangular matrices of whole numbers from -100 to 100, some of them 0."""
    density = require_number("density", density, 0.0, 1.0)
    used = np.triu(rng.random((n, n)) < density)
    entries = np.floor(201.0 * correlated_uniform(rng, (n, n), rho)) - 100.0
    problem = BinaryQuadratic(np.minimum(entries, 100.0) * used, name=name)
    return set_points(problem, growing_reach(n, REACH))


UBQP = Family(
    "N bits with 2 quadratic values; options density, rho",
    _quadratic,
    most=2_000,
    options=("density", "rho"),
)
