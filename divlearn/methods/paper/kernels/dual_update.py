"""Lagrangian coordination: soft violations of agreement, and DualUpdate."""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.paper.kernels.state import SearchState
from divlearn.methods.paper.kernels.windows import multiplicity

#: Keeps the exponential finite; every price is at its cap long before.
MAX_EXPONENT = 700.0


@lean_kernel
def value_variance(state: SearchState, i: int) -> float:
    """Variance of the value estimates over the actions of position ``i``."""
    arity, position = state.layout.places[i].arity, state.positions[i]
    mean = position.value_sum / arity
    return float(max(0.0, position.value_square_sum / arity - mean * mean))


@lean_kernel
def soft_violation(state: SearchState, i: int, action: int) -> float:
    """xi_i = (k_i - 1) Var(V_i) (1 - N_ia / sum N_i): the risk of disagreement."""
    updates = state.control[0].updates
    if updates == 0:
        return 0.0
    known = state.actions[state.layout.places[i].offset + action]
    visited = known.visits / updates
    share = float(1.0 - visited)
    return (multiplicity(state, i) - 1) * value_variance(state, i) * share


@lean_kernel
def penalty(state: SearchState, x: Codes) -> float:
    """Sum of lambda_i xi_i: what disagreement costs the reward."""
    total = 0.0
    for i in range(x.shape[0]):
        if multiplicity(state, i) > 1:
            total += state.positions[i].dual * soft_violation(state, i, x[i])
    return total


@lean_kernel
def update_duals(state: SearchState, x: Codes) -> None:
    """DualUpdate: entropic mirror ascent on the prices of overlapping positions.

    The plain step multiplies a price by exp(alpha_t xi_i), alpha_t = alpha_0 /
    sqrt(t). The accelerated one moves a mirror sequence by alpha_t / theta_t, with
    theta_t = 2 / (t + 1), and averages it in with weight theta_t.
    """
    control = state.control[0]
    t = control.iteration
    step = control.dual_step / math.sqrt(t)
    theta = 2.0 / (t + 1.0) if control.accelerated == 1 else 1.0
    for i in range(x.shape[0]):
        if multiplicity(state, i) < 2:
            continue
        exponent = step / theta * soft_violation(state, i, x[i])
        growth = math.exp(min(exponent, MAX_EXPONENT))
        position = state.positions[i]
        position.dual_mirror = min(position.dual_mirror * growth, control.dual_cap)
        position.dual = (1.0 - theta) * position.dual + theta * position.dual_mirror
