"""Random NK landscapes with correlated objectives."""

from __future__ import annotations

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.errors import InputError
from divlearn.problems.built_in import BuiltIn
from divlearn.problems.families.base import Family
from divlearn.problems.families.correlated import correlated_uniform
from divlearn.problems.families.points import growing_reach, set_points
from divlearn.problems.landscape import NKLandscape

#: Standard deviations, per root of N, from random bits to the ideal point.
REACH = 1.2


def _landscape(
    rng: np.random.Generator, n: int, name: str, k: int = 2, rho: float = 0.0
) -> BuiltIn:
    """Make bits that depend on k others, the same for both objectives."""
    k = require_whole("k", k, 1, 10)
    if k >= n:
        raise InputError(f"k must be below the number of bits, {n}, got {k}.")
    links = [
        np.sort(rng.choice(np.delete(np.arange(n), i), k, replace=False))
        for i in range(n)
    ]
    contributions = correlated_uniform(rng, (n, 2 ** (k + 1)), rho)
    problem = NKLandscape(np.array(links), contributions, name=name)
    return set_points(problem, growing_reach(n, REACH))


MNK = Family(
    "N bits, each contributing with k others to 2 values; options k, rho",
    _landscape,
    least=3,
    options=("k", "rho"),
)
