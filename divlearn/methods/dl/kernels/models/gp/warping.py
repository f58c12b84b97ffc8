"""Outputs as a model sees them: warped by a logarithm where that fits, standardised.

Costs that are products of many factors have long upper tails. With y0 the least
value and r a share of the extent of the lower half, log(1 + (y - y0) / r) draws the
tail in and leaves most of the resolution to good values.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Floats
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.models.gp.state import ROUNDING, TINY, GaussianProcess

#: Shares that compete; 0 stands for none.
WARPS = (0.0, 1.0, 0.2, 0.04)
#: Least distance of the median from the least value, by that of the greatest.
LEAST_SPREAD = 1e-9
#: Keeps exponentials finite.
_MOST = 50.0


@lean_kernel
def sort(values: Floats, count: int) -> None:
    """Sort ``values[:count]`` in place by insertion."""
    for i in range(1, count):
        value = values[i]
        j = i - 1
        while j >= 0 and values[j] > value:
            values[j + 1] = values[j]
            j -= 1
        values[j + 1] = value


@lean_kernel
def measure(gp: GaussianProcess, o: int, count: int) -> float:
    """Find the least value of output ``o``; returns how far below the median it is."""
    sums = gp.sums
    for i in range(count):
        sums[i] = gp.values[gp.rows[i], o]
    sort(sums, count)
    low, median = sums[0], sums[count // 2]
    gp.outputs[o].low = low
    return float(max(median - low, LEAST_SPREAD * (sums[count - 1] - low), TINY))


@lean_kernel
def set_targets(gp: GaussianProcess, o: int, count: int, warp: float) -> float:
    """Write the targets of output ``o`` for a given warp.

    Returns
    -------
    Logarithm of the product of the slopes, which makes evidences comparable.
    """
    output, targets = gp.outputs[o], gp.targets[o]
    warp_scale = warp * measure(gp, o, count)
    log_slope, total = 0.0, 0.0
    for i in range(count):
        value = gp.values[gp.rows[i], o]
        if warp > 0.0:
            above = value - output.low + warp_scale
            log_slope -= math.log(above)
            value = math.log(above / warp_scale)
        targets[i] = value
        total += value
    centre = total / count
    squares = 0.0
    for i in range(count):
        targets[i] -= centre
        squares += targets[i] * targets[i]
    scale = math.sqrt(squares / count)
    if scale <= ROUNDING * abs(centre) or scale <= TINY:
        scale = 1.0
    for i in range(count):
        targets[i] /= scale
    output.warp, output.warp_scale = warp, warp_scale
    output.centre, output.scale = centre, scale
    return log_slope - count * math.log(scale)


@lean_kernel
def unwarp(gp: GaussianProcess, o: int, target: float) -> float:
    """Turn a target back into a value of output ``o``."""
    output = gp.outputs[o]
    value = output.centre + output.scale * target
    if output.warp > 0.0:
        return float(
            output.low + output.warp_scale * (math.exp(min(value, _MOST)) - 1.0)
        )
    return float(value)
