"""SelectAction: how experts choose an action, position by position."""

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
    control, words = state.control[0], state.words
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
        uniform(words),
        uniform(words),
    )
    options = state.expert_options[expert]
    return float(call_score(state.experts[expert].address, known, options))
