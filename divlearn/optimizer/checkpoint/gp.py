"""What the memory of the Gaussian process may hold."""

from __future__ import annotations

import numpy as np

from divlearn.kernels.layout import Layout
from divlearn.methods.dl.kernels.models.gp.columns import MATERN
from divlearn.methods.dl.kernels.models.gp.state import (
    CONTROL,
    MAX_PAIRS,
    MAX_PENDING,
    MAX_ROWS,
    OUTPUT,
    GaussianProcess,
)
from divlearn.optimizer.checkpoint.members import require_members
from divlearn.optimizer.checkpoint.rules import (
    ANY,
    COUNT,
    SAME,
    Number,
    Table,
    Whole,
    require,
)

#: What the settings and the problem determine: all before what was taken.
SETTINGS = CONTROL.names[: CONTROL.names.index("taken")]  # type: ignore[index,union-attr]

GP_TABLE: Table = {
    "gp.control": {
        **dict.fromkeys(SETTINGS, SAME),
        "taken": COUNT,
        "num_pending": Whole(0, MAX_PENDING),
        "fitted": COUNT,
        "compared": COUNT,
        "num_rows": Whole(0, MAX_ROWS),
        "num_front": Whole(0, MAX_ROWS + MAX_PENDING),
        "kappa": ANY,
    },
    "gp.points": COUNT,
    "gp.values": ANY,
    "gp.pending": COUNT,
    "gp.pending_since": COUNT,
    "gp.log_weights": ANY,
    "gp.pairs": Whole(0, lambda s: max(0, s.length("gp.columns") - 1)),
    "gp.log_pairs": ANY,
    "gp.outputs": {
        **dict.fromkeys(OUTPUT.names or (), ANY),
        "num_pairs": Whole(0, MAX_PAIRS),
        "smooth": Whole(0, MATERN),
        "warp": Number(0.0, 1.0, finite=True),
    },
    "gp.reference": ANY,  # that of the problem when the search began
    "gp.columns": SAME,
    "gp.first": SAME,
    "gp.blocks": SAME,
}


def require_gp(gp: GaussianProcess, layout: Layout) -> None:
    """Points that are remembered, or waited for, are solutions."""
    control = gp.control[0]
    taken = int(control.taken)
    right = control.fitted <= taken and control.compared <= taken
    require(bool(right), "gp.control.fitted must be no more than was taken")
    used = slice(0, min(taken, len(gp.points)))
    require_members("gp.points", gp.points, layout, used)
    finite = np.isfinite(gp.values[used]).all()
    require(bool(finite), "gp.values must be finite")
    waiting = slice(0, int(control.num_pending))
    require_members("gp.pending", gp.pending, layout, waiting)
