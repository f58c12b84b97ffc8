"""How probable an action is under the mixture of experts.

A score says what random numbers do to it (``Expert.noise``), and from this follows how
often an expert takes an action: one without noise takes the best, and each of several
equally good ones as often; Gumbel noise draws from the softmax of the scores; normal
noise takes an action as often as its draw is the greatest.
"""

from __future__ import annotations

import math

from divlearn.kernels.jit import lean_kernel
from divlearn.methods.paper.kernels.select_action import (
    expert_share,
    known_of,
    score_of,
    two_best,
)
from divlearn.methods.paper.kernels.state import SearchState

NO_NOISE, GUMBEL, NORMAL, UNIFORM = 0, 1, 2, 3
#: Random numbers for which Gumbel noise is 0, and normal noise 0 and 1.
NO_GUMBEL = math.exp(-1.0)
ONE_DEVIATION = 1.0 - math.exp(-0.5)
#: The integral over the normal law: its ends, and the number of steps.
FAR, STEPS = 5.0, 40


@lean_kernel
def marginal(state: SearchState, i: int, action: int) -> float:
    """Probability of an action of position ``i`` under all experts, all being free.

    ``expert_marginals`` get that under each of them.
    """
    arity = state.layout.places[i].arity
    for a in range(arity):
        state.scratch[a] = a
    leaders = two_best(state, i, arity)
    total = 0.0
    for e in range(state.experts.shape[0]):
        state.expert_marginals[e] = of_expert(state, e, i, action, leaders)
        total += expert_share(state, e, i) * state.expert_marginals[e]
    return min(1.0, total)


@lean_kernel
def of_expert(
    state: SearchState, e: int, i: int, action: int, leaders: tuple[float, float]
) -> float:
    """Probability of an action of position ``i`` under one expert."""
    arity, noise = state.layout.places[i].arity, state.experts[e].noise
    if noise == UNIFORM:
        return float(1.0 / arity)
    for a in range(arity):
        u = NO_GUMBEL if noise == GUMBEL else 0.0
        state.beliefs[a, 0] = score_of(state, e, known_of(state, i, a, leaders, u, 0.0))
        if noise == NORMAL:
            known = known_of(state, i, a, leaders, ONE_DEVIATION, 0.0)
            state.beliefs[a, 1] = score_of(state, e, known) - state.beliefs[a, 0]
    if noise == GUMBEL:
        return of_softmax(state, arity, action)
    if noise == NORMAL:
        return of_greatest(state, arity, action)
    return of_best(state, arity, action)


@lean_kernel
def of_best(state: SearchState, arity: int, action: int) -> float:
    """1 for the best of ``beliefs[:arity, 0]``, shared by equally good ones."""
    mine, ties = state.beliefs[action, 0], 0
    for a in range(arity):
        if state.beliefs[a, 0] > mine:
            return 0.0
        if state.beliefs[a, 0] == mine:
            ties += 1
    return 1.0 / ties


@lean_kernel
def of_softmax(state: SearchState, arity: int, action: int) -> float:
    """Share of the exponential of ``beliefs[action, 0]``."""
    total = 0.0
    for a in range(arity):
        difference = state.beliefs[a, 0] - state.beliefs[action, 0]
        total += math.exp(min(700.0, difference))
    return 1.0 / total


@lean_kernel
def of_greatest(state: SearchState, arity: int, action: int) -> float:
    """Probability that the draw of an action is the greatest of normal draws.

    ``beliefs`` are means and deviations. The draw of the action is integrated over by
    the trapezoidal rule, which is all but exact for smooth functions of a normal law;
    where others hardly spread, it is right to about a twentieth.
    """
    mean, deviation = state.beliefs[action, 0], state.beliefs[action, 1]
    width = 2.0 * FAR / STEPS
    total, weights = 0.0, 0.0
    for step in range(STEPS + 1):
        z = -FAR + width * step
        weight = math.exp(-0.5 * z * z)
        weights += weight
        total += weight * _wins(state, arity, action, mean + deviation * z)
    return total / weights


@lean_kernel
def _wins(state: SearchState, arity: int, action: int, draw: float) -> float:
    """Probability that all other draws are below this one, shared among ties."""
    wins, ties = 1.0, 1
    for a in range(arity):
        if a == action:
            continue
        above, deviation = draw - state.beliefs[a, 0], abs(state.beliefs[a, 1])
        if deviation > 0.0:
            wins *= 0.5 * math.erfc(-above / deviation / math.sqrt(2.0))
        elif above == 0.0:
            ties += 1
        elif above < 0.0:
            return 0.0
        if wins < 1e-12:
            return 0.0
    return wins / ties
