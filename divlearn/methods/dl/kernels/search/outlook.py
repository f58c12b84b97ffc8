"""Outlook: whether a predicted solution would be worth an evaluation."""

from __future__ import annotations

from typing import NamedTuple

from divlearn.basics.typing import Floats
from divlearn.kernels.archive import Archive
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.front import gain, is_covered

#: Predicted gains below this share of the front's box are rounding.
LEAST_GAIN = 1e-9


class Outlook(NamedTuple):
    """The front, a solution's outputs, and what a change of it is predicted to do."""

    archive: Archive
    size: int  # members of the archive
    low: Floats  # (m,) the front's box
    high: Floats  # (m,)
    y: Floats  # (m + c,) outputs of the solution that is changed
    delta: Floats  # (m + c,) scratch: predicted difference
    outputs: Floats  # (m + c,) scratch: predicted outputs


@lean_kernel
def promises(outlook: Outlook) -> bool:
    """Whether ``delta`` leads to something feasible that no member covers."""
    m, better = outlook.low.shape[0], False
    for j in range(m):
        if outlook.delta[j] < 0.0:
            better = True
    if not better:
        return False
    for j in range(outlook.delta.shape[0]):
        outlook.outputs[j] = outlook.y[j] + outlook.delta[j]
        if j >= m and outlook.outputs[j] > 0.0:
            return False
    for j in range(m):
        outlook.delta[j] = LEAST_GAIN * (outlook.high[j] - outlook.low[j])
    return not is_covered(outlook.archive, outlook.size, outlook.outputs, outlook.delta)


@lean_kernel
def predicted_gain(outlook: Outlook) -> float:
    """What a solution with the predicted difference would add to the front."""
    m = outlook.low.shape[0]
    for j in range(outlook.delta.shape[0]):
        outlook.outputs[j] = outlook.y[j] + outlook.delta[j]
        if j >= m and outlook.outputs[j] > 0.0:
            return 0.0
    return gain(
        outlook.archive, outlook.size, outlook.outputs, outlook.low, outlook.high
    )
