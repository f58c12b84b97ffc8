"""Random solutions of a problem, their values, and values on a scale from 0 to 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.problems import Problem


def random_codes(problem: Problem, count: int, seed: int) -> Codes:
    """Draw solutions, repaired where the problem repairs; shape (count, n)."""
    rng = np.random.default_rng(seed)
    rows = [
        problem.repair_codes(problem.space.encode(problem.space.sample(int(number))))
        for number in rng.integers(2**31, size=count)
    ]
    return np.array(rows, np.int64)


def costs_of(problem: Problem, codes: Codes) -> Floats:
    """Objectives of solutions, minimised, without noise; shape (q, m)."""
    solutions = [problem.space.decode(row) for row in codes]
    exact = getattr(problem, "exact", problem)
    values = exact.evaluate_batch(solutions)[:, : problem.num_objectives]
    return np.asarray(values * problem.sign)


@dataclass(frozen=True)
class Scale:
    """Costs on a scale from 0 to 1, and one number for all objectives.

    The search normalises by bounds that move. Regret needs a scale that stays.

    Attributes
    ----------
    low, high
        Costs that become 0 and 1, arrays of shape (m,).
    weights
        Weights of the objectives, array of shape (m,), 1 in total.
    """

    low: Floats
    high: Floats
    weights: Floats

    @property
    def slopes(self) -> Floats:
        """What a unit of each objective adds to the cost, shape (m,)."""
        return np.asarray(self.weights / (self.high - self.low))

    def cost(self, costs: Floats) -> Floats:
        """Weighted cost of rows of minimised objectives, shape (q, m) -> (q,)."""
        return np.asarray((costs - self.low) @ self.slopes)


def sampled_scale(
    problem: Problem, weights: Floats, count: int = 2_000, seed: int = 0
) -> Scale:
    """Take as bounds the best and the worst of random solutions.

    Good solutions cost less than 0 then; only differences of costs are used.
    """
    costs = costs_of(problem, random_codes(problem, count, seed))
    low, high = costs.min(axis=0), costs.max(axis=0)
    high = np.where(high > low, high, low + 1.0)
    return Scale(low, high, np.asarray(weights, np.float64))
