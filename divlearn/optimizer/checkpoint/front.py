"""Whether an archive of solutions is well-formed."""

from __future__ import annotations

import numpy as np

from divlearn.kernels.archive import Archive
from divlearn.kernels.layout import Layout
from divlearn.optimizer.checkpoint.members import require_members
from divlearn.optimizer.checkpoint.rules import require

#: How far keys are from the objectives, and how large these may be for that to hold.
_ROUNDING, _USUAL = 1e-8, 1e30


def require_front(
    name: str, archive: Archive, size: int, layout: Layout, measured: bool = True
) -> None:
    """Used slots come first, each slot once; members are solutions.

    Their outputs are finite where they were ``measured``, not predicted.
    """
    slots = len(archive.order)
    once = np.array_equal(np.sort(archive.order), np.arange(slots))
    require(once, f"{name}.order must list every slot once")
    used = archive.order[:size]
    require_members(f"{name}.solutions", archive.solutions, layout, used)
    outputs, keys = archive.outputs[used], archive.keys[used]
    if measured:
        require(bool(np.isfinite(outputs).all()), f"{name}.outputs must be finite")
        values = outputs[:, : keys.shape[1]]
        with np.errstate(over="ignore"):
            near = np.isclose(keys, values, _ROUNDING, _ROUNDING)
        right = (near | (np.abs(values) > _USUAL)) & np.isfinite(keys)
        require(bool(right.all()), f"{name}.keys must be the objectives, rounded")
    if keys.shape[1] == 2:
        rising = (keys[1:, 0] >= keys[:-1, 0]).all()
        falling = (keys[1:, 1] <= keys[:-1, 1]).all()
        in_order = bool(rising and falling)
        require(in_order, f"{name}.order must follow the first objective")
