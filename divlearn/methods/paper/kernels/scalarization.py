"""One number for several objectives under a weight vector."""

from __future__ import annotations

import math

from divlearn.basics.typing import Floats
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.paper.kernels.state import SearchState

WEIGHTED_SUM, TCHEBYCHEFF, AUGMENTED = 0, 1, 2
#: What objectives are divided by: the range of all answers so far, that of the initial
#: ones, or nothing but what all of them have in common.
RUNNING, INITIAL, NONE = 0, 1, 2


@lean_kernel
def scalarize(state: SearchState, w: int, y: Floats) -> float:
    """Scalarised cost of outputs ``y`` under weight ``w``.

    Objectives count from their lower bounds, which are the ideal point of Tchebycheff,
    and are normalised. Within bounds the cost lies in [0, 1], plus the augmentation.
    """
    control = state.control[0]
    if control.normalisation == NONE:
        return raw_cost(state, w, y)
    # Beyond the initial bounds parts are negative, and must still tell what is better.
    total, largest = 0.0, 0.0 if control.normalisation == RUNNING else -math.inf
    for j in range(state.weights.shape[1]):
        low, high = state.objectives[j].low, state.objectives[j].high
        if high > low:
            part = state.weights[w, j] * (y[j] - low) / (high - low)
            total += part
            largest = max(largest, part)
    return combined(state, total, largest)


@lean_kernel
def raw_cost(state: SearchState, w: int, y: Floats) -> float:
    """Scalarised cost of raw objectives, all divided by the same number."""
    common = common_range(state, w)
    total, largest = 0.0, -math.inf
    for j in range(state.weights.shape[1]):
        low, high = state.objectives[j].low, state.objectives[j].high
        if high > low:
            part = state.weights[w, j] * (y[j] - low) / common
            total += part
            largest = max(largest, part)
    return combined(state, total, largest)


@lean_kernel
def combined(state: SearchState, total: float, largest: float) -> float:
    """One cost of the sum of parts and the largest part; 0 where there are none."""
    control = state.control[0]
    if largest == -math.inf:
        return 0.0
    if control.scalarization == WEIGHTED_SUM:
        return total
    if control.scalarization == TCHEBYCHEFF:
        return largest
    return float(largest + control.augmentation * total)


@lean_kernel
def common_range(state: SearchState, w: int) -> float:
    """Range of the raw weighted sum under ``w``, from that of each objective.

    Dividing by it changes neither which of two sums is less nor by how much in
    proportion; it brings them to [0, 1], where rewards come from.
    """
    total = 0.0
    for j in range(state.weights.shape[1]):
        low, high = state.objectives[j].low, state.objectives[j].high
        if high > low:
            total += state.weights[w, j] * (high - low)
    return total if total > 0.0 else 1.0


@lean_kernel
def violation(state: SearchState, y: Floats) -> float:
    """Sum of the constraint values above zero; 0 means feasible."""
    total = 0.0
    for j in range(state.weights.shape[1], y.shape[0]):
        total += max(0.0, y[j])
    return total


@lean_kernel
def reward_of(state: SearchState, w: int, y: Floats) -> float:
    """Reward of outputs ``y`` under weight ``w``: 1 - 2 cost, and -1 if infeasible."""
    if violation(state, y) > 0.0:
        return -1.0
    return 1.0 - 2.0 * scalarize(state, w, y)


@lean_kernel
def better(state: SearchState, w: int, y: Floats, than: Floats) -> bool:
    """Whether ``y`` beats ``than`` under weight ``w``: less violation, then cost."""
    mine, other = violation(state, y), violation(state, than)
    if mine != other:
        return mine < other
    return scalarize(state, w, y) < scalarize(state, w, than)
