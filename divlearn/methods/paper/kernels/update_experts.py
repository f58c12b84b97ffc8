"""UpdateExperts: what all experts learn from a reward, in tables that they share."""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes
from divlearn.kernels.cells import action_of
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.paper.kernels.exp4 import (
    begin_gains,
    credit_experts,
    reweigh_experts,
)
from divlearn.methods.paper.kernels.marginals import marginal
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
    for e in range(state.experts.shape[0]):
        state.expert_shares[e] = state.experts[e].share
    control.mean_reward = 0.0
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
    begin_gains(state, reward)
    for i in range(n):
        action = action_of(state.layout, i, x[i])
        known = state.actions[state.layout.places[i].offset + action]
        share = weight_share(state, i, action)
        probability = _credited(state, i, action, reward, share)
        update_mean(state, i, action, reward)
        update_weight(state, i, action, reward, probability * n, share)
        # Expert 3: losses are in [0, 2] before weighting, so they only grow.
        known.loss += min((1.0 - reward) / probability, control.loss_cap)
    if control.exp4_rate > 0.0:
        reweigh_experts(state)
    control.updates += 1


@lean_kernel
def _credited(
    state: SearchState, i: int, action: int, reward: float, share: float
) -> float:
    """Clipped probability of an action; credits the experts that chose it."""
    control = state.control[0]
    if control.mixture_probability == 0 and control.exp4_rate == 0.0:
        return clipped(state, share, reward)
    mixed = marginal(state, i, action)
    if control.exp4_rate > 0.0:
        credit_experts(state, mixed, reward)
    return clipped(state, mixed if control.mixture_probability == 1 else share, reward)


@lean_kernel
def weight_share(state: SearchState, i: int, action: int) -> float:
    """W_ia / sum W_i."""
    known = state.actions[state.layout.places[i].offset + action]
    return min(1.0, math.exp(known.log_weight - state.positions[i].log_total))


@lean_kernel
def clipped(state: SearchState, probability: float, reward: float) -> float:
    """The probability, at least p_min; counts what the clipping does.

    The mean of r / max(p, p_min) is r p / p_min where p is too small, instead of r.
    """
    control = state.control[0]
    least = control.least_probability
    if probability >= least:
        return probability
    control.clips += 1
    control.clip_bias += abs(reward) * (1.0 - probability / least)
    return float(least)


@lean_kernel
def update_mean(state: SearchState, i: int, action: int, reward: float) -> None:
    """Expert 1: running mean and squared deviations (Welford)."""
    known = state.actions[state.layout.places[i].offset + action]
    position = state.positions[i]
    known.visits += 1.0
    before = known.value
    after = before + (reward - before) / known.visits
    known.value = after
    known.square += (reward - before) * (reward - after)
    position.value_sum += after - before
    position.value_square_sum += after * after - before * before


@lean_kernel
def update_weight(
    state: SearchState,
    i: int,
    action: int,
    reward: float,
    divisor: float,
    share: float,
) -> None:
    """Expert 2: the sum changes by this one weight, no pass over the others."""
    place, position = state.layout.places[i], state.positions[i]
    exponent = position.learning_rate * reward / divisor
    state.actions[place.offset + action].log_weight += exponent
    again = (state.control[0].updates + 1) % place.arity == 0
    if again or abs(exponent) > MAX_EXPONENT:
        sum_weights(state, i)
    else:
        position.log_total += math.log1p(share * math.expm1(exponent))


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
