"""Reference and ideal points by a rule, from random solutions of the instance."""

from __future__ import annotations

import numpy as np

from divlearn.problems.built_in import BuiltIn

#: Number of random solutions: ``space.sample(0)`` and so on.
SAMPLE = 500
#: Reference points are this many standard deviations worse than the mean.
SLACK = 2.0


def set_points(problem: BuiltIn, reach: float, slack: float = SLACK) -> BuiltIn:
    """Give a problem its reference and its ideal point.

    With mean and standard deviation of each objective over random solutions, feasible
    or not, the reference point is ``slack`` standard deviations worse than the mean
    and the ideal point ``reach`` better. If all are equal, the deviation is taken to be
    1.

    Parameters
    ----------
    problem
        The problem, which is changed and returned.
    reach
        Far enough that no solution is better than the ideal point; depends on the
        family and the size.
    slack
        Far enough that good solutions of one objective count in the others.
    """
    solutions = [problem.space.sample(seed) for seed in range(SAMPLE)]
    values = problem.evaluate_batch(solutions)[:, : problem.num_objectives]
    mean, spread = values.mean(axis=0), values.std(axis=0)
    spread[spread == 0.0] = 1.0
    problem.reference = mean + problem.sign * slack * spread
    problem.ideal = mean - problem.sign * reach * spread
    return problem


def growing_reach(n: int, factor: float) -> float:
    """Reach of sums over n parts, which grows like the root of n; at least 3."""
    return max(3.0, factor * float(np.sqrt(n)))
