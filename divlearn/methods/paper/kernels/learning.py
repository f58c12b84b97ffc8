"""SelectAction and UpdateExperts: how experts choose, and what all of them learn."""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import available_actions
from divlearn.kernels.random import uniform
from divlearn.methods.paper.kernels.known import Known
from divlearn.methods.paper.kernels.scores import call_score
from divlearn.methods.paper.kernels.state import SearchState
from divlearn.methods.paper.kernels.windows import multiplicity

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


@lean_kernel
def construct(state: SearchState, x: Codes) -> None:
    """Build a solution in the order of positions, each by SelectAction."""
    for i in range(x.shape[0]):
        count = available_actions(state.layout, x, i, state.scratch)
        x[i] = select_action(state, i, count)


@lean_kernel
def uncertainty(state: SearchState, i: int) -> float:
    """u_i in (0, 1]: 1 when nothing is known, falling with the mean visits."""
    visits = state.control[0].updates / state.layout.places[i].arity
    return 1.0 / (1.0 + math.log(1.0 + visits))


@lean_kernel
def draw_expert(state: SearchState, i: int) -> int:
    """Draw an expert from the uncertainty-adaptive mixture at position ``i``."""
    control = state.control[0]
    if control.num_experts == 1:
        return 0
    third = control.third_share if control.num_experts > 2 else 0.0
    u = uncertainty(state, i) if control.adaptive_mixture == 1 else 1.0
    first = (1.0 - third) * u * control.hybrid_ratio
    draw = uniform(state.words)
    if draw < first:
        return 0
    return 2 if draw >= 1.0 - third else 1


@lean_kernel
def select_action(state: SearchState, i: int, count: int) -> int:
    """SelectAction: the best of ``scratch[:count]`` for an expert drawn at random.

    Ties, such as between actions never tried, are broken at random.
    """
    control, words = state.control[0], state.words
    expert = draw_expert(state, i)
    price = 0.0
    if control.consensus > 0.0 and state.known[control.weight] > 0:
        price = (
            control.consensus * state.positions[i].dual * (multiplicity(state, i) - 1)
        )
    agreed = state.incumbents[control.weight, i]
    best, ties, chosen = -math.inf, 0, state.scratch[0]
    for c in range(count):
        action = state.scratch[c]
        score = _score(state, expert, i, action)
        if price > 0.0 and action != agreed:
            score -= price
        if score > best:
            best, ties, chosen = score, 1, action
        elif score == best:
            ties += 1
            if uniform(words) * ties < 1.0:
                chosen = action
    return int(chosen)


@lean_kernel
def _score(state: SearchState, expert: int, i: int, action: int) -> float:
    """What an expert thinks of one action, from the shared statistics."""
    control, words, rule = state.control[0], state.words, state.experts[expert]
    place = state.layout.places[i]
    learned = state.actions[place.offset + action]
    visits = learned.visits
    variance = learned.square / (visits - 1.0) if visits > 1.0 else 1.0
    known = Known(
        learned.value,
        variance,
        visits,
        learned.log_weight - state.positions[i].log_total,
        learned.loss,
        float(control.updates),
        control.temperature,
        float(place.arity),
        rule.a,
        rule.b,
        uniform(words),
        uniform(words),
    )
    return float(call_score(rule.address, known))
