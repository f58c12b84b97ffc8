"""Random solutions, the control of every comparison."""

from __future__ import annotations

from typing import Any

from benchmarks.references.common import Clock, Evaluator, Front
from benchmarks.references.operators import random_codes


def front(problem: Any, budget: int, seed: int = 0) -> Front:
    """Evaluate ``budget`` random solutions and keep the non-dominated ones."""
    evaluator = Evaluator(problem)
    clock = Clock()
    for row in random_codes(problem.space.layout, budget, seed):
        if problem.codes_are_valid(row):
            evaluator(row)
    return Front(evaluator.front(), len(evaluator.outputs), clock.read())
