"""SelectAction: how experts choose an action, position by position."""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes
from divlearn.kernels.cells import action_of, draw_in
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
        action = select_action(state, i, count)
        x[i] = draw_in(state.layout, i, action, state.words)


@lean_kernel
def uncertainty(state: SearchState, i: int) -> float:
    """u_i in (0, 1]: 1 when nothing is known, falling with the mean visits."""
    visits = state.control[0].updates / state.layout.places[i].arity
    return 1.0 / (1.0 + math.log(1.0 + visits))


@lean_kernel
def own_share(state: SearchState, e: int, i: int) -> float:
    """Probability of expert ``e`` at position ``i``, if it is not the second one."""
    share = state.expert_shares[e]
    if state.experts[e].fades == 1:
        share *= uncertainty(state, i)
    return float(share)


@lean_kernel
def expert_share(state: SearchState, e: int, i: int) -> float:
    """Probability of expert ``e`` at position ``i``; the second has what is left."""
    if e != 1:
        return own_share(state, e, i)
    left = 1.0
    for other in range(state.experts.shape[0]):
        if other != 1:
            left -= own_share(state, other, i)
    return max(0.0, left)


@lean_kernel
def draw_expert(state: SearchState, i: int) -> int:
    """Draw an expert from the uncertainty-adaptive mixture at position ``i``."""
    count = state.experts.shape[0]
    if count == 1:
        return 0
    draw = uniform(state.words)
    if draw < own_share(state, 0, i):
        return 0
    above = 1.0
    for e in range(count - 1, 1, -1):
        above -= own_share(state, e, i)
        if draw >= above:
            return e
    return 1


@lean_kernel
def select_action(state: SearchState, i: int, count: int) -> int:
    """SelectAction: the best of ``scratch[:count]`` for an expert drawn at random.

    Ties, such as between actions never tried, are broken at random.
    """
    control, words = state.control[0], state.words
    expert = draw_expert(state, i)
    state.trace.choices[expert] += 1
    price = 0.0
    if control.consensus > 0.0 and state.known[control.weight] > 0:
        price = (
            control.consensus * state.positions[i].dual * (multiplicity(state, i) - 1)
        )
    agreed = action_of(state.layout, i, state.incumbents[control.weight, i])
    leaders = two_best(state, i, count)
    best, ties, chosen = -math.inf, 0, state.scratch[0]
    for c in range(count):
        action = state.scratch[c]
        known = known_of(state, i, action, leaders, uniform(words), uniform(words))
        score = score_of(state, expert, known)
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
def two_best(state: SearchState, i: int, count: int) -> tuple[float, float]:
    """The two highest means of the actions ``scratch[:count]`` of position ``i``."""
    offset = state.layout.places[i].offset
    first, second = -math.inf, -math.inf
    for c in range(count):
        value = state.actions[offset + state.scratch[c]].value
        if value > first:
            first, second = value, first
        elif value > second:
            second = value
    return first, (second if count > 1 else first)


@lean_kernel
def known_of(
    state: SearchState,
    i: int,
    action: int,
    leaders: tuple[float, float],
    u: float,
    v: float,
) -> Known:
    """What is known of one action of position ``i``, with two random numbers."""
    control, place = state.control[0], state.layout.places[i]
    learned = state.actions[place.offset + action]
    visits = learned.visits
    return Known(
        learned.value,
        learned.square / (visits - 1.0) if visits > 1.0 else 1.0,
        visits,
        learned.log_weight - state.positions[i].log_total,
        learned.loss,
        float(control.updates),
        control.temperature,
        float(place.arity),
        leaders[0],
        leaders[1] if learned.value == leaders[0] else leaders[0],
        u,
        v,
    )


@lean_kernel
def score_of(state: SearchState, expert: int, known: Known) -> float:
    """What an expert thinks of an action."""
    options = state.expert_options[expert]
    return float(call_score(state.experts[expert].address, known, options))
