"""Which weights to search under next."""

from __future__ import annotations

import math

from divlearn.basics.typing import Floats
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below, uniform
from divlearn.methods.dl.kernels.front import measure_front
from divlearn.methods.dl.kernels.state import DifferenceState

#: Weight vectors that divide the simplex before gaps decide.
NUM_DIVIDING = 33
#: Gaps compared for one choice.
NUM_GAPS = 3
#: Share of weights that are normal to a gap; others are drawn anywhere.
GAP_SHARE = 0.9
#: Least weight of an objective, so that what is as good in the others is not missed.
_LEAST = 1e-3


@lean_kernel
def van_der_corput(k: int) -> float:
    """The k-th number of the sequence 1/2, 1/4, 3/4, 1/8 ... that bisects [0, 1]."""
    value, base = 0.0, 0.5
    while k > 0:
        value += base * (k & 1)
        k >>= 1
        base *= 0.5
    return value


@lean_kernel
def draw_weights(state: DifferenceState, row: int) -> None:
    """Write new weights, in units of one over an objective, into ``weights[row]``.

    First the ends and a bisection of the simplex, then mostly the normal of a large
    gap between neighbours of the archive.
    """
    control, weights = state.control[0], state.weights[row]
    m, size = state.low.shape[0], control.archive_size
    k = control.num_weights
    control.num_weights += 1
    measure_front(state.archive, size, state.low, state.high)
    for j in range(weights.shape[0]):
        weights[j] = 0.0
    if m == 2 and k < NUM_DIVIDING:
        share = float(k) if k < 2 else van_der_corput(k - 1)
        weights[0], weights[1] = 1.0 - share, share
    elif _may_use_gaps(state) and uniform(state.rng) < GAP_SHARE:
        _draw_gap(state, weights)
        return
    else:
        _draw_simplex(state, weights, k)
    for j in range(m):
        width = state.high[j] - state.low[j]
        weights[j] = max(weights[j], _LEAST) / (width if width > 0.0 else 1.0)


@lean_kernel
def _may_use_gaps(state: DifferenceState) -> bool:
    """Whether there are gaps between neighbours: of two objectives only."""
    control = state.control[0]
    two = state.low.shape[0] == 2
    return bool(two and control.use_gaps == 1 and control.archive_size > 2)


@lean_kernel
def _draw_gap(state: DifferenceState, weights: Floats) -> None:
    """Take the normal of the largest of a few gaps."""
    size = state.control[0].archive_size
    keys, order = state.archive.keys, state.archive.order
    largest = -1.0
    for _ in range(NUM_GAPS):
        rank = below(state.rng, size - 1)
        a, b = order[rank], order[rank + 1]
        dx, dy = keys[b, 0] - keys[a, 0], keys[a, 1] - keys[b, 1]
        if dx * dy > largest:
            largest = dx * dy
            weights[0], weights[1] = dy, dx
    total = weights[0] * (state.high[0] - state.low[0])
    total += weights[1] * (state.high[1] - state.low[1])
    if total > 0.0:
        weights[0] /= total
        weights[1] /= total


@lean_kernel
def _draw_simplex(state: DifferenceState, weights: Floats, k: int) -> None:
    """Draw uniformly from the simplex; every objective alone comes first."""
    m = state.low.shape[0]
    if k < m:
        weights[k] = 1.0
        return
    total = 0.0
    for j in range(m):
        weights[j] = -math.log(1.0 - uniform(state.rng))
        total += weights[j]
    for j in range(m):
        weights[j] /= total
