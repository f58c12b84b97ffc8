"""What the pair model may hold."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.kernels.layout import Layout
from divlearn.methods.dl.kernels.models.pairing.model import (
    IN_USE,
    NO_MODEL,
    NOTHING_SHARED,
    NUM_PROBES,
    PAIRING,
    PROBING,
    Pairing,
)
from divlearn.optimizer.checkpoint.members import require_members
from divlearn.optimizer.checkpoint.rules import (
    ANY,
    COUNT,
    FLAG,
    POSITIVE,
    SAME,
    Number,
    Table,
    Whole,
    require,
)

#: Entries of the matrices of a model in use, whose values have deviation 1.
_LARGEST = 1e9

PAIRING_TABLE: Table = {
    "pairing.record": {
        **dict.fromkeys(PAIRING.names or (), COUNT),
        "limit": SAME,
        "phase": Whole(PROBING, NO_MODEL),
        "mode": Whole(0, NOTHING_SHARED),
        "stored": Whole(0, lambda s: s.length("pairing.solutions")),
        "sampled": Whole(0, lambda s: s.length("pairing.solutions")),
        "handed": Whole(0, NUM_PROBES),
        "unlike": ANY,
        "error": ANY,
    },
    "pairing.solutions": COUNT,
    "pairing.inverses": COUNT,
    "pairing.values": ANY,
    "pairing.parents": Whole(-1, lambda s: s.length("pairing.solutions")),
    "pairing.worths": POSITIVE,
    "pairing.positions": ANY,
    "pairing.items": ANY,
    "pairing.centres": ANY,
    "pairing.scales": Number(0.0),
    "pairing.errors": POSITIVE,
    "pairing.probes": COUNT,
    "pairing.answers": ANY,
    "pairing.answered": FLAG,
    "pairing.mixed": COUNT,
}


def require_pairing(pairing: Pairing, layout: Layout) -> None:
    """Stored solutions are solutions, beside their inverses; a model is symmetric."""
    record, n = pairing.record[0], pairing.solutions.shape[1]
    if n == 0:
        require(record.phase == NO_MODEL, "pairing.record.phase must be that of none")
        return
    used = slice(0, int(record.stored))
    require_members("pairing.solutions", pairing.solutions, layout, used)
    require_members("pairing.inverses", pairing.inverses, layout, used)
    orders = pairing.solutions[used].astype(np.int64)
    back = np.take_along_axis(pairing.inverses[used].astype(np.int64), orders, axis=1)
    right = (back == np.arange(n)).all()
    require(bool(right), "pairing.inverses must be those of the solutions")
    earlier = (pairing.parents[used] < np.arange(int(record.stored))).all()
    require(bool(earlier), "pairing.parents must be earlier ones")
    handed = slice(0, NUM_PROBES if record.handed > 0 else 0)
    require_members("pairing.probes", pairing.probes, layout, handed)
    if record.phase == IN_USE:
        # Prices of exchanges suppose that.
        for name in ("positions", "items"):
            _require_symmetric(f"pairing.{name}", getattr(pairing, name))


def _require_symmetric(name: str, matrices: Floats) -> None:
    """Every matrix is its own mirror image, with nothing on the diagonal."""
    right = (np.abs(matrices) <= _LARGEST).all()
    right &= np.array_equal(matrices, matrices.transpose(0, 2, 1))
    right &= not np.diagonal(matrices, axis1=1, axis2=2).any()
    require(bool(right), f"{name} must be symmetric")
