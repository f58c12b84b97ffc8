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
from divlearn.methods.dl.kernels.models.gp.state import Similarity
from divlearn.methods.dl.kernels.models.gp.warping import in_own_units

#: The box is at least this share of all values wide.
LEAST_EXTENT = 0.02
#: Slope of the logistic curve nearest to the normal distribution function.
_LOGISTIC = 1.702


@lean_kernel
def normal(words: Words) -> float:
    """Standard normal number (Box-Muller)."""
    radius = math.sqrt(-2.0 * math.log(1.0 - uniform(words)))
    return radius * math.cos(2.0 * math.pi * uniform(words))


@lean_kernel
def _is_feasible(sim: Similarity, r: int) -> bool:
    """Whether row ``r`` meets all constraints, by its values without noise."""
    m = sim.control[0].num_objectives
    o, num_outputs = m, sim.outputs.shape[0]
    while o < num_outputs and sim.fitted[o, r] <= 0.0:
        o += 1
    return bool(o == num_outputs)


@lean_kernel
def _covers(sim: Similarity, a: int, b: int) -> bool:
    """Whether row ``a`` is as good as row ``b`` in all objectives."""
    m = sim.control[0].num_objectives
    o = 0
    while o < m and sim.fitted[o, a] <= sim.fitted[o, b]:
        o += 1
    return bool(o == m)


@lean_kernel
def find_front(sim: Similarity) -> None:
    """List the rows that are feasible and not dominated, by values without noise."""
    control, front = sim.control[0], sim.front
    size = 0
    for r in range(control.num_rows + control.num_pending):
        if not _is_feasible(sim, r):
            continue
        covered, kept = False, 0
        for a in range(size):
            if not covered and _covers(sim, front[a], r):
                covered = True
            if covered or not _covers(sim, r, front[a]):
                front[kept] = front[a]
                kept += 1
        size = kept
        if not covered:
            front[size] = r
            size += 1
    control.num_front = size


@lean_kernel
def set_box(sim: Similarity) -> None:
    """Corner and extents of the box: the reference, or a little beyond the front."""
    control = sim.control[0]
    for o in range(control.num_objectives):
        fitted = sim.fitted[o]
        low = high = fitted[sim.front[0]]
        for a in range(control.num_front):
            low = min(low, fitted[sim.front[a]])
            high = max(high, fitted[sim.front[a]])
        least = most = fitted[0]
        for r in range(control.num_rows):
            least, most = min(least, fitted[r]), max(most, fitted[r])
        extent = max(high - low, LEAST_EXTENT * (most - least), 1e-12 * abs(high))
        extent = max(extent, 1e-300)
        corner, given = high + control.slack * extent, sim.reference[o]
        if given > low:  # else it is not known, or nothing is as good yet
            corner, extent = given, given - low
        sim.outputs[o].corner = corner
        sim.outputs[o].unit = 1.0 / extent


@lean_kernel
def draw_directions(sim: Similarity, words: Words) -> None:
    """Draw directions, uniform on the sphere, and measure the front along each."""
    m = sim.control[0].num_objectives
    for d in range(sim.lengths.shape[0]):
        direction, square = sim.directions[d], 0.0
        for o in range(m):
            direction[o] = abs(normal(words)) + 1e-3
            square += direction[o] * direction[o]
        norm = math.sqrt(square)
        for o in range(m):
            direction[o] = norm / direction[o]
        longest = 0.0
        for a in range(sim.control[0].num_front):
            for o in range(m):
                output = sim.outputs[o]
                sim.place[o] = (
                    output.corner - sim.fitted[o, sim.front[a]]
                ) * output.unit
            longest = max(longest, _power(sim.place, direction, m))
        sim.lengths[d] = longest


@lean_kernel
def _power(place: Floats, direction: Floats, m: int) -> float:
    """The m-th power of the length along ``direction`` that ``place`` covers."""
    length = place[0] * direction[0]
    for o in range(1, m):
        length = min(length, place[o] * direction[o])
    if length <= 0.0:
        return 0.0
    power = length
    for _ in range(m - 1):
        power *= length
    return float(power)


@lean_kernel
def gain(sim: Similarity) -> float:
    """Gain of the point in ``place``, which is measured from the corner."""
    m = sim.control[0].num_objectives
    total = 0.0
    for d in range(sim.lengths.shape[0]):
        power = _power(sim.place, sim.directions[d], m)
        if power > sim.lengths[d]:
            total += power - sim.lengths[d]
    return float(total / sim.lengths.shape[0])


@lean_kernel
def draw_hope(sim: Similarity, words: Words) -> None:
    """Draw how much is hoped for in this proposal.

    Now bold, now careful: a model that is too sure of itself is found out.
    """
    control = sim.control[0]
    control.hope = control.optimism * math.exp(control.daring * normal(words))


@lean_kernel
def place_hopefully(sim: Similarity) -> None:
    """Put the optimistic prediction of the present candidate into ``place``."""
    hope = sim.control[0].hope
    for o in range(sim.control[0].num_objectives):
        output = sim.outputs[o]
        value = in_own_units(sim, o, output.predicted - hope * output.deviation)
        sim.place[o] = (output.corner - value) * output.unit


@lean_kernel
def log_chance(sim: Similarity) -> float:
    """Logarithm of the probability that the present candidate is feasible."""
    m = sim.control[0].num_objectives
    total = 0.0
    for o in range(m, sim.outputs.shape[0]):
        output = sim.outputs[o]
        limit = -output.centre / output.scale
        z = (limit - output.predicted) / output.deviation
        if z > -15.0:
            total -= math.log(1.0 + math.exp(-_LOGISTIC * z))
        else:
            total += _LOGISTIC * z
    return total


@lean_kernel
def merit(sim: Similarity) -> float:
    """What speaks for the candidate that was predicted last; more is better.

    Before anything is feasible only the chance to be feasible counts.
    """
    chance = log_chance(sim)
    if sim.control[0].num_front == 0:
        return chance
    place_hopefully(sim)
    return gain(sim) * math.exp(chance)
