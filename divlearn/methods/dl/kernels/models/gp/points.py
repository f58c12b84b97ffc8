"""The points that the Gaussian process knows, and those it waits for.

Bookkeeping once per evaluation: plain Python, as a proposal takes milliseconds anyway.
"""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.methods.dl.kernels.models.gp.state import GaussianProcess

#: Answers after which a proposal without one is given up.
PATIENCE = 100


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


def choose_rows(gp: GaussianProcess) -> None:
    """Build the model on all points, or on the latest if there are too many."""
    control = gp.control[0]
    count = min(num_points(gp), len(gp.rows) - len(gp.pending))
    control.num_rows = count
    latest = np.arange(control.taken - count, control.taken)
    gp.rows[:count] = latest % len(gp.points)
