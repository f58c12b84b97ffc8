"""Outputs as a model sees them: bent by a logarithm where that fits, standardised.

Costs that are products of many factors have long upper tails. With y0 the least
value and r a share of the extent of the lower half, log(1 + (y - y0) / r) draws the
tail in and leaves most of the resolution to good values.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Floats
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.models.gp.state import Similarity

#: Shares that compete; 0 stands for no bend.
BENDS = (0.0, 1.0, 0.2, 0.04)
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
def measure(sim: Similarity, o: int, count: int) -> float:
    """Find the least value of output ``o``; returns how far below the median it is."""
    sums = sim.sums
    for i in range(count):
        sums[i] = sim.values[sim.rows[i], o]
    sort(sums, count)
    low, median = sums[0], sums[count // 2]
    sim.outputs[o].low = low
    return float(max(median - low, 1e-9 * (sums[count - 1] - low), 1e-300))


@lean_kernel
def set_targets(sim: Similarity, o: int, count: int, bend: float) -> float:
    """Write the targets of output ``o`` for a given bend.

    Returns
    -------
    Logarithm of the product of the slopes, which makes evidences comparable.
    """
    output, targets = sim.outputs[o], sim.targets[o]
    reach = bend * measure(sim, o, count)
    log_slope, total = 0.0, 0.0
    for i in range(count):
        value = sim.values[sim.rows[i], o]
        if bend > 0.0:
            above = value - output.low + reach
            log_slope -= math.log(above)
            value = math.log(above / reach)
        targets[i] = value
        total += value
    centre = total / count
    squares = 0.0
    for i in range(count):
        targets[i] -= centre
        squares += targets[i] * targets[i]
    scale = math.sqrt(squares / count)
    if scale <= 1e-12 * abs(centre) or scale <= 1e-300:
        scale = 1.0
    for i in range(count):
        targets[i] /= scale
    output.bend, output.reach = bend, reach
    output.centre, output.scale = centre, scale
    return log_slope - count * math.log(scale)


@lean_kernel
def in_own_units(sim: Similarity, o: int, target: float) -> float:
    """Turn a target back into a value of output ``o``."""
    output = sim.outputs[o]
    value = output.centre + output.scale * target
    if output.bend > 0.0:
        return float(output.low + output.reach * (math.exp(min(value, _MOST)) - 1.0))
    return float(value)
