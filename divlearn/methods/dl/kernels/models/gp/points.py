"""The points that the Gaussian process knows, and those it waits for.

Bookkeeping once per evaluation: plain Python, as a proposal takes milliseconds anyway.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.methods.dl.kernels.models.gp.state import MAX_ROWS, GaussianProcess

#: Answers after which a proposal without one is given up.
PATIENCE = 100
#: Where points are more than rows: one over the share of rows from the front, at most,
#: and of the latest ones.
FRONT_PART, LATEST_PART = 2, 4


def num_points(gp: GaussianProcess) -> int:
    """Number of points that are remembered now."""
    return min(int(gp.control[0].taken), len(gp.points))


def take_point(gp: GaussianProcess, x: Codes, y: Floats) -> None:
    """Remember that ``x``, shape (n,), has outputs ``y``, shape (P,).

    Outputs are objectives (minimised), then raw constraints (feasible up to 0).
    """
    control = gp.control[0]
    slot = control.taken % len(gp.points)
    gp.points[slot], gp.values[slot] = x, y
    control.taken += 1
    count = control.num_pending
    waiting = gp.pending_since[:count] >= control.taken - PATIENCE
    _keep_pending(gp, waiting & (gp.pending[:count] != x).any(axis=1))


def take_pending(gp: GaussianProcess, x: Codes) -> None:
    """Remember that ``x`` was proposed; the oldest proposal may make room."""
    control, most = gp.control[0], len(gp.pending)
    if control.num_pending == most:
        _keep_pending(gp, np.arange(most) > 0)
    gp.pending[control.num_pending] = x
    gp.pending_since[control.num_pending] = control.taken
    control.num_pending += 1


def _keep_pending(
    gp: GaussianProcess, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> None:
    """Keep only the proposals marked in ``kept``, in their order."""
    rows = np.flatnonzero(kept)
    gp.pending[: len(rows)] = gp.pending[rows]
    gp.pending_since[: len(rows)] = gp.pending_since[rows]
    gp.control[0].num_pending = len(rows)


def choose_rows(gp: GaussianProcess, most: int = MAX_ROWS) -> None:
    """Build the model on all points, or on the ``most`` telling ones, oldest first."""
    control, known = gp.control[0], num_points(gp)
    ages = np.arange(control.taken - known, control.taken)
    if known > most:
        values = gp.values[ages % len(gp.points)]
        ages = ages[_most_telling(values, control.num_objectives, most)]
    gp.ages[: len(ages)] = ages
    gp.rows[: len(ages)] = ages % len(gp.points)
    control.num_rows = len(ages)


def _most_telling(values: Floats, m: int, most: int) -> Integers:
    """Rows to keep: of the front, of late, and of all times, in their order."""
    latest = np.arange(len(values))[::-1]
    on_front = _is_on_front(values, m)
    chosen = np.zeros(len(values), bool)
    chosen[latest[on_front[latest]][: most // FRONT_PART]] = True
    chosen[latest[~chosen[latest]][: most // LATEST_PART]] = True
    others = np.flatnonzero(~chosen)
    left = most - int(chosen.sum())
    chosen[others[(np.arange(left) * len(others)) // left]] = True
    return np.flatnonzero(chosen)


def _is_on_front(values: Floats, m: int) -> NDArray[np.bool_]:
    """Which rows are feasible and not dominated by another feasible one."""
    feasible: NDArray[np.bool_] = np.all(values[:, m:] <= 0.0, axis=1)
    better = np.ones((len(values), len(values)), bool)
    equal = better.copy()
    for j in range(m):
        column = values[:, j]
        better &= column[:, None] <= column
        equal &= column[:, None] == column
    dominates = better & ~equal & feasible[:, None]
    return feasible & ~dominates.any(axis=0)
