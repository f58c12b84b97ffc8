"""What random instances have in common: correlated numbers, and their two points."""

from __future__ import annotations

import math

import numpy as np

from divlearn.basics.checks import require_number
from divlearn.basics.typing import Floats
from divlearn.problems.built_in.base import BuiltIn

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


def interpolate(n: int, points: tuple[tuple[int, float], ...]) -> float:
    """Straight lines between ``points``; proportional to n outside them.

    Examples
    --------
    >>> interpolate(35, ((20, 20.0), (50, 35.0))), interpolate(10, ((20, 20.0),))
    (27.5, 10.0)
    """
    sizes, numbers = zip(*points, strict=True)
    inside = min(max(n, sizes[0]), sizes[-1])
    return float(np.interp(inside, sizes, numbers) * n / inside)


def correlated_uniform(
    rng: np.random.Generator, shape: tuple[int, ...], rho: float
) -> Floats:
    """Draw pairs of numbers, each uniform in [0, 1], with correlation ``rho``.

    Two normal variables with correlation 2 sin(pi rho / 6), each passed through its
    distribution function, have exactly this correlation.

    Parameters
    ----------
    rng
        Their source: first all of one normal variable, then all of the other.
    shape
        How many pairs.
    rho
        Correlation, from -1 to 1.

    Returns
    -------
    Array of shape (2, *shape).

    Examples
    --------
    >>> u = correlated_uniform(np.random.default_rng(0), (100_000,), rho=-0.7)
    >>> np.corrcoef(u)[0, 1].round(2)
    np.float64(-0.7)
    """
    rho = require_number("rho", rho, -1.0, 1.0)
    latent = 2.0 * math.sin(math.pi * rho / 6.0)
    first, second = rng.standard_normal((2, *shape))
    second = latent * first + math.sqrt(max(0.0, 1.0 - latent**2)) * second
    normal = np.stack([first, second])
    shares = [0.5 * math.erfc(-z / math.sqrt(2.0)) for z in normal.ravel().tolist()]
    return np.array(shares).reshape(normal.shape)
