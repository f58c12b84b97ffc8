"""The points that the similarity expert knows, and those it waits for.

Bookkeeping once per evaluation: plain Python, as a proposal takes milliseconds anyway.
"""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.methods.dl.kernels.models.gp.state import Similarity

#: Answers after which a proposal without one is given up.
PATIENCE = 100


def num_points(sim: Similarity) -> int:
    """Number of points that are remembered now."""
    return min(int(sim.control[0].taken), len(sim.points))


def take_point(sim: Similarity, x: Codes, y: Floats) -> None:
    """Remember that ``x``, shape (n,), has outputs ``y``, shape (P,).

    Outputs are objectives (minimised), then raw constraints (feasible up to 0).
    """
    control = sim.control[0]
    slot = control.taken % len(sim.points)
    sim.points[slot], sim.values[slot] = x, y
    control.taken += 1
    count = control.num_pending
    waiting = sim.pending_since[:count] >= control.taken - PATIENCE
    _keep_pending(sim, waiting & (sim.pending[:count] != x).any(axis=1))


def take_pending(sim: Similarity, x: Codes) -> None:
    """Remember that ``x`` was proposed; the oldest proposal may make room."""
    control, most = sim.control[0], len(sim.pending)
    if control.num_pending == most:
        _keep_pending(sim, np.arange(most) > 0)
    sim.pending[control.num_pending] = x
    sim.pending_since[control.num_pending] = control.taken
    control.num_pending += 1


def _keep_pending(
    sim: Similarity, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> None:
    """Keep only the proposals marked in ``kept``, in their order."""
    rows = np.flatnonzero(kept)
    sim.pending[: len(rows)] = sim.pending[rows]
    sim.pending_since[: len(rows)] = sim.pending_since[rows]
    sim.control[0].num_pending = len(rows)


def choose_rows(sim: Similarity) -> None:
    """Build the model on all points, or on the latest if there are too many."""
    control = sim.control[0]
    count = min(num_points(sim), len(sim.rows) - len(sim.pending))
    control.num_rows = count
    latest = np.arange(control.taken - count, control.taken)
    sim.rows[:count] = latest % len(sim.points)
