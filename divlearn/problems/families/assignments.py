"""Random quadratic assignments."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.problems.assignment import QuadraticAssignment
from divlearn.problems.built_in import BuiltIn
from divlearn.problems.families.base import Family
from divlearn.problems.families.points import growing_reach, set_points

#: Standard deviations, per root of N, from random assignments to the ideal point.
REACH = 2.0


def _assignment(rng: np.random.Generator, n: int, name: str) -> BuiltIn:
    """Make symmetric distances and two symmetric flows of whole numbers."""
    distances, first, second = _mirrored(rng.integers(1, 100, (3, n, n)))
    problem = QuadraticAssignment(distances, [first, second], name=name)
    return set_points(problem, growing_reach(n, REACH))


def _mirrored(matrices: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Floats:
    """Mirror the upper triangles onto the lower ones."""
    upper = np.triu(matrices, 1)
    return (upper + upper.transpose(0, 2, 1)).astype(np.float64)


QAP = Family(
    "N facilities at N locations with 2 flows between them", _assignment, 2, 1_000
)
