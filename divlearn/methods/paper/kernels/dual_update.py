"""Lagrangian coordination: soft violations of agreement, and DualUpdate."""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes
from divlearn.kernels.cells import action_of
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.paper.kernels.state import SearchState
from divlearn.methods.paper.kernels.windows import num_holding

#: Keeps the exponential finite; every price is at its cap long before.
MAX_EXPONENT = 700.0
#: How prices follow the mirror step.
PLAIN, NESTEROV, AVERAGED = 0, 1, 2


@lean_kernel
def value_variance(state: SearchState, i: int) -> float:
    """Variance of the value estimates over the actions of position ``i``."""
    arity, position = state.layout.places[i].arity, state.positions[i]
    mean = position.value_sum / arity
    return float(max(0.0, position.value_square_sum / arity - mean * mean))


@lean_kernel
def soft_violation(state: SearchState, i: int, action: int) -> float:
    """xi_i = (k_i - 1) Var(V_i) (1 - N_ia / sum N_i): the risk of disagreement."""
    return violation_among(state, i, action, num_holding(state, i, action))


@lean_kernel
def violation_among(state: SearchState, i: int, action: int, k: int) -> float:
    """The soft violation where ``k`` subproblems hold position ``i``."""
    updates = state.control[0].updates
    if updates == 0:
        return 0.0
    known = state.actions[state.layout.places[i].offset + action]
    visited = known.visits / updates
    share = float(1.0 - visited)
    return (k - 1) * value_variance(state, i) * share


@lean_kernel
def penalty(state: SearchState, x: Codes) -> float:
    """Sum of lambda_i xi_i: what disagreement costs the reward."""
    total = 0.0
    for i in range(x.shape[0]):
        k = num_holding(state, i, x[i])
        if k > 1:
            action = action_of(state.layout, i, x[i])
            total += state.positions[i].dual * violation_among(state, i, action, k)
    return total


@lean_kernel
def update_duals(state: SearchState, x: Codes) -> None:
    """DualUpdate: entropic mirror ascent on the prices of overlapping positions.

    The mirror step multiplies a price by exp(alpha_t xi_i), alpha_t = alpha_0 /
    sqrt(t); :class:`divlearn.methods.paper.coordination.Coordination` says how prices
    follow it.
    """
    control = state.control[0]
    step = control.dual_step / math.sqrt(control.iteration)
    theta = 2.0 / (control.iteration + 1.0)
    for i in range(x.shape[0]):
        k = num_holding(state, i, x[i])
        if k < 2:
            continue
        violation = violation_among(state, i, action_of(state.layout, i, x[i]), k)
        if control.acceleration == AVERAGED:
            _average(state, i, step / theta * violation, theta)
        else:
            _step(state, i, step * violation, theta)


@lean_kernel
def _step(state: SearchState, i: int, exponent: float, theta: float) -> None:
    """One mirror step of the price of position ``i``, and the paper's momentum."""
    control, position = state.control[0], state.positions[i]
    growth = math.exp(min(exponent, MAX_EXPONENT))
    moved = min(position.dual * growth, control.dual_cap)
    if control.acceleration == NESTEROV:
        moved += theta * (moved - position.dual)
    position.dual = max(0.0, min(moved, control.dual_cap))


@lean_kernel
def _average(state: SearchState, i: int, exponent: float, theta: float) -> None:
    """Move the mirror sequence of position ``i`` and average it into the price."""
    control, position = state.control[0], state.positions[i]
    growth = math.exp(min(exponent, MAX_EXPONENT))
    position.dual_mirror = min(position.dual_mirror * growth, control.dual_cap)
    position.dual = (1.0 - theta) * position.dual + theta * position.dual_mirror
