"""Climb a score along real values by the gradient, from good solutions.

Moves find which categories and integers are promising; where reals are best is settled
by L-BFGS-B on their coordinates. Gradients are differences: all steps of one gradient
are scored at once, which costs little more than a single score.
"""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.layout import ORDINAL, Layout
from divlearn.lab.baselines.bayes.acquisition import Score
from divlearn.lab.baselines.scales import Scales

#: Positions with at least so many values are climbed.
FINE = 10_000
#: Step of a difference, in coordinates.
STEP = 1e-4
#: Limit on the steps of a climb.
MAX_STEPS = 15


def fine_scales(layout: Layout) -> Scales:
    """The positions that can be climbed."""
    ordered = layout.segments.kind[layout.places.segment] == ORDINAL
    return Scales(layout, np.flatnonzero(ordered & (layout.places.values >= FINE)))


def climb(score: Score, codes: Codes, scales: Scales) -> Codes:
    """Return the solution that a climb from ``codes``, shape (n,), ends at.

    Parameters
    ----------
    score
        What is to be large.
    codes
        Where to begin.
    scales
        Positions that may change; of these, those with a value.
    """
    from scipy.optimize import minimize

    present = scales.present(codes[None])[0]
    start = scales.coordinates(codes[None])[0]

    def rows_at(points: Floats) -> Codes:
        """Solutions with these coordinates, shape (q, p) to (q, n)."""
        shares = np.tile(start, (len(points), 1))
        shares[:, present] = points
        rows = np.tile(codes, (len(points), 1))
        inside = np.where(present, scales.codes(shares), rows[:, scales.columns])
        rows[:, scales.columns] = inside
        return rows

    def falling(point: Floats) -> tuple[float, Floats]:
        """The score and its gradient, both with the sign turned."""
        signs = np.where(point + STEP > 1.0, -1.0, 1.0)
        steps = point + np.vstack([np.zeros(len(point)), np.diag(STEP * signs)])
        found = score(rows_at(steps))
        return -float(found[0]), -(found[1:] - found[0]) / (STEP * signs)

    if not present.any():
        return codes
    ended = minimize(
        falling,
        start[present],
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, 1.0)] * int(present.sum()),
        options={"maxiter": MAX_STEPS, "maxfun": 2 * MAX_STEPS},
    )
    found: Codes = rows_at(ended.x[None])[0]
    return found
