"""Traces of many runs: what studies of iterations look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from divlearn.basics.typing import Floats
from divlearn.lab.bench.work import TRACE
from divlearn.lab.paper.study import Evidence

#: An instance and a seed.
Place = tuple[int, int]
#: Columns of a trace by name.
Columns = Mapping[str, Floats]


def traces(
    evidence: Evidence, problem: str, method: str, suite: str = ""
) -> dict[Place, Columns]:
    """Traces of all finished runs of a method on a problem, by instance and seed."""
    runs = evidence.cell(problem, method, suite).runs
    found = {
        p: evidence.store.series(run.key, TRACE) for p, run in sorted(runs.items())
    }
    return {place: columns for place, columns in found.items() if columns is not None}


def by_weight(trace: Columns, column: str, num_weights: int) -> Floats:
    """A column with a row per weight, shape (weights, iterations).

    The run must have ended with its schedule, one visit to each weight.
    """
    return np.asarray(trace[column].reshape(num_weights, -1))


def fixed_rewards(
    trace: Columns, weights: ArrayLike, ideal: ArrayLike, reference: ArrayLike
) -> Floats:
    """Rewards by bounds that all runs share, shape (weights, iterations).

    Parameters
    ----------
    trace
        Columns of a run that ended with its schedule.
    weights
        Its weight vectors, shape (W, m).
    ideal, reference
        Where a minimised objective counts 0 and 1, shape (m,) both.

    Returns
    -------
    1 - 2 times the weighted sum: 1 at the ideal and -1 at the reference point.

    Examples
    --------
    >>> trace = {"objective_a": np.array([2.0]), "objective_b": np.array([4.0])}
    >>> fixed_rewards(trace, [[0.5, 0.5]], [0, 0], [4, 8]).tolist()
    [[0.0]]
    """
    rows, low, high = (
        np.asarray(points, np.float64) for points in (weights, ideal, reference)
    )
    names = [name for name in trace if name.startswith("objective_")]
    parts = np.array([by_weight(trace, name, len(rows)) for name in names])
    scaled = (parts - low[:, None, None]) / (high - low)[:, None, None]
    return np.asarray(1.0 - 2.0 * np.einsum("wj,jwt->wt", rows, scaled))


def curves(found: Mapping[Place, Columns], column: str, num_weights: int = 1) -> Floats:
    """A column of many runs, the mean over weights, shape (runs, iterations)."""
    rows = [by_weight(t, column, num_weights).mean(axis=0) for t in found.values()]
    return np.array(rows)


def growth_exponent(totals: ArrayLike, first: int = 10) -> float:
    """Slope of a growing curve on log-log axes: 1 for linear, 0.5 for a root.

    Parameters
    ----------
    totals
        Positive numbers at iterations 1, 2, .., shape (T,).
    first
        Iterations before this one are left out.

    Examples
    --------
    >>> t = np.arange(1, 301)
    >>> round(growth_exponent(3 * np.sqrt(t)), 6)
    0.5
    """
    numbers = np.asarray(totals, np.float64)[first - 1 :]
    steps = np.arange(first, first + len(numbers))
    known = numbers > 0
    if known.sum() < 2:
        return float("nan")
    slope, _ = np.polyfit(np.log(steps[known]), np.log(numbers[known]), 1)
    return float(slope)


def band(
    rows: Floats, labels: Sequence[int] | None = None
) -> tuple[Floats, Floats, Floats]:
    """Mean, and mean minus and plus a standard deviation, of curves; shape (T,) each.

    Where ``labels`` say which instance each curve belongs to, the deviation is that
    over the seeds of an instance, averaged over instances.
    """
    mean = rows.mean(axis=0)
    groups = np.zeros(len(rows), int) if labels is None else np.asarray(labels)
    inner = [rows[groups == one] for one in np.unique(groups)]
    spread = [g.std(axis=0, ddof=1) for g in inner if len(g) > 1]
    deviation = np.mean(spread, axis=0) if spread else np.zeros_like(mean)
    return mean, mean - deviation, mean + deviation
