"""How much a candidate would add to the front, by what the model predicts.

The hypervolume between a reference corner and a front is, up to a constant, the mean
over directions of the m-th power of the length from the corner to the front: with few
hundred random directions a gain costs a microsecond, whatever the number of points.
Reference: D. Golovin, Q. Zhang, "Random hypervolume scalarizations for provable
multi-objective black box optimization", ICML 2020.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Floats, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import uniform
from divlearn.methods.dl.kernels.models.gp.state import ROUNDING, TINY, GaussianProcess
from divlearn.methods.dl.kernels.models.gp.warping import unwarp

#: The box is at least this share of all values wide.
LEAST_EXTENT = 0.02
#: Least component of a direction, so that its inverse is finite.
LEAST_COMPONENT = 1e-3
#: Slope of the logistic curve nearest to the normal distribution function.
_LOGISTIC = 1.702
#: Below this the logarithm of the logistic curve is a line, to the last bit or nearly.
_LINEAR_BELOW = -15.0


@lean_kernel
def normal(rng: Words) -> float:
    """Standard normal number (Box-Muller)."""
    radius = math.sqrt(-2.0 * math.log(1.0 - uniform(rng)))
    return radius * math.cos(2.0 * math.pi * uniform(rng))


@lean_kernel
def _is_feasible(gp: GaussianProcess, r: int) -> bool:
    """Whether row ``r`` meets all constraints, by its values without noise."""
    m = gp.control[0].num_objectives
    o, num_outputs = m, gp.outputs.shape[0]
    while o < num_outputs and gp.fitted[o, r] <= 0.0:
        o += 1
    return bool(o == num_outputs)


@lean_kernel
def _covers(gp: GaussianProcess, a: int, b: int) -> bool:
    """Whether row ``a`` is as good as row ``b`` in all objectives."""
    m = gp.control[0].num_objectives
    o = 0
    while o < m and gp.fitted[o, a] <= gp.fitted[o, b]:
        o += 1
    return bool(o == m)


@lean_kernel
def find_front(gp: GaussianProcess) -> None:
    """List the rows that are feasible and not dominated, by values without noise."""
    control, front = gp.control[0], gp.front
    size = 0
    for r in range(control.num_rows + control.num_pending):
        if not _is_feasible(gp, r):
            continue
        covered, kept = False, 0
        for a in range(size):
            if not covered and _covers(gp, front[a], r):
                covered = True
            if covered or not _covers(gp, r, front[a]):
                front[kept] = front[a]
                kept += 1
        size = kept
        if not covered:
            front[size] = r
            size += 1
    control.num_front = size


@lean_kernel
def set_box(gp: GaussianProcess) -> None:
    """Corner and extents of the box: the reference, or a little beyond the front."""
    control = gp.control[0]
    for o in range(control.num_objectives):
        fitted = gp.fitted[o]
        low = high = fitted[gp.front[0]]
        for a in range(control.num_front):
            low = min(low, fitted[gp.front[a]])
            high = max(high, fitted[gp.front[a]])
        least = most = fitted[0]
        for r in range(control.num_rows):
            least, most = min(least, fitted[r]), max(most, fitted[r])
        extent = max(high - low, LEAST_EXTENT * (most - least), ROUNDING * abs(high))
        extent = max(extent, TINY)
        corner, given = high + control.box_margin * extent, gp.reference[o]
        if given > low:  # else it is not known, or nothing is as good yet
            corner, extent = given, given - low
        gp.outputs[o].corner = corner
        gp.outputs[o].unit = 1.0 / extent


@lean_kernel
def draw_directions(gp: GaussianProcess, rng: Words) -> None:
    """Draw directions, uniform on the sphere, and measure the front along each."""
    m, directions = gp.control[0].num_objectives, gp.directions
    powers = directions[gp.place.shape[0] + 1]
    for d in range(gp.lengths.shape[0]):
        square = 0.0
        for o in range(m):
            directions[o, d] = abs(normal(rng)) + LEAST_COMPONENT
            square += directions[o, d] * directions[o, d]
        norm = math.sqrt(square)
        for o in range(m):
            directions[o, d] = norm / directions[o, d]
        gp.lengths[d] = 0.0
    for a in range(gp.control[0].num_front):
        for o in range(m):
            output = gp.outputs[o]
            gp.place[o] = (output.corner - gp.fitted[o, gp.front[a]]) * output.unit
        _set_powers(gp, powers)
        for d in range(gp.lengths.shape[0]):
            gp.lengths[d] = powers[d] if powers[d] > gp.lengths[d] else gp.lengths[d]


@lean_kernel
def _set_powers(gp: GaussianProcess, powers: Floats) -> None:
    """Write the m-th power of the length along each direction that ``place`` covers.

    One objective after the other, so that many directions are measured at once.
    """
    m, count = gp.control[0].num_objectives, gp.lengths.shape[0]
    shortest = gp.directions[gp.place.shape[0]]
    for d in range(count):
        shortest[d] = gp.place[0] * gp.directions[0, d]
    for o in range(1, m):
        direction, own = gp.directions[o], gp.place[o]
        for d in range(count):
            length = own * direction[d]
            shortest[d] = length if length < shortest[d] else shortest[d]
    for d in range(count):
        shortest[d] = shortest[d] if shortest[d] > 0.0 else 0.0
        powers[d] = shortest[d]
    for _ in range(m - 1):
        for d in range(count):
            powers[d] *= shortest[d]


@lean_kernel
def gain(gp: GaussianProcess) -> float:
    """Gain of the point in ``place``, which is measured from the corner."""
    total, powers, lengths = 0.0, gp.directions[gp.place.shape[0] + 1], gp.lengths
    _set_powers(gp, powers)
    for d in range(lengths.shape[0]):
        if powers[d] > lengths[d]:
            total += powers[d] - lengths[d]
    return float(total / lengths.shape[0])


@lean_kernel
def draw_kappa(gp: GaussianProcess, rng: Words) -> None:
    """Draw the optimism of this proposal, log-normally.

    Sometimes bold, sometimes careful: that shows where the model is too sure.
    """
    control = gp.control[0]
    control.kappa = control.kappa_median * math.exp(control.kappa_sd * normal(rng))


@lean_kernel
def promised_gain(gp: GaussianProcess) -> float:
    """Gain of the present candidate at the optimistic bounds of its objectives."""
    kappa = gp.control[0].kappa
    for o in range(gp.control[0].num_objectives):
        output = gp.outputs[o]
        value = unwarp(gp, o, output.predicted - kappa * output.deviation)
        gp.place[o] = (output.corner - value) * output.unit
    return gain(gp)


@lean_kernel
def log_feasibility(gp: GaussianProcess, o: int) -> float:
    """Logarithm of the probability that the candidate meets constraint ``o``."""
    output = gp.outputs[o]
    limit = -output.centre / output.scale
    z = (limit - output.predicted) / output.deviation
    if z > _LINEAR_BELOW:
        return -math.log(1.0 + math.exp(-_LOGISTIC * z))
    return float(_LOGISTIC * z)
