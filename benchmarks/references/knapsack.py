"""The whole front of a knapsack, by dynamic programming."""

from __future__ import annotations

from typing import Any

from benchmarks.references.common import Clock, Front, require_problem
from divlearn.problems import Knapsack, exact_front


def front(problem: Any) -> Front:
    """Return all non-dominated points of a knapsack with two values.

    Nothing is evaluated one by one: the program builds all good choices at once, so
    that evaluations are 0.
    """
    require_problem(problem, Knapsack, "exact")
    exact_front([2, 3, 4], [[5, 1], [1, 5], [3, 3]], 6)  # compile
    clock = Clock()
    _, points = exact_front(problem)
    return Front(points, 0, clock.read())
