"""Is a reward a sum over positions? Assumption A.5', tested on random solutions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.lab.theory.samples import Scale, costs_of, random_codes
from divlearn.problems import Problem
from divlearn.spaces.base import PERMUTATION

#: Keeps the sums solvable where columns depend on each other.
RIDGE = 1e-6
#: Actions that were seen less often say nothing about their mean reward.
LEAST_VISITS = 20


@dataclass(frozen=True)
class Explained:
    """Shares of the variance of the reward that a sum of effects predicts.

    Attributes
    ----------
    positions
        By the effect of every action at every position: what the paper's tables hold.
    control
        The same where rewards were shuffled before fitting; no structure gives this.
    adjacency
        By the effects of what stands beside what, for permutations; otherwise NaN.
    """

    positions: float
    control: float
    adjacency: float


def explained(
    problem: Problem, scale: Scale, count: int = 4_000, seed: int = 0
) -> Explained:
    """Fit effects on ``count`` random solutions and test them on as many new ones.

    A share of 1 means that the reward is a sum over positions; 0, or a little less
    by the noise of the fit, that the effects of single positions predict nothing.
    """
    codes = random_codes(problem, 2 * count, seed)
    reward = 1.0 - scale.cost(costs_of(problem, codes))
    chosen = indicators(problem, codes)
    shuffled = reward.copy()
    np.random.default_rng(seed).shuffle(shuffled[:count])
    beside = neighbours(problem, codes)
    return Explained(
        predicted_share(chosen, reward, count),
        predicted_share(chosen, shuffled, count),
        float("nan") if beside is None else predicted_share(beside, reward, count),
    )


def indicators(problem: Problem, codes: Codes) -> Floats:
    """A column per position and action, 1 where it was chosen; shape (q, A)."""
    from divlearn.kernels.cells import actions_of

    layout = problem.space.layout
    columns = np.zeros((len(codes), int(layout.places.arity.sum())))
    rows = layout.places.offset + actions_of(layout, codes)
    columns[np.arange(len(codes))[:, None], rows] = 1.0
    return columns


def neighbours(problem: Problem, codes: Codes) -> Floats | None:
    """A column per two items, 1 where they are neighbours; None for other spaces."""
    segments = problem.space.segments()
    if len(segments) != 1 or segments[0][0] != PERMUTATION:
        return None
    n = codes.shape[1]
    columns = np.zeros((len(codes), n, n))
    after = np.roll(codes, -1, axis=1)
    rows = np.arange(len(codes))[:, None]
    columns[rows, codes, after] = 1.0
    return columns.reshape(len(codes), n * n)


def predicted_share(columns: Floats, reward: Floats, count: int) -> float:
    """R squared on rows from ``count`` on of effects fitted on those before.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> bits = rng.integers(0, 2, (400, 3)).astype(float)
    >>> round(predicted_share(bits, bits @ [1.0, 2.0, 3.0], 200), 3)
    1.0
    """
    mean, centre = columns[:count].mean(axis=0), reward[:count].mean()
    known = columns[:count] - mean
    products = known.T @ known + RIDGE * count * np.eye(known.shape[1])
    effects = np.linalg.solve(products, known.T @ (reward[:count] - centre))
    new = reward[count:]
    error = new - centre - (columns[count:] - mean) @ effects
    spread = float(np.square(new - new.mean()).sum())
    return 1.0 - float(np.square(error).sum()) / spread if spread > 0.0 else 1.0


def spread_of_means(problem: Problem, codes: Codes, reward: Floats) -> float:
    """R_max: the most that two actions at one position differ in their mean reward.

    Parameters
    ----------
    problem
        Says which actions there are.
    codes, reward
        Random solutions, shape (q, n), and what each earned, shape (q,).
    """
    chosen = indicators(problem, codes)
    visits = chosen.sum(axis=0)
    means = (reward @ chosen) / np.maximum(visits, 1.0)
    widest = 0.0
    for place in problem.space.layout.places:
        own = slice(place.offset, place.offset + place.arity)
        seen = means[own][visits[own] >= LEAST_VISITS]
        widest = max(widest, float(np.ptp(seen)) if len(seen) > 1 else 0.0)
    return widest
