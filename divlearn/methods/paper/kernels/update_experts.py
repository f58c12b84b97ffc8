"""UpdateExperts: what all experts learn from a reward, in tables that they share."""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.paper.kernels.state import SearchState

#: A weight that changes by a larger factor has its sum taken anew.
MAX_EXPONENT = 30.0


@lean_kernel
def reset_tables(state: SearchState) -> None:
    """Forget everything: line 2 of the main loop."""
    control = state.control[0]
    for i in range(state.positions.shape[0]):
        place, position = state.layout.places[i], state.positions[i]
        for j in range(place.offset, place.offset + place.arity):
            action = state.actions[j]
            action.visits = 0.0
            action.value = 0.0
            action.square = 0.0
            action.loss = 0.0
            # W starts at 1 / |A|: from 0 a multiplicative weight could never move.
            action.log_weight = -math.log(place.arity)
        position.log_total = 0.0
        position.value_sum = 0.0
        position.value_square_sum = 0.0
        position.dual = control.dual_start
        position.dual_mirror = control.dual_start
    control.updates = 0
    control.temperature = control.temperature_start


@lean_kernel
def update_experts(state: SearchState, x: Codes, reward: float) -> None:
    """UpdateExperts: fold one reward into every (position, action) of ``x``.

    Parameters
    ----------
    state
        Its tables change.
    x
        Codes, shape (n,).
    reward
        Normalised reward in [-1, 1].
    """
    control = state.control[0]
    n = x.shape[0]
    control.updates += 1
    for i in range(n):
        position = state.positions[i]
        action = state.actions[state.layout.places[i].offset + x[i]]
        share = min(1.0, math.exp(action.log_weight - position.log_total))
        probability = max(share, control.least_probability)
        # Expert 1: running mean and squared deviations (Welford).
        action.visits += 1.0
        before = action.value
        after = before + (reward - before) / action.visits
        action.value = after
        action.square += (reward - before) * (reward - after)
        position.value_sum += after - before
        position.value_square_sum += after * after - before * before
        # Expert 2: the sum changes by this one weight, no pass over the others.
        exponent = control.learning_rate * reward / (probability * n)
        action.log_weight += exponent
        again = control.updates % state.layout.places[i].arity == 0
        if again or abs(exponent) > MAX_EXPONENT:
            sum_weights(state, i)
        else:
            position.log_total += math.log1p(share * math.expm1(exponent))
        # Expert 3: losses are in [0, 2] before weighting, so they only grow.
        action.loss += min((1.0 - reward) / probability, control.loss_cap)


@lean_kernel
def sum_weights(state: SearchState, i: int) -> None:
    """Sum the weights of position ``i`` anew.

    While one weight holds nearly all of the sum, the running sum cannot see the
    others, and would not find them back when that weight falls.
    """
    place = state.layout.places[i]
    largest = -math.inf
    for j in range(place.offset, place.offset + place.arity):
        largest = max(largest, state.actions[j].log_weight)
    total = 0.0
    for j in range(place.offset, place.offset + place.arity):
        total += math.exp(state.actions[j].log_weight - largest)
    state.positions[i].log_total = largest + math.log(total)
