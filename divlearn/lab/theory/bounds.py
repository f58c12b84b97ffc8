"""The paper's bounds as functions of their constants.

They are given up to factors that the paper leaves open; these are taken to be 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from divlearn.basics.typing import Floats, Integers


@dataclass(frozen=True)
class Constants:
    """What the bounds are made of.

    Attributes
    ----------
    n
        Positions.
    K, d, Q
        Number of subproblems, positions of each, most positions that two share.
    L, R, D
        Lipschitz constant, greatest regret per position, diameter of a subproblem.
    """

    n: int
    K: int
    d: int
    Q: int
    L: float
    R: float
    D: float


def bound_terms(constants: Constants, iterations: Integers) -> dict[str, Floats]:
    """The three terms of the bound on the average regret, and their sum.

    d sqrt(T log T) for learning, K Q R sqrt(T) for overlaps, L D sqrt(d T / K) for
    local refinement (lines 441 to 448 and 2077 of the paper).

    Parameters
    ----------
    constants
        Of an instance and its decomposition.
    iterations
        T, shape (t,).
    """
    c, rounds = constants, np.asarray(iterations, np.float64)
    learning = c.d * np.sqrt(rounds * np.log(rounds))
    overlap = c.K * c.Q * c.R * np.sqrt(rounds)
    local = c.L * c.D * np.sqrt(c.d * rounds / c.K)
    total = learning + overlap + local
    return {"learning": learning, "overlap": overlap, "local": local, "sum": total}


def first_useful(constants: Constants, most: float = 1e15) -> float:
    """T from which on the bound says more than that a round costs at most 1.

    R_avg is the total divided by K, so nobody can have more than T / K. Infinite if
    that is not before ``most`` rounds.
    """
    rounds = np.unique(np.geomspace(2, most, 4_000).round()).astype(np.int64)
    useless = bound_terms(constants, rounds)["sum"] >= rounds / constants.K
    if useless[-1]:
        return math.inf
    return float(rounds[useless].max(initial=1.0))


def best_count(n: int, Q: int, R: float) -> float:  # noqa: N803, the paper's names
    """K* = sqrt(n / (Q R)), at most n.

    Examples
    --------
    >>> best_count(100, 4, 1.0), best_count(100, 4, 0.0)
    (5.0, 100.0)
    """
    product = max(1, Q) * R
    return min(float(n), math.sqrt(n / product)) if product > 0.0 else float(n)


def ucb_bound(d: int, actions: int, iterations: Integers) -> Floats:
    """Regret of UCB, d sqrt(A T log T), line 2337."""
    rounds = np.asarray(iterations, np.float64)
    return np.asarray(d * np.sqrt(actions * rounds * np.log(rounds)))


def ftrl_bound(d: int, actions: int, iterations: Integers) -> Floats:
    """Regret of FTRL, d sqrt(2 T log A), line 2996."""
    return np.asarray(d * np.sqrt(2.0 * np.asarray(iterations) * math.log(actions)))


def exp3_bound(d: int, actions: int, clip: float, iterations: Integers) -> Floats:
    """Regret of EXP3, d B sqrt(T log A) / C_clip with B = 1, line 2829."""
    rounds = np.asarray(iterations, np.float64)
    return np.asarray(d * np.sqrt(rounds * math.log(actions)) / clip)


def clip_bias_bound(n: int, actions: int, rate: float) -> float:
    """Bound on the bias of clipping, 2 n B log(A) / eta with B = 1, line 2720."""
    return 2.0 * n * math.log(actions) / rate


def overlap_bound(first: int, decay: float, iterations: Integers) -> Floats:
    """Bound on the sum of o_0 t^-alpha for t up to T, by an integral: line 3288.

    Examples
    --------
    >>> overlap_bound(6, 0.5, np.array([100])), overlap_bound(6, 2.0, np.array([100]))
    (array([114.]), array([11.94]))
    """
    rounds = np.asarray(iterations, np.float64)
    power = 1.0 - decay
    grown = np.log(rounds) if power == 0.0 else (rounds**power - 1.0) / power
    return np.asarray(first * (1.0 + grown))
